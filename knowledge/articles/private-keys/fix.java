import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;

final class DeviceIdentity {
    private DeviceIdentity() {}

    /** A key pair that never leaves this device; the server gives a certificate for its public key. */
    static KeyPair create(byte[] challenge) throws GeneralSecurityException {
        KeyGenParameterSpec spec = new KeyGenParameterSpec.Builder("identity", KeyProperties.PURPOSE_SIGN)
                .setDigests(KeyProperties.DIGEST_SHA256)
                .setAttestationChallenge(challenge)
                .build();
        KeyPairGenerator generator = KeyPairGenerator.getInstance(KeyProperties.KEY_ALGORITHM_EC, "AndroidKeyStore");
        generator.initialize(spec);
        return generator.generateKeyPair();
    }
}
