import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

final class RequestSignature {
    private RequestSignature() {}

    static byte[] sign(byte[] sessionKey, byte[] message) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(sessionKey, "HmacSHA256"));
        return mac.doFinal(message);
    }

    static boolean verify(byte[] sessionKey, byte[] message, byte[] given) throws GeneralSecurityException {
        return MessageDigest.isEqual(sign(sessionKey, message), given);
    }
}
