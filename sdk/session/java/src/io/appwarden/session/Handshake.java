package io.appwarden.session;

import java.math.BigInteger;

/** The handshake of protocol.md: an SM2 key exchange in which the server proves that it holds the private key. */
public final class Handshake {
  public static final int HELLO_BYTES = 162;
  static final int ANSWER_BYTES = 159;
  private static final int PROOF_AT = 95;
  private static final String CLIENT_ID = "AW-ENV1-03-client";
  private static final byte[] INFO = Bytes.utf8("AW-ENV1-03");

  private Handshake() {}

  /** What the client keeps between hello and answer, for one answer. */
  public static final class Pending {
    public final byte[] hello;
    private final long keyId;
    private final byte[] publicKey;
    private final Sm2.Pair pair;
    private final Sm2.Pair ephemeral;

    private Pending(byte[] hello, long keyId, byte[] publicKey, Sm2.Pair pair, Sm2.Pair ephemeral) {
      this.hello = hello;
      this.keyId = keyId;
      this.publicKey = publicKey;
      this.pair = pair;
      this.ephemeral = ephemeral;
    }
  }

  /** `now` in Unix seconds. */
  public static Pending start(long keyId, byte[] publicKey, long now, RandomSource random) {
    Sm2.Pair pair = Sm2.newPair(random);
    Sm2.Pair ephemeral = Sm2.newPair(random);
    byte[] head = Bytes.concat(Session.head(Session.HELLO), Bytes.uint(keyId, 4), Bytes.uint(now, 8));
    byte[] hello = Bytes.concat(head, random.next(16), pair.publicKey, ephemeral.publicKey);
    return new Pending(hello, keyId, publicKey, pair, ephemeral);
  }

  /** Throws Refusal for anything but the answer of the server that holds the private key. */
  public static Session finish(Pending pending, byte[] answer) throws Refusal {
    if (answer.length != ANSWER_BYTES) throw new Refusal(Refusal.Reason.MALFORMED);
    if (!Session.hasHead(answer, Session.ANSWER)) throw new Refusal(Refusal.Reason.VERSION);
    byte[] offer = Bytes.slice(answer, 0, PROOF_AT);
    byte[] serverEphemeral = Bytes.slice(answer, 30, PROOF_AT);
    Sm2.Exchanged exchanged =
        Sm2.exchange(
            true,
            CLIENT_ID,
            pending.pair,
            pending.ephemeral,
            serverId(pending.keyId),
            pending.publicKey,
            serverEphemeral);
    if (exchanged == null) throw new Refusal(Refusal.Reason.POINT);
    byte[] keys = keys(exchanged.key, pending.hello, offer);
    byte[] proven = Bytes.slice(answer, 0, ANSWER_BYTES - Session.TAG);
    boolean proofHolds = Bytes.same(Bytes.slice(answer, PROOF_AT, ANSWER_BYTES - Session.TAG), exchanged.responderProof);
    byte[] tag = Bytes.slice(answer, ANSWER_BYTES - Session.TAG, ANSWER_BYTES);
    boolean tagHolds = Bytes.same(tag, tag(keys, pending.hello, proven));
    long created = Bytes.readUint(answer, 20, 8);
    long lifetime = Bytes.readUint(answer, 28, 2);
    if (!proofHolds || !tagHolds || lifetime == 0 || lifetime > Session.MAX_LIFETIME)
      throw new Refusal(Refusal.Reason.NOT_CONFIRMED);
    return new Session(Bytes.slice(answer, 4, 20), pending.keyId, created, created + lifetime, keys);
  }

  /** The private key of a server with its number. */
  public static final class ServerKey {
    final long keyId;
    final Sm2.Pair pair;

    /** 32 bytes. Throws IllegalArgumentException for a key that is out of range. */
    public ServerKey(long keyId, byte[] privateKey) {
      BigInteger value = new BigInteger(1, privateKey);
      if (privateKey.length != 32 || value.signum() == 0 || value.compareTo(Sm2.N.subtract(BigInteger.ONE)) >= 0)
        throw new IllegalArgumentException("session: private key");
      this.keyId = keyId;
      this.pair = new Sm2.Pair(value);
    }

    public byte[] publicKey() {
      return pair.publicKey.clone();
    }
  }

  public static final class Answered {
    public final byte[] answer;
    public final Session session;

    private Answered(byte[] answer, Session session) {
      this.answer = answer;
      this.session = session;
    }
  }

  /** The key id of a hello of the right form and time. */
  public static long keyIdOf(byte[] hello, long now) throws Refusal {
    if (hello.length != HELLO_BYTES) throw new Refusal(Refusal.Reason.MALFORMED);
    if (!Session.hasHead(hello, Session.HELLO)) throw new Refusal(Refusal.Reason.VERSION);
    long time = Bytes.readUint(hello, 8, 8);
    if (time < now - Session.CLOCK_WINDOW || time > now + Session.CLOCK_WINDOW) throw new Refusal(Refusal.Reason.CLOCK);
    return Bytes.readUint(hello, 4, 4);
  }

  /** `key` is the one of keyIdOf. The session has to be stored before the answer is sent. */
  public static Answered answer(
      byte[] hello, ServerKey key, SessionStore store, long now, int lifetime, RandomSource random) throws Refusal {
    if (keyIdOf(hello, now) != key.keyId) throw new Refusal(Refusal.Reason.KEY_UNKNOWN);
    byte[] client = Bytes.slice(hello, 32, 97);
    byte[] clientEphemeral = Bytes.slice(hello, 97, 162);
    if (!Sm2.isPoint(client) || !Sm2.isPoint(clientEphemeral)) throw new Refusal(Refusal.Reason.POINT);
    if (!store.claimHello(Gm.sm3(hello), now + 2 * Session.CLOCK_WINDOW + 1))
      throw new Refusal(Refusal.Reason.HELLO_REPLAYED);
    Sm2.Pair ephemeral = Sm2.newPair(random);
    Sm2.Exchanged exchanged =
        Sm2.exchange(false, serverId(key.keyId), key.pair, ephemeral, CLIENT_ID, client, clientEphemeral);
    if (exchanged == null) throw new Refusal(Refusal.Reason.POINT);
    int seconds = Math.max(1, Math.min(Session.MAX_LIFETIME, lifetime));
    byte[] id = random.next(16);
    byte[] times = Bytes.concat(Bytes.uint(now, 8), Bytes.uint(seconds, 2));
    byte[] offer = Bytes.concat(Session.head(Session.ANSWER), id, times, ephemeral.publicKey);
    byte[] keys = keys(exchanged.key, hello, offer);
    byte[] proven = Bytes.concat(offer, exchanged.responderProof);
    byte[] answer = Bytes.concat(proven, tag(keys, hello, proven));
    return new Answered(answer, new Session(id, key.keyId, now, now + seconds, keys));
  }

  private static byte[] keys(byte[] exchanged, byte[] hello, byte[] offer) {
    return Gm.hkdf(exchanged, Gm.sm3(hello, offer), INFO, 128);
  }

  private static byte[] tag(byte[] keys, byte[] hello, byte[] proven) {
    return Gm.hmac(Bytes.slice(keys, 96, 128), Bytes.utf8("ans"), hello, proven);
  }

  private static String serverId(long keyId) {
    String hex = Long.toHexString(keyId);
    return "AW-ENV1-03-server-" + "00000000".substring(hex.length()) + hex;
  }
}
