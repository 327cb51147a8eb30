package io.appwarden.session;

import java.io.IOException;
import java.net.URI;
import java.util.Collections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The client for Android 5.0 (API 21) and later, and for any JVM from 8 on: sessions are made, renewed and ended by themselves. It may be used by
 * several threads; calls block, so that an app makes them on a worker thread.
 */
public final class SecureClient {
  public static final String VERSION = "1.0.0";
  /** Seconds before the end of a session at which a request makes a new one. */
  private static final int RENEW_BEFORE = 30;
  private static final Pattern WORDS =
      Pattern.compile("\\{\"error\":\"(refused|unknown_key|clock)\"(?:,\"server_time\":(\\d{1,12}))?\\}");

  /** The public key of the server: part of the app, or from a place that the app trusts. */
  public static final class ServerKey {
    final long keyId;
    final byte[] publicKey;

    /** 65 bytes as base64url without padding. Throws IllegalArgumentException. */
    public ServerKey(long keyId, String publicKey) {
      byte[] bytes = Bytes.fromBase64url(publicKey);
      if (bytes == null || !Sm2.isPoint(bytes) || keyId < 1 || keyId > 0xffffffffL)
        throw new IllegalArgumentException("session: key id or public key");
      this.keyId = keyId;
      this.publicKey = bytes;
    }
  }

  /** Asked where the server no longer knows the key; null if there is no other. */
  public interface KeySource {
    ServerKey reload() throws IOException;
  }

  public static final class Response {
    public final int status;
    public final String contentType;
    public final byte[] body;
    /** Names in lower case. They are not protected. */
    public final Map<String, String> headers;

    Response(int status, String contentType, byte[] body, Map<String, String> headers) {
      this.status = status;
      this.contentType = contentType;
      this.body = body;
      this.headers = headers;
    }
  }

  private static final class Live {
    final Session session;
    int sequence = 1;

    Live(Session session) {
      this.session = session;
    }
  }

  private final String origin;
  private final KeySource keys;
  private final Transport transport;
  private final Clock clock;
  private final RandomSource random;
  private final Object starting = new Object();
  private ServerKey key;
  /** Server's clock minus ours, milliseconds. */
  private long offset;
  private Live live;

  public SecureClient(String origin, ServerKey key, KeySource keys) {
    this(origin, key, keys, new UrlTransport(), Clock.SYSTEM, RandomSource.SECURE);
  }

  /** `keys` may be null. */
  public SecureClient(
      String origin, ServerKey key, KeySource keys, Transport transport, Clock clock, RandomSource random) {
    this.origin = origin.replaceAll("/+$", "");
    this.key = key;
    this.keys = keys;
    this.transport = transport;
    this.clock = clock;
    this.random = random;
  }

  public Response get(String path) throws SecureException {
    return request("GET", path, "", new byte[0], Collections.<String, String>emptyMap());
  }

  public Response post(String path, String contentType, byte[] body) throws SecureException {
    return request("POST", path, contentType, body, Collections.<String, String>emptyMap());
  }

  /** GET and HEAD are sent again by themselves after a refusal, others are not. */
  public Response request(String method, String path, String contentType, byte[] body, Map<String, String> headers)
      throws SecureException {
    return request(method, path, contentType, body, headers, isSafe(method));
  }

  /**
   * `path` as it is written in a URL: percent-encoded, with its query. `repeatable`: executing it twice is harmless. Throws
   * IllegalArgumentException for what cannot be sealed.
   */
  public Response request(
      String method, String path, String contentType, byte[] body, Map<String, String> headers, boolean repeatable)
      throws SecureException {
    for (int attempt = 0; ; attempt++) {
      Live used = session();
      try {
        return exchange(used, method, path, contentType, body, headers);
      } catch (SecureException error) {
        if (error.code == SecureException.Code.PLAIN || error.code == SecureException.Code.UNREACHABLE) throw error;
        // Whatever the server has against this session, the next one begins without it.
        drop(used);
        if (attempt > 0 || !repeatable || error.code == SecureException.Code.FORGED) throw error;
      }
    }
  }

  /** Ends the session; the next request makes a new one. */
  public synchronized void end() {
    live = null;
  }

  private synchronized void drop(Live used) {
    if (live == used) live = null;
  }

  private Response exchange(
      Live used, String method, String path, String contentType, byte[] body, Map<String, String> headers)
      throws SecureException {
    URI url = urlOf(path);
    String query = url.getRawQuery() == null ? "" : url.getRawQuery();
    byte[] plaintext = new HttpBody(contentType, query, body).ofRequest();
    boolean inHeader = isSafe(method);
    if (inHeader && body.length > 0) throw new IllegalArgumentException("session: a body with GET or HEAD");
    int sequence;
    synchronized (this) {
      sequence = used.sequence++;
    }
    String rawPath = url.getRawPath().isEmpty() ? "/" : url.getRawPath();
    byte[] message =
        Messages.sealRequest(used.session, plaintext, method, rawPath, sequence, seconds(), random.next(16));
    Map<String, String> sent = new HashMap<>(headers);
    if (inHeader) sent.put(HttpBody.MESSAGE_HEADER, Bytes.toBase64url(message));
    else sent.put("content-type", HttpBody.MEDIA_TYPE);
    String target = url.getScheme() + "://" + url.getRawAuthority() + rawPath;
    Transport.Reply reply = send(method, target, sent, inHeader ? null : message);
    byte[] sealed = messageOf(reply);
    if (sealed == null) throw refusalOf(reply);
    try {
      byte[] opened = Messages.openResponse(used.session, sealed, reply.status, sequence);
      HttpBody inner = HttpBody.readResponse(opened);
      if (inner == null) throw new Refusal(Refusal.Reason.BODY);
      return new Response(reply.status, inner.contentType, inner.body, reply.headers);
    } catch (Refusal error) {
      throw new SecureException(SecureException.Code.FORGED, reply.status, error);
    }
  }

