import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.security.spec.MGF1ParameterSpec;
import javax.crypto.Cipher;
import javax.crypto.spec.OAEPParameterSpec;
import javax.crypto.spec.PSource;

final class ServerKey {
    private ServerKey() {}

    /** A session key that only the server can open; both hashes are named, so that every platform agrees. */
    static byte[] wrap(PublicKey server, byte[] session) throws GeneralSecurityException {
        OAEPParameterSpec oaep = new OAEPParameterSpec("SHA-256", "MGF1", MGF1ParameterSpec.SHA256, PSource.PSpecified.DEFAULT);
        Cipher cipher = Cipher.getInstance("RSA/ECB/OAEPPadding");
        cipher.init(Cipher.ENCRYPT_MODE, server, oaep);
        return cipher.doFinal(session);
    }
}
