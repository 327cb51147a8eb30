fun deviceIdentity(challenge: ByteArray): KeyPair {
    val spec = KeyGenParameterSpec.Builder("identity", KeyProperties.PURPOSE_SIGN)
        .setDigests(KeyProperties.DIGEST_SHA256)
        .setAttestationChallenge(challenge)
        .build()
    return KeyPairGenerator.getInstance("EC", "AndroidKeyStore").apply { initialize(spec) }.generateKeyPair()
}
