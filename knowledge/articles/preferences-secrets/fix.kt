class TokenStore(context: Context, private val key: SecretKey) {
    private val file = File(context.noBackupFilesDir, "token")
    fun save(token: String) = file.writeBytes(seal(key, token.toByteArray(), "token"))
    fun read(): String? = try { String(open(key, file.readBytes(), "token")) } catch (lost: Exception) { null }
    fun clear() { file.delete() }
}
