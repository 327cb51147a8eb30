package io.appwarden.sdk.core;

import java.util.Map;

/** The way to the collector. */
public interface Transport {
  /** Never throws: status 0 means no answer. `body` is null for a GET. */
  Reply send(String method, String path, Map<String, String> headers, byte[] body);

  final class Reply {
    public final int status;
    public final byte[] body;
    private final Map<String, String> headers;

    /** Names of headers in lower case. */
    public Reply(int status, Map<String, String> headers, byte[] body) {
      this.status = status;
      this.headers = headers;
      this.body = body;
    }

    /** '' where absent. */
    public String header(String name) {
      String value = headers.get(name);
      return value == null ? "" : value;
    }
  }
}
