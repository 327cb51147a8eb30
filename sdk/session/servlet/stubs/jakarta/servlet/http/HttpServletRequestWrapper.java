package jakarta.servlet.http;

import jakarta.servlet.ServletInputStream;
import java.io.BufferedReader;
import java.io.IOException;
import java.util.Enumeration;
import java.util.Map;

/** Hands every call on, as that of a container does. */
public class HttpServletRequestWrapper implements HttpServletRequest {
  private final HttpServletRequest inner;

  public HttpServletRequestWrapper(HttpServletRequest inner) {
    this.inner = inner;
  }

  @Override
  public ServletInputStream getInputStream() throws IOException {
    return inner.getInputStream();
  }

  @Override
  public BufferedReader getReader() throws IOException {
    return inner.getReader();
  }

  @Override
  public String getCharacterEncoding() {
    return inner.getCharacterEncoding();
  }

  @Override
  public String getContentType() {
    return inner.getContentType();
  }

  @Override
  public int getContentLength() {
    return inner.getContentLength();
  }

  @Override
  public long getContentLengthLong() {
    return inner.getContentLengthLong();
  }

  @Override
  public String getParameter(String name) {
    return inner.getParameter(name);
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    return inner.getParameterMap();
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return inner.getParameterNames();
  }

  @Override
  public String[] getParameterValues(String name) {
    return inner.getParameterValues(name);
  }

  @Override
  public void setAttribute(String name, Object value) {
    inner.setAttribute(name, value);
  }

  @Override
  public Object getAttribute(String name) {
    return inner.getAttribute(name);
  }

  @Override
  public String getRemoteAddr() {
    return inner.getRemoteAddr();
  }

  @Override
  public String getMethod() {
    return inner.getMethod();
  }

  @Override
  public String getContextPath() {
    return inner.getContextPath();
  }

  @Override
  public String getRequestURI() {
    return inner.getRequestURI();
  }

  @Override
  public String getQueryString() {
    return inner.getQueryString();
  }

  @Override
  public String getHeader(String name) {
    return inner.getHeader(name);
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    return inner.getHeaders(name);
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    return inner.getHeaderNames();
  }

  @Override
  public int getIntHeader(String name) {
    return inner.getIntHeader(name);
  }
}
