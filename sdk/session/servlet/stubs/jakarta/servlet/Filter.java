package jakarta.servlet;

import java.io.IOException;

public interface Filter {
  void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException;
}
