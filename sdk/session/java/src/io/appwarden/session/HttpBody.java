package io.appwarden.session;

/** The plaintext of a message over HTTP: media type, for a request the query, body (protocol.md, HTTP). */
public final class HttpBody {
  public static final String HANDSHAKE_PATH = "/.well-known/appwarden-session";
  public static final String MEDIA_TYPE = "application/vnd.appwarden.session";
  public static final String MESSAGE_HEADER = "aw-message";
  public static final String SDK_HEADER = "aw-sdk";

  public final String contentType;
  /** '' for a response. */
  public final String query;
  public final byte[] body;

  public HttpBody(String contentType, String query, byte[] body) {
    this.contentType = contentType;
    this.query = query;
    this.body = body;
  }

  /** Throws IllegalArgumentException for a media type or query that has other characters than the protocol allows. */
  public byte[] ofRequest() {
    return Bytes.concat(counted(contentType, true), counted(query, false), body);
  }

  public byte[] ofResponse() {
    return Bytes.concat(counted(contentType, true), body);
  }

  /** Null for anything that ofRequest does not write. */
  public static HttpBody readRequest(byte[] plaintext) {
    String contentType = read(plaintext, 0, true);
    if (contentType == null) return null;
    int at = 2 + contentType.length();
    String query = read(plaintext, at, false);
    if (query == null) return null;
    return new HttpBody(contentType, query, Bytes.slice(plaintext, at + 2 + query.length(), plaintext.length));
  }

  /** Null for anything that ofResponse does not write. */
  public static HttpBody readResponse(byte[] plaintext) {
    String contentType = read(plaintext, 0, true);
    if (contentType == null) return null;
    return new HttpBody(contentType, "", Bytes.slice(plaintext, 2 + contentType.length(), plaintext.length));
  }

  private static byte[] counted(String text, boolean isMediaType) {
    if (!isAllowed(text, isMediaType)) throw new IllegalArgumentException("session: media type or query");
    return Bytes.counted(text);
  }

  private static String read(byte[] bytes, int at, boolean isMediaType) {
    if (bytes.length < at + 2) return null;
    int end = at + 2 + (int) Bytes.readUint(bytes, at, 2);
    if (bytes.length < end) return null;
    StringBuilder text = new StringBuilder();
    for (int i = at + 2; i < end; i++) text.append((char) (bytes[i] & 255));
    return isAllowed(text, isMediaType) ? text.toString() : null;
  }

  private static boolean isAllowed(CharSequence text, boolean isMediaType) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c < ' ' || c > '~' || !isMediaType && (c == ' ' || c == '#')) return false;
    }
    return true;
  }
}
