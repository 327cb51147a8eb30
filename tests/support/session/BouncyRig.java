import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import org.bouncycastle.crypto.agreement.SM2KeyExchange;
import org.bouncycastle.crypto.digests.SM3Digest;
import org.bouncycastle.crypto.engines.SM4Engine;
import org.bouncycastle.crypto.generators.HKDFBytesGenerator;
import org.bouncycastle.crypto.macs.HMac;
import org.bouncycastle.crypto.modes.CBCBlockCipher;
import org.bouncycastle.crypto.paddings.PKCS7Padding;
import org.bouncycastle.crypto.paddings.PaddedBufferedBlockCipher;
import org.bouncycastle.crypto.params.ECDomainParameters;
import org.bouncycastle.crypto.params.ECPrivateKeyParameters;
import org.bouncycastle.crypto.params.ECPublicKeyParameters;
import org.bouncycastle.crypto.params.HKDFParameters;
import org.bouncycastle.crypto.params.KeyParameter;
import org.bouncycastle.crypto.params.ParametersWithID;
import org.bouncycastle.crypto.params.ParametersWithIV;
import org.bouncycastle.crypto.params.SM2KeyExchangePrivateParameters;
import org.bouncycastle.crypto.params.SM2KeyExchangePublicParameters;
import org.bouncycastle.math.ec.ECCurve;
import org.bouncycastle.math.ec.ECPoint;
import org.bouncycastle.util.encoders.Hex;

/** What Bouncy Castle computes, for comparison: commands and answers as SessionRig.java has them. */
public final class BouncyRig {
  private static BigInteger big(String hex) {
    return new BigInteger(hex, 16);
  }

  private static final ECCurve CURVE =
      new ECCurve.Fp(
          big("fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff"),
          big("fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc"),
          big("28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93"),
          big("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123"),
          BigInteger.ONE);
  private static final ECDomainParameters DOMAIN =
      new ECDomainParameters(
          CURVE,
          CURVE.createPoint(
              big("32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"),
              big("bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0")),
          big("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123"));

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = in.readLine()) != null; ) {
      String answer;
      try {
        answer = "ok " + run(line.split(" "));
      } catch (Exception error) {
        answer = "failed " + error;
      }
      System.out.println(answer);
      System.out.flush();
    }
  }

  private static String run(String[] words) throws Exception {
    switch (words[0]) {
      case "pair":
        {
          BigInteger scalar = new BigInteger(255, new SecureRandom());
          return hex(fixed(scalar)) + " " + hex(DOMAIN.getG().multiply(scalar).getEncoded(false));
        }
      case "exchange":
        {
          boolean initiator = words[1].equals("initiator");
          SM2KeyExchange exchange = new SM2KeyExchange(new SM3Digest());
          exchange.init(
              new ParametersWithID(
                  new SM2KeyExchangePrivateParameters(initiator, privateKey(words[3]), privateKey(words[4])),
                  bytes(words[2])));
          ParametersWithID peer =
              new ParametersWithID(
                  new SM2KeyExchangePublicParameters(publicKey(words[6]), publicKey(words[7])), bytes(words[5]));
          if (!initiator) {
            byte[][] made = exchange.calculateKeyWithConfirmation(256, null, peer);
            return hex(made[0]) + " " + hex(made[1]) + " " + hex(made[2]);
          }
          byte[][] made = exchange.calculateKeyWithConfirmation(256, bytes(words[8]), peer);
          return hex(made[0]) + " " + hex(made[1]);
        }
      case "sm3":
        {
          SM3Digest digest = new SM3Digest();
          byte[] data = bytes(words[1]);
          digest.update(data, 0, data.length);
          byte[] out = new byte[32];
          digest.doFinal(out, 0);
          return hex(out);
        }
      case "hmac":
        {
          HMac mac = new HMac(new SM3Digest());
          mac.init(new KeyParameter(bytes(words[1])));
          byte[] data = bytes(words[2]);
          mac.update(data, 0, data.length);
          byte[] out = new byte[32];
          mac.doFinal(out, 0);
          return hex(out);
        }
      case "hkdf":
        {
          HKDFBytesGenerator generator = new HKDFBytesGenerator(new SM3Digest());
          generator.init(new HKDFParameters(bytes(words[1]), bytes(words[2]), bytes(words[3])));
          byte[] out = new byte[Integer.parseInt(words[4])];
          generator.generateBytes(out, 0, out.length);
          return hex(out);
        }
      case "encrypt":
      case "decrypt":
        {
          PaddedBufferedBlockCipher cipher =
              new PaddedBufferedBlockCipher(new CBCBlockCipher(new SM4Engine()), new PKCS7Padding());
          cipher.init(
              words[0].equals("encrypt"), new ParametersWithIV(new KeyParameter(bytes(words[1])), bytes(words[2])));
          byte[] data = bytes(words[3]);
          byte[] out = new byte[cipher.getOutputSize(data.length)];
          int length = cipher.processBytes(data, 0, data.length, out, 0);
          length += cipher.doFinal(out, length);
          byte[] exact = new byte[length];
          System.arraycopy(out, 0, exact, 0, length);
          return hex(exact);
        }
      default:
        throw new IllegalArgumentException(words[0]);
    }
  }

  private static ECPrivateKeyParameters privateKey(String word) {
    return new ECPrivateKeyParameters(new BigInteger(1, bytes(word)), DOMAIN);
  }

  private static ECPublicKeyParameters publicKey(String word) {
    ECPoint point = CURVE.decodePoint(bytes(word));
    return new ECPublicKeyParameters(point, DOMAIN);
  }

  private static byte[] fixed(BigInteger value) {
    byte[] out = new byte[32];
    byte[] all = value.toByteArray();
    int length = Math.min(32, all.length);
    System.arraycopy(all, all.length - length, out, 32 - length, length);
    return out;
  }

  private static byte[] bytes(String word) {
    return Hex.decode(word.substring(1));
  }

  private static String hex(byte[] bytes) {
    return "x" + Hex.toHexString(bytes);
  }
}
