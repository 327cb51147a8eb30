package jakarta.servlet.http;

import jakarta.servlet.ServletOutputStream;
import java.io.IOException;
import java.io.PrintWriter;

/** Hands every call on, as that of a container does. */
public class HttpServletResponseWrapper implements HttpServletResponse {
  private final HttpServletResponse inner;

  public HttpServletResponseWrapper(HttpServletResponse inner) {
    this.inner = inner;
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    return inner.getOutputStream();
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    return inner.getWriter();
  }

  @Override
  public String getCharacterEncoding() {
    return inner.getCharacterEncoding();
  }

  @Override
  public void setCharacterEncoding(String encoding) {
    inner.setCharacterEncoding(encoding);
  }

  @Override
  public String getContentType() {
    return inner.getContentType();
  }

  @Override
  public void setContentType(String type) {
    inner.setContentType(type);
  }

  @Override
  public void setContentLength(int length) {
    inner.setContentLength(length);
  }

  @Override
  public void setContentLengthLong(long length) {
    inner.setContentLengthLong(length);
  }

  @Override
  public void setBufferSize(int size) {
    inner.setBufferSize(size);
  }

  @Override
  public int getBufferSize() {
    return inner.getBufferSize();
  }

  @Override
  public void flushBuffer() throws IOException {
    inner.flushBuffer();
  }

  @Override
  public boolean isCommitted() {
    return inner.isCommitted();
  }

  @Override
  public void reset() {
    inner.reset();
  }

  @Override
  public void resetBuffer() {
    inner.resetBuffer();
  }

  @Override
  public void setStatus(int status) {
    inner.setStatus(status);
  }

  @Override
  public int getStatus() {
    return inner.getStatus();
  }

  @Override
  public void sendError(int status) throws IOException {
    inner.sendError(status);
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    inner.sendError(status, message);
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    inner.sendRedirect(location);
  }

  @Override
  public void setHeader(String name, String value) {
    inner.setHeader(name, value);
  }

  @Override
  public void addHeader(String name, String value) {
    inner.addHeader(name, value);
  }

  @Override
  public void setIntHeader(String name, int value) {
    inner.setIntHeader(name, value);
  }

  @Override
  public String getHeader(String name) {
    return inner.getHeader(name);
  }
}
