fun sign(key: ByteArray, message: ByteArray): ByteArray =
    Mac.getInstance("HmacSHA256").apply { init(SecretKeySpec(key, "HmacSHA256")) }.doFinal(message)

fun verify(key: ByteArray, message: ByteArray, given: ByteArray) = MessageDigest.isEqual(sign(key, message), given)
