package io.appwarden.session;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The curve of GB/T 32918.5 and the key exchange of GB/T 32918.3. Field arithmetic and multiplication take the same steps for every secret:
 * numbers of eight 32-bit limbs in Montgomery form, the complete addition formulas of Renes, Costello and Batina (2015, algorithm 4, a = -3),
 * and a window whose entry is selected without a branch or an address that depends on it.
 */
final class Sm2 {
  private static final BigInteger P =
      new BigInteger("fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff", 16);
  static final BigInteger N =
      new BigInteger("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123", 16);
  private static final BigInteger A = P.subtract(BigInteger.valueOf(3));
  private static final BigInteger B =
      new BigInteger("28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93", 16);
  private static final BigInteger GX =
      new BigInteger("32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7", 16);
  private static final BigInteger GY =
      new BigInteger("bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0", 16);
  private static final BigInteger TOP_BIT = BigInteger.ONE.shiftLeft(127);
  private static final long LIMB = 0xffffffffL;
  private static final long[] P_LIMBS = limbs(P);
  private static final long[] R2 = limbs(BigInteger.ONE.shiftLeft(512).mod(P));
  private static final long[] ONE = toField(BigInteger.ONE);
  private static final long[] B_FIELD = toField(B);
  private static final long[][] G = {toField(GX), toField(GY), ONE};

  private Sm2() {}

  /** Keys of one exchange: private as 32 bytes, public as 04, x, y. */
  static final class Pair {
    final BigInteger privateKey;
    final byte[] publicKey;

    Pair(BigInteger privateKey) {
      this.privateKey = privateKey;
      this.publicKey = bytesOf(multiply(G, privateKey));
    }
  }

  /** The scalar is (48 random bytes mod (n - 2)) + 1. */
  static Pair newPair(RandomSource random) {
    BigInteger seed = new BigInteger(1, random.next(48));
    return new Pair(seed.mod(N.subtract(BigInteger.valueOf(2))).add(BigInteger.ONE));
  }

  static final class Exchanged {
    final byte[] key;
    final byte[] responderProof;

    Exchanged(byte[] key, byte[] responderProof) {
      this.key = key;
      this.responderProof = responderProof;
    }
  }

  /** Of one side; the ids are ASCII. Null where a public key of the peer is no point of the curve. */
  static Exchanged exchange(
      boolean initiator, String ownId, Pair own, Pair ownEphemeral, String peerId, byte[] peer, byte[] peerEphemeral) {
    long[][] peerPoint = pointOf(peer);
    long[][] peerEphemeralPoint = pointOf(peerEphemeral);
    if (peerPoint == null || peerEphemeralPoint == null) return null;
    BigInteger secret =
        own.privateKey.add(reduced(ownEphemeral.publicKey).multiply(ownEphemeral.privateKey)).mod(N);
    long[][] sum = add(peerPoint, multiply(peerEphemeralPoint, reduced(peerEphemeral)));
    byte[] shared = bytesOf(multiply(sum, secret));
    if (shared == null) return null;
    byte[] x = Bytes.slice(shared, 1, 33);
    byte[] y = Bytes.slice(shared, 33, 65);
    byte[] ownZ = identity(ownId, own.publicKey);
    byte[] peerZ = identity(peerId, peer);
    byte[] identities = initiator ? Bytes.concat(ownZ, peerZ) : Bytes.concat(peerZ, ownZ);
    byte[] ownR = Bytes.slice(ownEphemeral.publicKey, 1, 65);
    byte[] peerR = Bytes.slice(peerEphemeral, 1, 65);
    byte[] points = initiator ? Bytes.concat(ownR, peerR) : Bytes.concat(peerR, ownR);
    byte[] key = Gm.sm3(x, y, identities, Bytes.uint(1, 4));
    byte[] proof = Gm.sm3(new byte[] {2}, y, Gm.sm3(x, identities, points));
    return new Exchanged(key, proof);
  }

  static boolean isPoint(byte[] bytes) {
    return pointOf(bytes) != null;
  }

