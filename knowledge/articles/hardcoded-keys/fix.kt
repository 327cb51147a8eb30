/** The passphrase of the database: random, and kept only wrapped by a key that never leaves the key store. */
fun databasePassphrase(context: Context): ByteArray {
    val file = File(context.noBackupFilesDir, "db.key")
    if (file.exists()) return open(deviceKey(), file.readBytes(), "db")
    val fresh = ByteArray(32).also { SecureRandom().nextBytes(it) }
    file.writeBytes(seal(deviceKey(), fresh, "db"))
    return fresh
}
