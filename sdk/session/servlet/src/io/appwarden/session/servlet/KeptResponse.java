package io.appwarden.session.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;
import java.util.Locale;

/** Keeps status, media type and body of a response until it is sealed. Other headers go to the response at once. */
final class KeptResponse extends HttpServletResponseWrapper {
  private final int limit;
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private boolean isTooMuch;
  private PrintWriter writer;
  private int status = 200;
  private String type;
  private String encoding = "UTF-8";

  KeptResponse(HttpServletResponse response, int limit) {
    super(response);
    this.limit = limit;
  }

  /** Null for more bytes than the limit. */
  byte[] body() {
    if (writer != null) writer.flush();
    return isTooMuch ? null : bytes.toByteArray();
  }

  int status() {
    return status;
  }

  String type() {
    return getContentType();
  }

  private final ServletOutputStream stream =
      new ServletOutputStream() {
        @Override
        public void write(int value) {
          if (bytes.size() >= limit) isTooMuch = true;
          else bytes.write(value);
        }

        @Override
        public void write(byte[] from, int at, int length) {
          if (bytes.size() + length > limit) isTooMuch = true;
          else bytes.write(from, at, length);
        }

        @Override
        public boolean isReady() {
          return true;
        }

        @Override
        public void setWriteListener(WriteListener listener) {
          throw new IllegalStateException("no asynchronous processing");
        }
      };

  @Override
  public ServletOutputStream getOutputStream() {
    return stream;
  }

  @Override
  public PrintWriter getWriter() {
    if (writer == null) writer = new PrintWriter(new OutputStreamWriter(stream, Charset.forName(encoding)));
    return writer;
  }

  @Override
  public void setStatus(int status) {
    this.status = status;
  }

  @Override
  public int getStatus() {
    return status;
  }

  @Override
  public void sendError(int status) {
    resetBuffer();
    this.status = status;
  }

  @Override
  public void sendError(int status, String message) {
    sendError(status);
    setContentType("text/plain;charset=UTF-8");
    getWriter().write(message == null ? "" : message);
  }

  @Override
  public void sendRedirect(String location) {
    sendError(302);
    super.setHeader("location", location);
  }

  @Override
  public void setContentType(String type) {
    this.type = type;
    int at = type == null ? -1 : type.toLowerCase(Locale.ROOT).indexOf("charset=");
    if (at >= 0) encoding = type.substring(at + 8).split(";")[0].replace("\"", "").trim();
  }

  @Override
  public String getContentType() {
    if (type == null || writer == null || type.toLowerCase(Locale.ROOT).contains("charset=")) return type;
    return type + ";charset=" + encoding;
  }

  @Override
  public void setCharacterEncoding(String encoding) {
    this.encoding = encoding;
  }

  @Override
  public String getCharacterEncoding() {
    return encoding;
  }

  @Override
  public void setContentLength(int length) {
    // That of the message is set when it is sealed.
  }

  @Override
  public void setContentLengthLong(long length) {
    // As setContentLength.
  }

  @Override
  public void setHeader(String name, String value) {
    if (name.equalsIgnoreCase("content-type")) setContentType(value);
    else if (!isOfTheBody(name)) super.setHeader(name, value);
  }

  @Override
  public void addHeader(String name, String value) {
    if (name.equalsIgnoreCase("content-type")) setContentType(value);
    else if (!isOfTheBody(name)) super.addHeader(name, value);
  }

  @Override
  public void setIntHeader(String name, int value) {
    if (!isOfTheBody(name)) super.setIntHeader(name, value);
  }

  private static boolean isOfTheBody(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    return lower.equals("content-length") || lower.equals("etag") || lower.equals("accept-ranges");
  }

  @Override
  public void setBufferSize(int size) {
    // Everything is kept.
  }

  @Override
  public int getBufferSize() {
    return limit;
  }

  @Override
  public void flushBuffer() {
    if (writer != null) writer.flush();
  }

  @Override
  public boolean isCommitted() {
    return false;
  }

  @Override
  public void reset() {
    super.reset();
    resetBuffer();
    status = 200;
    type = null;
  }

  @Override
  public void resetBuffer() {
    if (writer != null) writer.flush();
    bytes.reset();
    isTooMuch = false;
  }
}
