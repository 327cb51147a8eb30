inline fun <T> withTempFile(context: Context, use: (File) -> T): T {
    val file = File.createTempFile("work", null, context.cacheDir)
    try { return use(file) } finally { file.delete() }
}
