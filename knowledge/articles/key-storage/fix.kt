fun deviceKey(): SecretKey {
    val store = KeyStore.getInstance("AndroidKeyStore").apply { load(null) }
    (store.getKey("device", null) as SecretKey?)?.let { return it }
    val spec = KeyGenParameterSpec.Builder("device", PURPOSE_ENCRYPT or PURPOSE_DECRYPT)
        .setBlockModes(BLOCK_MODE_GCM)
        .setEncryptionPaddings(ENCRYPTION_PADDING_NONE)
        .setKeySize(256)
        .setUnlockedDeviceRequired(true)
        .build()
    return KeyGenerator.getInstance(KEY_ALGORITHM_AES, "AndroidKeyStore").apply { init(spec) }.generateKey()
}
