class App : Application() {
    override fun onCreate() {
        super.onCreate()
        if (Consent.given(this)) startSdks()      // else: the consent screen calls it after 'agree'
    }
    fun startSdks() { /* statistics, push, AppWarden: each once */ }
}
fun installationId(context: Context): String {
    val file = File(context.noBackupFilesDir, "installation")
    if (!file.exists()) file.writeText(UUID.randomUUID().toString())
    return file.readText()
}
