package io.appwarden.session;

import java.io.IOException;
import java.util.Map;

/** HTTP. It must not follow redirects, nor send a request a second time by itself. */
public interface Transport {
  final class Reply {
    public final int status;
    /** Names in lower case. */
    public final Map<String, String> headers;
    public final byte[] body;

    public Reply(int status, Map<String, String> headers, byte[] body) {
      this.status = status;
      this.headers = headers;
      this.body = body;
    }
  }

  /** `body` is null for none. */
  Reply send(String method, String url, Map<String, String> headers, byte[] body) throws IOException;
}
