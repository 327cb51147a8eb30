package io.appwarden.session;

/** Messages of a session (protocol.md). Times in Unix seconds of the server's clock; paths without query, as in the request line. */
public final class Messages {
  private static final int TEXT_AT = 48;
  static final int OVERHEAD = TEXT_AT + Session.TAG;

  private Messages() {}

  public static byte[] sealRequest(
      Session session, byte[] plaintext, String method, String path, int sequence, long time, byte[] iv) {
    byte[] sealed = seal(session, Session.REQUEST, session.encryptRequest, plaintext, sequence, time, iv);
    return Bytes.concat(sealed, requestTag(session, method, path, sealed));
  }

  public static byte[] sealResponse(
      Session session, byte[] plaintext, int status, int sequence, long time, byte[] iv) {
    byte[] sealed = seal(session, Session.RESPONSE, session.encryptResponse, plaintext, sequence, time, iv);
    return Bytes.concat(sealed, responseTag(session, status, sealed));
  }

  /** The session that a request claims to belong to. */
  public static byte[] sessionIdOf(byte[] message) throws Refusal {
    checkShape(message, Session.REQUEST);
    return Bytes.slice(message, 4, 20);
  }

  /** A message whose body is empty, as a header. Null for anything but canonical base64url. */
  public static byte[] fromHeader(String text) {
    return Bytes.fromBase64url(text);
  }

  public static String toHeader(byte[] message) {
    return Bytes.toBase64url(message);
  }

  public static final class Opened {
    public final byte[] plaintext;
    public final int sequence;

    private Opened(byte[] plaintext, int sequence) {
      this.plaintext = plaintext;
      this.sequence = sequence;
    }
  }

  /** Who opens a request has to claim its sequence number before acting on it. */
  public static Opened openRequest(Session session, byte[] message, String method, String path, long now)
      throws Refusal {
    checkShape(message, Session.REQUEST);
    if (!Bytes.same(Bytes.slice(message, 4, 20), session.id)) throw new Refusal(Refusal.Reason.SESSION_UNKNOWN);
    if (now >= session.expires) throw new Refusal(Refusal.Reason.SESSION_EXPIRED);
    byte[] sealed = Bytes.slice(message, 0, message.length - Session.TAG);
    byte[] tag = Bytes.slice(message, message.length - Session.TAG, message.length);
    if (Bytes.utf8(path).length > 0xffff || !Bytes.same(tag, requestTag(session, method, path, sealed)))
      throw new Refusal(Refusal.Reason.TAG);
    long time = Bytes.readUint(message, 24, 8);
    if (time < now - Session.CLOCK_WINDOW || time > now + Session.CLOCK_WINDOW) throw new Refusal(Refusal.Reason.CLOCK);
    int sequence = sequenceOf(message);
    return new Opened(decrypted(session.encryptRequest, sealed), sequence);
  }

  /** The plaintext of the response to the request with this number. */
  public static byte[] openResponse(Session session, byte[] message, int status, int sequence) throws Refusal {
    checkShape(message, Session.RESPONSE);
    byte[] sealed = Bytes.slice(message, 0, message.length - Session.TAG);
    byte[] tag = Bytes.slice(message, message.length - Session.TAG, message.length);
    if (!Bytes.same(Bytes.slice(message, 4, 20), session.id)) throw new Refusal(Refusal.Reason.SESSION_UNKNOWN);
    if (!Bytes.same(tag, responseTag(session, status, sealed))) throw new Refusal(Refusal.Reason.TAG);
    if (sequenceOf(message) != sequence) throw new Refusal(Refusal.Reason.SEQUENCE);
    return decrypted(session.encryptResponse, sealed);
  }

  private static byte[] seal(
      Session session, int kind, byte[] key, byte[] plaintext, int sequence, long time, byte[] iv) {
    if (sequence < 1 || sequence > Session.MAX_SEQUENCE)
      throw new IllegalArgumentException("session: no sequence number is left");
    if (plaintext.length > Session.MAX_PLAINTEXT)
      throw new IllegalArgumentException("session: the plaintext is too long");
    byte[] head = Bytes.concat(Session.head(kind), session.id, Bytes.uint(sequence, 4), Bytes.uint(time, 8), iv);
    return Bytes.concat(head, Gm.encrypt(key, iv, plaintext));
  }

  private static byte[] decrypted(byte[] key, byte[] sealed) throws Refusal {
    byte[] iv = Bytes.slice(sealed, 32, TEXT_AT);
    byte[] plaintext = Gm.decrypt(key, iv, Bytes.slice(sealed, TEXT_AT, sealed.length));
    if (plaintext == null) throw new Refusal(Refusal.Reason.TAG);
    return plaintext;
  }

  private static void checkShape(byte[] message, int kind) throws Refusal {
    int text = message.length - OVERHEAD;
    if (text < 16 || text % 16 != 0 || text > Session.MAX_PLAINTEXT + 16) throw new Refusal(Refusal.Reason.MALFORMED);
    if (!Session.hasHead(message, kind)) throw new Refusal(Refusal.Reason.VERSION);
  }

  private static int sequenceOf(byte[] message) throws Refusal {
    long sequence = Bytes.readUint(message, 20, 4);
    if (sequence < 1 || sequence > Session.MAX_SEQUENCE) throw new Refusal(Refusal.Reason.SEQUENCE);
    return (int) sequence;
  }

  private static byte[] requestTag(Session session, String method, String path, byte[] sealed) {
    return Gm.hmac(session.macRequest, Bytes.utf8("req"), Bytes.counted(method), Bytes.counted(path), sealed);
  }

  private static byte[] responseTag(Session session, int status, byte[] sealed) {
    return Gm.hmac(session.macResponse, Bytes.utf8("rsp"), Bytes.uint(status, 2), sealed);
  }
}
