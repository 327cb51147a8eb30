fun loadPlugin(context: Context, signed: SignedPlugin, publisher: PublicKey): ClassLoader {
    require(signed.version >= lastVersion(context)) { "older than the last one" }
    val bytes = signed.verified(publisher)
    val file = File(context.codeCacheDir, "plugin-${signed.version}.apk")
    file.delete()
    file.outputStream().use { output ->
        file.setReadOnly()
        output.write(bytes)
    }
    return DexClassLoader(file.path, null, context.applicationInfo.nativeLibraryDir, context.classLoader)
}