  private Live session() throws SecureException {
    Live usable = usable();
    if (usable != null) return usable;
    // One handshake at a time; who waited for it uses its session.
    synchronized (starting) {
      usable = usable();
      return usable != null ? usable : start();
    }
  }

  private synchronized Live usable() {
    boolean fits =
        live != null && live.sequence <= Session.MAX_SEQUENCE && seconds() < live.session.expires - RENEW_BEFORE;
    return fits ? live : null;
  }

  private Live start() throws SecureException {
    boolean corrected = false;
    boolean reloaded = false;
    for (; ; ) {
      try {
        Live made = new Live(handshake());
        synchronized (this) {
          live = made;
        }
        return made;
      } catch (SecureException error) {
        if (error.code == SecureException.Code.CLOCK && !corrected) {
          corrected = true;
          continue;
        }
        if (error.code != SecureException.Code.UNKNOWN_KEY || reloaded || keys == null) throw error;
        reloaded = true;
        ServerKey next = reload();
        if (next == null) throw error;
        synchronized (this) {
          key = next;
        }
      }
    }
  }

  private ServerKey reload() throws SecureException {
    try {
      return keys.reload();
    } catch (IOException error) {
      throw new SecureException(SecureException.Code.UNREACHABLE, 0, error);
    }
  }

  private Session handshake() throws SecureException {
    ServerKey used;
    synchronized (this) {
      used = key;
    }
    Handshake.Pending pending = Handshake.start(used.keyId, used.publicKey, seconds(), random);
    Map<String, String> headers = new HashMap<>();
    headers.put("content-type", HttpBody.MEDIA_TYPE);
    headers.put(HttpBody.SDK_HEADER, "android/" + VERSION);
    Transport.Reply reply = send("POST", origin + HttpBody.HANDSHAKE_PATH, headers, pending.hello);
    if (reply.status != 200) {
      Matcher words = wordsOf(reply);
      if (reply.status == 400 && words != null && words.group(2) != null) correct(Long.parseLong(words.group(2)));
      throw refusalOf(reply);
    }
    try {
      Session session = Handshake.finish(pending, reply.body);
      correct(session.created);
      return session;
    } catch (Refusal error) {
      throw new SecureException(SecureException.Code.FORGED, reply.status, error);
    }
  }

  private Transport.Reply send(String method, String url, Map<String, String> headers, byte[] body)
      throws SecureException {
    try {
      return transport.send(method, url, headers, body);
    } catch (IOException error) {
      throw new SecureException(SecureException.Code.UNREACHABLE, 0, error);
    } catch (SecurityException error) {
      // An Android app without the permission to use the network.
      throw new SecureException(SecureException.Code.UNREACHABLE, 0, error);
    }
  }

  private synchronized void correct(long serverSeconds) {
    offset = serverSeconds * 1000 - clock.millis();
  }

  /** Of the server's clock. */
  private synchronized long seconds() {
    long millis = clock.millis() + offset;
    return millis >= 0 ? millis / 1000 : 0;
  }

  private URI urlOf(String path) {
    return URI.create(origin + (path.startsWith("/") ? path : "/" + path));
  }

  private static boolean isSafe(String method) {
    return method.equals("GET") || method.equals("HEAD");
  }

  private static byte[] messageOf(Transport.Reply reply) {
    String text = reply.headers.get(HttpBody.MESSAGE_HEADER);
    if (text != null) return Bytes.fromBase64url(text);
    String type = reply.headers.get("content-type");
    return type != null && type.toLowerCase(Locale.ROOT).equals(HttpBody.MEDIA_TYPE) ? reply.body : null;
  }

  private static SecureException refusalOf(Transport.Reply reply) {
    Matcher words = wordsOf(reply);
    String error = words == null ? "" : words.group(1);
    SecureException.Code code = SecureException.Code.PLAIN;
    if (reply.status == 400 && error.equals("refused")) code = SecureException.Code.REFUSED;
    if (reply.status == 400 && error.equals("clock")) code = SecureException.Code.CLOCK;
    if (reply.status == 409 && error.equals("unknown_key")) code = SecureException.Code.UNKNOWN_KEY;
    return new SecureException(code, reply.status, null);
  }

  private static Matcher wordsOf(Transport.Reply reply) {
    String text = reply.body.length > 200 ? null : Bytes.text(reply.body);
    Matcher words = text == null ? null : WORDS.matcher(text);
    return words != null && words.matches() ? words : null;
  }
}
