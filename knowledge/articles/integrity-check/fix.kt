fun sha256(file: File): ByteArray = file.inputStream().use { input ->
    val digest = MessageDigest.getInstance("SHA-256")
    DigestInputStream(input, digest).use { it.copyTo(OutputStream.nullOutputStream()) }
    digest.digest()
}
