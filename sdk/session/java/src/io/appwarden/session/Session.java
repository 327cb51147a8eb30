package io.appwarden.session;

/** What both sides keep of a handshake (protocol.md). Times in Unix seconds of the server's clock. */
public final class Session {
  static final int HELLO = 1;
  static final int ANSWER = 2;
  static final int REQUEST = 3;
  static final int RESPONSE = 4;
  static final int TAG = 32;
  public static final int MAX_LIFETIME = 1800;
  public static final int CLOCK_WINDOW = 60;
  public static final int MAX_SEQUENCE = 0xffffff;
  public static final int MAX_PLAINTEXT = 8 * 1024 * 1024;

  final byte[] id;
  public final long keyId;
  public final long created;
  public final long expires;
  final byte[] encryptRequest;
  final byte[] macRequest;
  final byte[] encryptResponse;
  final byte[] macResponse;

  /** `keys` begin with the 96 bytes of the four keys. */
  Session(byte[] id, long keyId, long created, long expires, byte[] keys) {
    this.id = id;
    this.keyId = keyId;
    this.created = created;
    this.expires = expires;
    this.encryptRequest = Bytes.slice(keys, 0, 16);
    this.macRequest = Bytes.slice(keys, 16, 48);
    this.encryptResponse = Bytes.slice(keys, 48, 64);
    this.macResponse = Bytes.slice(keys, 64, 96);
  }

  public byte[] id() {
    return id.clone();
  }

  static byte[] head(int kind) {
    return new byte[] {1, 3, (byte) kind, 0};
  }

  static boolean hasHead(byte[] bytes, int kind) {
    return bytes.length >= 4 && Bytes.same(Bytes.slice(bytes, 0, 4), head(kind));
  }
}
