fun unlock(activity: FragmentActivity, key: SecretKey, sealed: ByteArray, done: (ByteArray) -> Unit) {
    val cipher = Cipher.getInstance("AES/GCM/NoPadding")
    cipher.init(Cipher.DECRYPT_MODE, key, GCMParameterSpec(128, sealed, 0, 12))
    val info = BiometricPrompt.PromptInfo.Builder()
        .setTitle(activity.getString(R.string.unlock))
        .setNegativeButtonText(activity.getString(R.string.use_password))
        .setAllowedAuthenticators(BiometricManager.Authenticators.BIOMETRIC_STRONG)
        .build()
    BiometricPrompt(activity, object : BiometricPrompt.AuthenticationCallback() {
        override fun onAuthenticationSucceeded(result: BiometricPrompt.AuthenticationResult) {
            val unlocked = result.cryptoObject?.cipher ?: return
            done(unlocked.doFinal(sealed, 12, sealed.size - 12))
        }
    }).authenticate(info, BiometricPrompt.CryptoObject(cipher))
}
