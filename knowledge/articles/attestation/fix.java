import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.cert.Certificate;

final class KeyAttestation {
    private KeyAttestation() {}

    /** The chain that the server verifies up to a published root; `challenge` came from the server and is used once. */
    static Certificate[] attest(byte[] challenge) throws GeneralSecurityException, IOException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_EC, "AndroidKeyStore");
        generator.initialize(new KeyGenParameterSpec.Builder("attest", KeyProperties.PURPOSE_SIGN)
                .setDigests(KeyProperties.DIGEST_SHA256)
                .setAttestationChallenge(challenge)
                .build());
        generator.generateKeyPair();
        KeyStore store = KeyStore.getInstance("AndroidKeyStore");
        store.load(null);
        return store.getCertificateChain("attest");
    }
}