  /** Z of GB/T 32918.2, 5.5. */
  private static byte[] identity(String id, byte[] publicKey) {
    byte[] text = Bytes.utf8(id);
    return Gm.sm3(
        Bytes.uint(text.length * 8L, 2),
        text,
        bytes32(A),
        bytes32(B),
        bytes32(GX),
        bytes32(GY),
        Bytes.slice(publicKey, 1, 65));
  }

  private static BigInteger reduced(byte[] point) {
    return TOP_BIT.add(new BigInteger(1, Bytes.slice(point, 17, 33)).mod(TOP_BIT));
  }

  private static byte[] bytes32(BigInteger value) {
    byte[] bytes = value.toByteArray();
    byte[] out = new byte[32];
    int length = Math.min(32, bytes.length);
    System.arraycopy(bytes, bytes.length - length, out, 32 - length, length);
    return out;
  }

  // Points: X, Y, Z of the projective form, each a number of the field in Montgomery form.

  /** Null for anything but an uncompressed point of the curve. */
  private static long[][] pointOf(byte[] bytes) {
    if (bytes.length != 65 || bytes[0] != 4) return null;
    BigInteger x = new BigInteger(1, Bytes.slice(bytes, 1, 33));
    BigInteger y = new BigInteger(1, Bytes.slice(bytes, 33, 65));
    if (x.compareTo(P) >= 0 || y.compareTo(P) >= 0) return null;
    BigInteger right = x.multiply(x).add(A).multiply(x).add(B).mod(P);
    if (!y.multiply(y).mod(P).equals(right)) return null;
    return new long[][] {toField(x), toField(y), ONE};
  }

  /** Null for the point at infinity. */
  private static byte[] bytesOf(long[][] point) {
    long[] inverse = power(point[2], P.subtract(BigInteger.valueOf(2)));
    byte[] x = fromField(multiply(point[0], inverse));
    byte[] y = fromField(multiply(point[1], inverse));
    byte[] z = fromField(point[2]);
    boolean infinity = Arrays.equals(z, new byte[32]);
    return infinity ? null : Bytes.concat(new byte[] {4}, x, y);
  }

  private static long[][] multiply(long[][] point, BigInteger scalar) {
    long[][][] table = new long[16][][];
    table[0] = new long[][] {new long[8], ONE, new long[8]};
    for (int i = 1; i < 16; i++) table[i] = add(table[i - 1], point);
    byte[] digits = bytes32(scalar);
    long[][] sum = table[0];
    for (int at = 0; at < 64; at++) {
      for (int i = 0; i < 4; i++) sum = add(sum, sum);
      int digit = (at % 2 == 0 ? digits[at / 2] >> 4 : digits[at / 2]) & 15;
      sum = add(sum, selected(table, digit));
    }
    return sum;
  }

  private static long[][] selected(long[][][] table, int digit) {
    long[][] out = new long[3][8];
    for (int i = 0; i < 16; i++) {
      // All ones where i is the digit.
      long mask = (((i ^ digit) - 1) >> 31);
      for (int part = 0; part < 3; part++) for (int j = 0; j < 8; j++) out[part][j] |= table[i][part][j] & mask;
    }
    return out;
  }

  private static long[][] add(long[][] one, long[][] two) {
    long[] t0 = multiply(one[0], two[0]);
    long[] t1 = multiply(one[1], two[1]);
    long[] t2 = multiply(one[2], two[2]);
    long[] t3 = minus(multiply(plus(one[0], one[1]), plus(two[0], two[1])), plus(t0, t1));
    long[] t4 = minus(multiply(plus(one[1], one[2]), plus(two[1], two[2])), plus(t1, t2));
    long[] y = minus(multiply(plus(one[0], one[2]), plus(two[0], two[2])), plus(t0, t2));
    long[] x = minus(y, multiply(B_FIELD, t2));
    x = plus(x, plus(x, x));
    long[] z = minus(t1, x);
    x = plus(t1, x);
    y = multiply(B_FIELD, y);
    t2 = plus(t2, plus(t2, t2));
    y = minus(minus(y, t2), t0);
    y = plus(y, plus(y, y));
    t0 = minus(plus(t0, plus(t0, t0)), t2);
    t1 = multiply(t4, y);
    t2 = multiply(t0, y);
    y = plus(multiply(x, z), t2);
    x = minus(multiply(t3, x), t1);
    z = plus(multiply(t4, z), multiply(t3, t0));
    return new long[][] {x, y, z};
  }

