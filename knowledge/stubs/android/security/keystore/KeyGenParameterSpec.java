package android.security.keystore;

public final class KeyGenParameterSpec implements java.security.spec.AlgorithmParameterSpec {
    private KeyGenParameterSpec() {}
    public static final class Builder {
        public Builder(String alias, int purposes) {}
        public Builder setBlockModes(String... modes) { return this; }
        public Builder setEncryptionPaddings(String... paddings) { return this; }
        public Builder setDigests(String... digests) { return this; }
        public Builder setKeySize(int bits) { return this; }
        public Builder setUnlockedDeviceRequired(boolean required) { return this; }
        public Builder setUserAuthenticationRequired(boolean required) { return this; }
        public Builder setUserAuthenticationParameters(int seconds, int type) { return this; }
        public Builder setInvalidatedByBiometricEnrollment(boolean invalidated) { return this; }
        public Builder setAttestationChallenge(byte[] challenge) { return this; }
        public KeyGenParameterSpec build() { return null; }
    }
}
