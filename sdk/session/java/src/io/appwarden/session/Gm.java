package io.appwarden.session;

import java.util.Arrays;

/** SM3 (GB/T 32905), HMAC and HKDF over it, and SM4 in CBC mode (GB/T 32907): the platform has none of them. */
final class Gm {
  private static final int BLOCK = 64;
  private static final int CIPHER_BLOCK = 16;
  private static final String S_BOX =
      "d690e9fecce13db716b614c228fb2c052b679a762abe04c3aa44132649860699"
          + "9c4250f491ef987a33540b43edcfac62e4b31ca9c908e89580df94fa758f3fa6"
          + "4707a7fcf37317ba83593c19e6854fa8686b81b27164da8bf8eb0f4b70569d35"
          + "1e240e5e6358d1a225227c3b01217887d40046579fd327524c3602e7a0c4c89e"
          + "eabf8ad240c738b5a3f7f2cef96115a1e0ae5da49b341a55ad933230f58cb1e3"
          + "1df6e22e8266ca60c02923ab0d534e6fd5db3745defd8e2f03ff6a726d6c5b51"
          + "8d1baf92bbddbc7f11d95c411f105ad80ac13188a5cd7bbd2d74d012b8e5b4b0"
          + "8969974a0c96777e65b9f109c56ec68418f07dec3adc4d2079ee5f3ed7cb3948";
  private static final int[] S = new int[256];
  /** T of GB/T 32907, 6.2, for the first byte of a word; the other bytes are rotations of it. */
  private static final int[] ROUND_TABLE = new int[256];
  private static final int[] FAMILY_KEY = {0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc};
  private static final int[] START = {
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e
  };

  static {
    for (int i = 0; i < 256; i++) {
      S[i] = Integer.parseInt(S_BOX.substring(2 * i, 2 * i + 2), 16);
      int word = S[i] << 24;
      ROUND_TABLE[i] = word ^ rotated(word, 2) ^ rotated(word, 10) ^ rotated(word, 18) ^ rotated(word, 24);
    }
  }

  private Gm() {}

  static byte[] sm3(byte[]... parts) {
    byte[] data = Bytes.concat(parts);
    byte[] padding = new byte[(119 - data.length % 64) % 64 + 1];
    padding[0] = (byte) 0x80;
    byte[] padded = Bytes.concat(data, padding, Bytes.uint(data.length * 8L, 8));
    int[] state = START.clone();
    int[] w = new int[68];
    for (int at = 0; at < padded.length; at += BLOCK) compress(state, padded, at, w);
    byte[] digest = new byte[32];
    for (int i = 0; i < 8; i++) putWord(digest, 4 * i, state[i]);
    return digest;
  }