  // Numbers of the field: eight limbs, the lowest first, below p.

  private static long[] limbs(BigInteger value) {
    long[] out = new long[8];
    for (int i = 0; i < 8; i++) out[i] = value.shiftRight(32 * i).longValue() & LIMB;
    return out;
  }

  private static long[] toField(BigInteger value) {
    return multiply(limbs(value), R2);
  }

  private static byte[] fromField(long[] number) {
    long[] plain = multiply(number, new long[] {1, 0, 0, 0, 0, 0, 0, 0});
    byte[] out = new byte[32];
    for (int i = 0; i < 8; i++) System.arraycopy(Bytes.uint(plain[i], 4), 0, out, 28 - 4 * i, 4);
    return out;
  }

  /** a · b / 2^256. The lowest limb of p is 2^32 - 1, so that the factor of each reduction is the lowest limb itself. */
  private static long[] multiply(long[] a, long[] b) {
    long[] t = new long[9];
    for (int i = 0; i < 8; i++) {
      long carry = 0;
      long factor = b[i];
      for (int j = 0; j < 8; j++) {
        long s = t[j] + a[j] * factor + carry;
        t[j] = s & LIMB;
        carry = s >>> 32;
      }
      long top = t[8] + carry;
      long m = t[0];
      carry = (t[0] + m * P_LIMBS[0]) >>> 32;
      for (int j = 1; j < 8; j++) {
        long s = t[j] + m * P_LIMBS[j] + carry;
        t[j - 1] = s & LIMB;
        carry = s >>> 32;
      }
      top += carry;
      t[7] = top & LIMB;
      t[8] = top >>> 32;
    }
    return belowP(t, t[8]);
  }

  private static long[] plus(long[] a, long[] b) {
    long[] out = new long[8];
    long carry = 0;
    for (int i = 0; i < 8; i++) {
      long s = a[i] + b[i] + carry;
      out[i] = s & LIMB;
      carry = s >>> 32;
    }
    return belowP(out, carry);
  }

  private static long[] minus(long[] a, long[] b) {
    long[] out = new long[8];
    long borrow = 0;
    for (int i = 0; i < 8; i++) {
      long s = a[i] - b[i] + borrow;
      out[i] = s & LIMB;
      borrow = s >> 32;
    }
    long carry = 0;
    for (int i = 0; i < 8; i++) {
      long s = out[i] + (P_LIMBS[i] & borrow) + carry;
      out[i] = s & LIMB;
      carry = s >>> 32;
    }
    return out;
  }

  /** Subtracts p from a number below 2p, `top` being its ninth limb, where it is not below p. */
  private static long[] belowP(long[] number, long top) {
    long[] out = new long[8];
    long borrow = 0;
    for (int i = 0; i < 8; i++) {
      long s = number[i] - P_LIMBS[i] + borrow;
      out[i] = s & LIMB;
      borrow = s >> 32;
    }
    // All ones where the number was below p already.
    long keep = (top + borrow) >> 32;
    for (int i = 0; i < 8; i++) out[i] = number[i] & keep | out[i] & ~keep;
    return out;
  }

  /** The exponent is public. */
  private static long[] power(long[] number, BigInteger exponent) {
    long[] out = ONE;
    for (int bit = exponent.bitLength() - 1; bit >= 0; bit--) {
      out = multiply(out, out);
      if (exponent.testBit(bit)) out = multiply(out, number);
    }
    return out;
  }
}
