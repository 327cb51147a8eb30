import java.security.SecureRandom;
import javax.crypto.spec.GCMParameterSpec;

final class Nonces {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Nonces() {}

    /** A new nonce for one encryption, where a library does not make it itself. */
    static GCMParameterSpec next() {
        byte[] nonce = new byte[12];
        RANDOM.nextBytes(nonce);
        return new GCMParameterSpec(128, nonce);
    }
}
