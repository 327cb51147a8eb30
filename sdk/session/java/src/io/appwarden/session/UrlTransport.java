package io.appwarden.session;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URL;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** The platform's own client. TLS is verified as the app's network security configuration says. */
public final class UrlTransport implements Transport {
  private static final int TIMEOUT_MS = 20_000;
  private static final int MAX_REPLY = Session.MAX_PLAINTEXT + (1 << 20);

  @Override
  public Reply send(String method, String url, Map<String, String> headers, byte[] body) throws IOException {
    HttpURLConnection connection = (HttpURLConnection) new URL(url).openConnection();
    connection.setRequestMethod(method);
    connection.setConnectTimeout(TIMEOUT_MS);
    connection.setReadTimeout(TIMEOUT_MS);
    connection.setInstanceFollowRedirects(false);
    connection.setUseCaches(false);
    for (Map.Entry<String, String> one : headers.entrySet()) connection.setRequestProperty(one.getKey(), one.getValue());
    if (body != null) {
      connection.setDoOutput(true);
      // With a length that is fixed the platform sends a request once.
      connection.setFixedLengthStreamingMode(body.length);
      try (OutputStream out = connection.getOutputStream()) {
        out.write(body);
      }
    }
    int status = connection.getResponseCode();
    InputStream in = status < 400 ? connection.getInputStream() : connection.getErrorStream();
    return new Reply(status, headersOf(connection), in == null ? new byte[0] : read(in));
  }

  private static Map<String, String> headersOf(HttpURLConnection connection) {
    Map<String, String> found = new HashMap<>();
    for (Map.Entry<String, List<String>> one : connection.getHeaderFields().entrySet())
      if (one.getKey() != null && !one.getValue().isEmpty())
        found.put(one.getKey().toLowerCase(Locale.ROOT), one.getValue().get(0));
    return found;
  }

  private static byte[] read(InputStream in) throws IOException {
    try (InputStream open = in) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      byte[] part = new byte[8192];
      for (int n; (n = open.read(part)) >= 0; ) {
        out.write(part, 0, n);
        if (out.size() > MAX_REPLY) throw new IOException("the reply is too long");
      }
      return out.toByteArray();
    }
  }
}
