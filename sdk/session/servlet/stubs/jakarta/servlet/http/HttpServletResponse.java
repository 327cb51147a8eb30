package jakarta.servlet.http;

import jakarta.servlet.ServletResponse;
import java.io.IOException;

public interface HttpServletResponse extends ServletResponse {
  void setStatus(int status);

  int getStatus();

  void sendError(int status) throws IOException;

  void sendError(int status, String message) throws IOException;

  void sendRedirect(String location) throws IOException;

  void setHeader(String name, String value);

  void addHeader(String name, String value);

  void setIntHeader(String name, int value);

  String getHeader(String name);
}
