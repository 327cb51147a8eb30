package jakarta.servlet.http;

import jakarta.servlet.ServletRequest;
import java.util.Enumeration;

public interface HttpServletRequest extends ServletRequest {
  String getMethod();

  String getRequestURI();

  String getContextPath();

  String getQueryString();

  String getHeader(String name);

  Enumeration<String> getHeaders(String name);

  Enumeration<String> getHeaderNames();

  int getIntHeader(String name);
}
