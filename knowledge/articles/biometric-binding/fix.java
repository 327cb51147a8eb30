import android.security.keystore.KeyGenParameterSpec;
import android.security.keystore.KeyProperties;

final class BiometricKey {
    private BiometricKey() {}

    /** A key for the cipher of the prompt: each use needs a strong biometric, and a new finger ends it. */
    static KeyGenParameterSpec spec(String alias) {
        return new KeyGenParameterSpec.Builder(alias, KeyProperties.PURPOSE_ENCRYPT | KeyProperties.PURPOSE_DECRYPT)
                .setBlockModes(KeyProperties.BLOCK_MODE_GCM)
                .setEncryptionPaddings(KeyProperties.ENCRYPTION_PADDING_NONE)
                .setUserAuthenticationRequired(true)
                .setUserAuthenticationParameters(0, KeyProperties.AUTH_BIOMETRIC_STRONG)
                .setInvalidatedByBiometricEnrollment(true)
                .build();
    }
}
