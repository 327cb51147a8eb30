import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

final class Passphrase {
    private Passphrase() {}

    static byte[] create() {
        byte[] bytes = new byte[32];
        new SecureRandom().nextBytes(bytes);
        return bytes;
    }

    /** Nonce and wrapped passphrase; `device` is a key of the key store. */
    static byte[][] wrap(SecretKey device, byte[] passphrase) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.ENCRYPT_MODE, device);
        return new byte[][] {cipher.getIV(), cipher.doFinal(passphrase)};
    }

    static byte[] unwrap(SecretKey device, byte[][] wrapped) throws GeneralSecurityException {
        Cipher cipher = Cipher.getInstance("AES/GCM/NoPadding");
        cipher.init(Cipher.DECRYPT_MODE, device, new GCMParameterSpec(128, wrapped[0]));
        return cipher.doFinal(wrapped[1]);
    }
}
