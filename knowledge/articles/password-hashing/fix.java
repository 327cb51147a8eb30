import java.security.GeneralSecurityException;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

final class PasswordKey {
    private PasswordKey() {}

    /** 32 bytes; salt and iterations are stored beside what the key protects. */
    static byte[] derive(char[] password, byte[] salt, int iterations) throws GeneralSecurityException {
        if (salt.length < 16 || iterations < 600_000) throw new IllegalArgumentException("too weak");
        PBEKeySpec spec = new PBEKeySpec(password, salt, iterations, 256);
        try {
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).getEncoded();
        } finally {
            spec.clearPassword();
        }
    }
}
