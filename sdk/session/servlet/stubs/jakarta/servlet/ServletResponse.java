package jakarta.servlet;

import java.io.IOException;
import java.io.PrintWriter;

public interface ServletResponse {
  ServletOutputStream getOutputStream() throws IOException;

  PrintWriter getWriter() throws IOException;

  String getCharacterEncoding();

  void setCharacterEncoding(String encoding);

  String getContentType();

  void setContentType(String type);

  void setContentLength(int length);

  void setContentLengthLong(long length);

  void setBufferSize(int size);

  int getBufferSize();

  void flushBuffer() throws IOException;

  boolean isCommitted();

  void reset();

  void resetBuffer();
}
