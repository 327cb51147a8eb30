import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

final class Sealed {
    private static final int NONCE = 12;

    private Sealed() {}

    /** 12 bytes of nonce, then text and tag; `purpose` must be the same when it is opened. */
    static byte[] seal(SecretKey key, byte[] text, String purpose) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, key);
        cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
        byte[] body = cipher.doFinal(text);
        byte[] all = Arrays.copyOf(cipher.getIV(), NONCE + body.length);
        System.arraycopy(body, 0, all, NONCE, body.length);
        return all;
    }

    static byte[] open(SecretKey key, byte[] sealed, String purpose) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(128, sealed, 0, NONCE));
        cipher.updateAAD(purpose.getBytes(StandardCharsets.UTF_8));
        return cipher.doFinal(sealed, NONCE, sealed.length - NONCE);
    }
}
