package io.appwarden.sdk.core;

import java.nio.charset.Charset;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.MessageDigest;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.spec.X509EncodedKeySpec;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Hashes, keys and signatures as the collector's protocol writes them. */
public final class Signing {
  static final Charset UTF8 = Charset.forName("UTF-8");
  private static final char[] ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".toCharArray();
  private static final SecureRandom RANDOM = new SecureRandom();

  private Signing() {}

  public static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  public static String hex(byte[] bytes) {
    StringBuilder out = new StringBuilder(bytes.length * 2);
    for (byte one : bytes) out.append(Character.forDigit((one >> 4) & 15, 16)).append(Character.forDigit(one & 15, 16));
    return out.toString();
  }

  /** Without padding. java.util.Base64 came with Android 8. */
  public static String base64url(byte[] bytes) {
    StringBuilder out = new StringBuilder();
    for (int i = 0; i < bytes.length; i += 3) {
      int left = bytes.length - i;
      int word = (bytes[i] & 255) << 16 | (left > 1 ? (bytes[i + 1] & 255) << 8 : 0) | (left > 2 ? bytes[i + 2] & 255 : 0);
      for (int n = 0; n < Math.min(left, 3) + 1; n++) out.append(ALPHABET[(word >> (18 - 6 * n)) & 63]);
    }
    return out.toString();
  }

  /** Throws IllegalArgumentException for a malformed key. */
  public static byte[] fromBase64url(String text) {
    byte[] out = new byte[text.length() * 3 / 4];
    int word = 0;
    int bits = 0;
    int at = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      int value = c >= 'A' && c <= 'Z' ? c - 'A' : c >= 'a' && c <= 'z' ? c - 'a' + 26 : c >= '0' && c <= '9' ? c - '0' + 52 : c == '-' ? 62 : c == '_' ? 63 : -1;
      if (value < 0) throw new IllegalArgumentException("not base64url");
      word = (word << 6 | value) & 0xffffff;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        out[at++] = (byte) (word >> bits);
      }
    }
    return out;
  }

  /** The value of the signature header. `tstamp`: Unix seconds. */
  static String sign(String deviceKey, String method, String target, long tstamp, byte[] body) {
    byte[] bytes = new byte[16];
    RANDOM.nextBytes(bytes);
    String nonce = base64url(bytes);
    String text = "AW2\n" + method + "\n" + target + "\n" + tstamp + "\n" + nonce + "\n" + base64url(sha256(body));
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(fromBase64url(deviceKey), "HmacSHA256"));
      return "2." + nonce + "." + base64url(mac.doFinal(text.getBytes(UTF8)));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }

  /** Whether the installation signed these bytes. False for a malformed key or signature. */
  static boolean isSigned(String policyKey, byte[] bytes, String signed) {
    try {
      byte[] raw = fromBase64url(signed);
      if (raw.length != 64) return false;
      PublicKey key = KeyFactory.getInstance("EC").generatePublic(new X509EncodedKeySpec(fromBase64url(policyKey)));
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initVerify(key);
      signature.update(bytes);
      return signature.verify(der(raw));
    } catch (GeneralSecurityException | IllegalArgumentException error) {
      return false;
    }
  }

  /** r and s as the sequence of two integers that Java verifies. */
  private static byte[] der(byte[] raw) {
    byte[] r = integer(raw, 0);
    byte[] s = integer(raw, 32);
    byte[] out = new byte[2 + r.length + s.length];
    out[0] = 0x30;
    out[1] = (byte) (r.length + s.length);
    System.arraycopy(r, 0, out, 2, r.length);
    System.arraycopy(s, 0, out, 2 + r.length, s.length);
    return out;
  }

  private static byte[] integer(byte[] raw, int from) {
    int start = from;
    while (start < from + 31 && raw[start] == 0) start++;
    int pad = raw[start] < 0 ? 1 : 0;
    int length = from + 32 - start + pad;
    byte[] out = new byte[2 + length];
    out[0] = 2;
    out[1] = (byte) length;
    System.arraycopy(raw, start, out, 2 + pad, length - pad);
    return out;
  }

  /** A nonce with which the SHA-256 of prefix and nonce begins with `bits` zero bits. */
  static String proofOfWork(String prefix, int bits) {
    try {
      MessageDigest start = MessageDigest.getInstance("SHA-256");
      start.update(prefix.getBytes(UTF8));
      for (int tries = 0; ; tries++) {
        String nonce = Integer.toString(tries, 36);
        MessageDigest digest = (MessageDigest) start.clone();
        byte[] hash = digest.digest(nonce.getBytes(UTF8));
        int head = (hash[0] & 255) << 24 | (hash[1] & 255) << 16 | (hash[2] & 255) << 8 | (hash[3] & 255);
        if (head >>> (32 - bits) == 0) return nonce;
      }
    } catch (GeneralSecurityException | CloneNotSupportedException error) {
      throw new IllegalStateException(error);
    }
  }
}
