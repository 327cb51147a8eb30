package jakarta.servlet;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.Enumeration;
import java.util.Map;

public interface ServletRequest {
  ServletInputStream getInputStream() throws IOException;

  BufferedReader getReader() throws IOException;

  String getCharacterEncoding();

  String getContentType();

  int getContentLength();

  long getContentLengthLong();

  String getParameter(String name);

  Map<String, String[]> getParameterMap();

  Enumeration<String> getParameterNames();

  String[] getParameterValues(String name);

  void setAttribute(String name, Object value);

  Object getAttribute(String name);

  String getRemoteAddr();
}
