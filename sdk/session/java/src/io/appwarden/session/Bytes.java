package io.appwarden.session;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Byte strings as the protocol writes them: numbers are big-endian, base64url is without padding and in its one canonical form. */
final class Bytes {
  private static final String ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

  private Bytes() {}

  static byte[] concat(byte[]... parts) {
    int length = 0;
    for (byte[] part : parts) length += part.length;
    byte[] all = new byte[length];
    int at = 0;
    for (byte[] part : parts) {
      System.arraycopy(part, 0, all, at, part.length);
      at += part.length;
    }
    return all;
  }

  static byte[] slice(byte[] bytes, int from, int to) {
    return Arrays.copyOfRange(bytes, from, to);
  }

  static byte[] uint(long value, int size) {
    byte[] bytes = new byte[size];
    for (int at = size - 1; at >= 0; at--) {
      bytes[at] = (byte) value;
      value >>>= 8;
    }
    return bytes;
  }

  static long readUint(byte[] bytes, int from, int size) {
    long value = 0;
    for (int at = from; at < from + size; at++) value = value << 8 | (bytes[at] & 255);
    return value;
  }

  static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  static byte[] counted(String text) {
    byte[] bytes = utf8(text);
    if (bytes.length > 0xffff) throw new IllegalArgumentException("session: method or path is too long");
    return concat(uint(bytes.length, 2), bytes);
  }

  /** Compares in the same time wherever the difference is. */
  static boolean same(byte[] a, byte[] b) {
    if (a.length != b.length) return false;
    int difference = 0;
    for (int at = 0; at < a.length; at++) difference |= a[at] ^ b[at];
    return difference == 0;
  }

  /** java.util.Base64 came with Android 8. */
  static String toBase64url(byte[] bytes) {
    StringBuilder out = new StringBuilder((bytes.length * 4 + 2) / 3);
    for (int at = 0; at < bytes.length; at += 3) {
      int left = Math.min(3, bytes.length - at);
      int word = (bytes[at] & 255) << 16;
      if (left > 1) word |= (bytes[at + 1] & 255) << 8;
      if (left > 2) word |= bytes[at + 2] & 255;
      for (int n = 0; n <= left; n++) out.append(ALPHABET.charAt(word >> (18 - 6 * n) & 63));
    }
    return out.toString();
  }

  /** Null for anything but the canonical form. */
  static byte[] fromBase64url(String text) {
    if (text.length() % 4 == 1) return null;
    byte[] out = new byte[(int) (text.length() * 3L / 4)];
    int word = 0;
    int bits = 0;
    int at = 0;
    for (int i = 0; i < text.length(); i++) {
      int value = ALPHABET.indexOf(text.charAt(i));
      if (value < 0) return null;
      word = (word << 6 | value) & 0xffffff;
      bits += 6;
      if (bits >= 8) {
        bits -= 8;
        out[at++] = (byte) (word >> bits);
      }
    }
    return (word & ((1 << bits) - 1)) == 0 ? out : null;
  }

  /** Null for bytes that are not UTF-8. */
  static String text(byte[] bytes) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(bytes))
          .toString();
    } catch (CharacterCodingException error) {
      return null;
    }
  }
}