  private static void compress(int[] state, byte[] data, int from, int[] w) {
    for (int i = 0; i < 16; i++) w[i] = word(data, from + 4 * i);
    for (int i = 16; i < 68; i++) {
      int mixed = w[i - 16] ^ w[i - 9] ^ rotated(w[i - 3], 15);
      w[i] = mixed ^ rotated(mixed, 15) ^ rotated(mixed, 23) ^ rotated(w[i - 13], 7) ^ w[i - 6];
    }
    int a = state[0];
    int b = state[1];
    int c = state[2];
    int d = state[3];
    int e = state[4];
    int f = state[5];
    int g = state[6];
    int h = state[7];
    for (int i = 0; i < 64; i++) {
      int constant = i < 16 ? 0x79cc4519 : 0x7a879d8a;
      int first = rotated(rotated(a, 12) + e + rotated(constant, i % 32), 7);
      int second = first ^ rotated(a, 12);
      int ff = i < 16 ? a ^ b ^ c : a & b | a & c | b & c;
      int gg = i < 16 ? e ^ f ^ g : e & f | ~e & g;
      int one = ff + d + second + (w[i] ^ w[i + 4]);
      int two = gg + h + first + w[i];
      d = c;
      c = rotated(b, 9);
      b = a;
      a = one;
      h = g;
      g = rotated(f, 19);
      f = e;
      e = two ^ rotated(two, 9) ^ rotated(two, 17);
    }
    int[] next = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; i++) state[i] ^= next[i];
  }

  static byte[] hmac(byte[] key, byte[]... parts) {
    byte[] inner = Arrays.copyOf(key.length > BLOCK ? sm3(key) : key, BLOCK);
    byte[] outer = inner.clone();
    for (int i = 0; i < BLOCK; i++) {
      inner[i] ^= 0x36;
      outer[i] ^= 0x5c;
    }
    return sm3(outer, sm3(inner, Bytes.concat(parts)));
  }

  /** RFC 5869. */
  static byte[] hkdf(byte[] key, byte[] salt, byte[] info, int length) {
    byte[] pseudoRandomKey = hmac(salt, key);
    byte[] block = new byte[0];
    byte[] out = new byte[0];
    for (int counter = 1; out.length < length; counter++) {
      block = hmac(pseudoRandomKey, block, info, new byte[] {(byte) counter});
      out = Bytes.concat(out, block);
    }
    return Arrays.copyOf(out, length);
  }

  /** PKCS#7. Key and iv of 16 bytes. */
  static byte[] encrypt(byte[] key, byte[] iv, byte[] data) {
    int padding = CIPHER_BLOCK - data.length % CIPHER_BLOCK;
    byte[] out = Arrays.copyOf(data, data.length + padding);
    Arrays.fill(out, data.length, out.length, (byte) padding);
    int[] keys = roundKeys(key);
    int[] block = words(iv, 0);
    for (int at = 0; at < out.length; at += CIPHER_BLOCK) {
      for (int i = 0; i < 4; i++) block[i] ^= word(out, at + 4 * i);
      crypt(block, keys);
      for (int i = 0; i < 4; i++) putWord(out, at + 4 * i, block[i]);
    }
    return out;
  }

  /** Null where length or padding is wrong. */
  static byte[] decrypt(byte[] key, byte[] iv, byte[] data) {
    if (data.length == 0 || data.length % CIPHER_BLOCK != 0) return null;
    int[] keys = roundKeys(key);
    for (int i = 0; i < 16; i++) {
      int swapped = keys[i];
      keys[i] = keys[31 - i];
      keys[31 - i] = swapped;
    }
    byte[] out = new byte[data.length];
    int[] previous = words(iv, 0);
    for (int at = 0; at < data.length; at += CIPHER_BLOCK) {
      int[] sealed = words(data, at);
      int[] block = sealed.clone();
      crypt(block, keys);
      for (int i = 0; i < 4; i++) putWord(out, at + 4 * i, block[i] ^ previous[i]);
      previous = sealed;
    }
    int padding = out[out.length - 1];
    if (padding < 1 || padding > CIPHER_BLOCK) return null;
    for (int at = out.length - padding; at < out.length; at++) if (out[at] != padding) return null;
    return Arrays.copyOf(out, out.length - padding);
  }

  private static void crypt(int[] block, int[] keys) {
    int a = block[0];
    int b = block[1];
    int c = block[2];
    int d = block[3];
    for (int i = 0; i < 32; i++) {
      int x = b ^ c ^ d ^ keys[i];
      int next =
          a
              ^ ROUND_TABLE[x >>> 24]
              ^ rotated(ROUND_TABLE[x >>> 16 & 255], 24)
              ^ rotated(ROUND_TABLE[x >>> 8 & 255], 16)
              ^ rotated(ROUND_TABLE[x & 255], 8);
      a = b;
      b = c;
      c = d;
      d = next;
    }
    block[0] = d;
    block[1] = c;
    block[2] = b;
    block[3] = a;
  }

  private static int[] roundKeys(byte[] key) {
    int[] k = Arrays.copyOf(words(key, 0), 36);
    for (int i = 0; i < 4; i++) k[i] ^= FAMILY_KEY[i];
    for (int i = 0; i < 32; i++) {
      int constant = 0;
      for (int n = 0; n < 4; n++) constant = constant << 8 | (4 * i + n) * 7 & 255;
      int x = k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ constant;
      int mixed = S[x >>> 24] << 24 | S[x >>> 16 & 255] << 16 | S[x >>> 8 & 255] << 8 | S[x & 255];
      k[i + 4] = k[i] ^ mixed ^ rotated(mixed, 13) ^ rotated(mixed, 23);
    }
    return Arrays.copyOfRange(k, 4, 36);
  }

  private static int[] words(byte[] bytes, int from) {
    int[] words = new int[4];
    for (int i = 0; i < 4; i++) words[i] = word(bytes, from + 4 * i);
    return words;
  }

  private static int word(byte[] bytes, int at) {
    return (bytes[at] & 255) << 24 | (bytes[at + 1] & 255) << 16 | (bytes[at + 2] & 255) << 8 | bytes[at + 3] & 255;
  }

  private static void putWord(byte[] bytes, int at, int word) {
    bytes[at] = (byte) (word >>> 24);
    bytes[at + 1] = (byte) (word >>> 16);
    bytes[at + 2] = (byte) (word >>> 8);
    bytes[at + 3] = (byte) word;
  }

  private static int rotated(int word, int by) {
    return word << by | word >>> 32 - by;
  }
}
