fun derive(password: CharArray, salt: ByteArray, iterations: Int): ByteArray {
    require(salt.size >= 16 && iterations >= 600_000)
    val spec = PBEKeySpec(password, salt, iterations, 256)
    try {
        return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(spec).encoded
    } finally {
        spec.clearPassword()
    }
}
