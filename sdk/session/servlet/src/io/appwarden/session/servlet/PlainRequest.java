package io.appwarden.session.servlet;

import io.appwarden.session.HttpBody;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.net.URLDecoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** A request with the media type, query and body of its message. Parameters are those of the query and of a form, in UTF-8. */
final class PlainRequest extends HttpServletRequestWrapper {
  private static final String FORM = "application/x-www-form-urlencoded";
  /** Headers that say something about the message, or that a sealed response cannot follow. */
  private static final List<String> HIDDEN =
      Arrays.asList(
          HttpBody.MESSAGE_HEADER, "content-encoding", "transfer-encoding", "accept-encoding", "range");
  private final HttpBody inner;
  private final ByteArrayInputStream bytes;
  private final Map<String, String[]> parameters = new LinkedHashMap<>();

  PlainRequest(HttpServletRequest request, HttpBody inner) {
    super(request);
    this.inner = inner;
    this.bytes = new ByteArrayInputStream(inner.body);
    addParameters(inner.query);
    if (inner.contentType.toLowerCase(Locale.ROOT).startsWith(FORM))
      addParameters(new String(inner.body, StandardCharsets.UTF_8));
  }

  private void addParameters(String text) {
    for (String pair : text.split("&")) {
      if (pair.isEmpty()) continue;
      int sign = pair.indexOf('=');
      String name = decoded(sign < 0 ? pair : pair.substring(0, sign));
      String value = sign < 0 ? "" : decoded(pair.substring(sign + 1));
      String[] before = parameters.get(name);
      String[] after = before == null ? new String[1] : Arrays.copyOf(before, before.length + 1);
      after[after.length - 1] = value;
      parameters.put(name, after);
    }
  }

  private static String decoded(String text) {
    try {
      return URLDecoder.decode(text, "UTF-8");
    } catch (UnsupportedEncodingException | IllegalArgumentException error) {
      return text;
    }
  }

  @Override
  public ServletInputStream getInputStream() {
    return new ServletInputStream() {
      @Override
      public int read() {
        return bytes.read();
      }

      @Override
      public int read(byte[] into, int from, int length) {
        return bytes.read(into, from, length);
      }

      @Override
      public boolean isFinished() {
        return bytes.available() == 0;
      }

      @Override
      public boolean isReady() {
        return true;
      }

      @Override
      public void setReadListener(ReadListener listener) {
        throw new IllegalStateException("no asynchronous processing");
      }
    };
  }

  @Override
  public BufferedReader getReader() {
    return new BufferedReader(new InputStreamReader(bytes, charset()));
  }

  private Charset charset() {
    int at = inner.contentType.toLowerCase(Locale.ROOT).indexOf("charset=");
    if (at < 0) return StandardCharsets.UTF_8;
    try {
      return Charset.forName(inner.contentType.substring(at + 8).split(";")[0].replace("\"", "").trim());
    } catch (IllegalArgumentException error) {
      return StandardCharsets.UTF_8;
    }
  }

  @Override
  public String getCharacterEncoding() {
    return charset().name();
  }

  @Override
  public String getContentType() {
    return inner.contentType.isEmpty() ? null : inner.contentType;
  }

  @Override
  public int getContentLength() {
    return inner.body.length;
  }

  @Override
  public long getContentLengthLong() {
    return inner.body.length;
  }

  @Override
  public String getQueryString() {
    return inner.query.isEmpty() ? null : inner.query;
  }

  @Override
  public String getParameter(String name) {
    String[] values = parameters.get(name);
    return values == null ? null : values[0];
  }

  @Override
  public String[] getParameterValues(String name) {
    String[] values = parameters.get(name);
    return values == null ? null : values.clone();
  }

  @Override
  public Map<String, String[]> getParameterMap() {
    return Collections.unmodifiableMap(parameters);
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(parameters.keySet());
  }

  @Override
  public String getHeader(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (lower.equals("content-type")) return getContentType();
    if (lower.equals("content-length")) return String.valueOf(inner.body.length);
    return HIDDEN.contains(lower) ? null : super.getHeader(name);
  }

  @Override
  public int getIntHeader(String name) {
    return name.equalsIgnoreCase("content-length") ? inner.body.length : super.getIntHeader(name);
  }

  @Override
  public Enumeration<String> getHeaders(String name) {
    String lower = name.toLowerCase(Locale.ROOT);
    if (!HIDDEN.contains(lower) && !lower.startsWith("content-")) return super.getHeaders(name);
    String value = getHeader(name);
    return Collections.enumeration(
        value == null ? Collections.<String>emptyList() : Collections.singletonList(value));
  }

  @Override
  public Enumeration<String> getHeaderNames() {
    List<String> names = new ArrayList<>();
    for (String name : Collections.list(super.getHeaderNames()))
      if (!HIDDEN.contains(name.toLowerCase(Locale.ROOT)) && getHeader(name) != null) names.add(name);
    return Collections.enumeration(names);
  }
}
