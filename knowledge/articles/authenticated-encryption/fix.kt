fun seal(key: SecretKey, text: ByteArray, purpose: String): ByteArray {
    val cipher = Cipher.getInstance("AES/GCM/NoPadding")
    cipher.init(Cipher.ENCRYPT_MODE, key)               // the provider draws a new nonce
    cipher.updateAAD(purpose.toByteArray())
    return cipher.iv + cipher.doFinal(text)             // 12 bytes of nonce, then text and tag
}

fun open(key: SecretKey, sealed: ByteArray, purpose: String): ByteArray {
    val cipher = Cipher.getInstance("AES/GCM/NoPadding")
    cipher.init(Cipher.DECRYPT_MODE, key, GCMParameterSpec(128, sealed, 0, 12))
    cipher.updateAAD(purpose.toByteArray())
    return cipher.doFinal(sealed, 12, sealed.size - 12)
}
