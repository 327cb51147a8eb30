fun copySecret(context: Context, text: String) {
    val manager = context.getSystemService(ClipboardManager::class.java)
    val clip = ClipData.newPlainText(null, text)
    clip.description.extras = PersistableBundle().apply { putBoolean("android.content.extra.IS_SENSITIVE", true) }
    manager.setPrimaryClip(clip)
    Handler(Looper.getMainLooper()).postDelayed({
        if (Build.VERSION.SDK_INT >= 28) manager.clearPrimaryClip()
    }, 60_000)
}
