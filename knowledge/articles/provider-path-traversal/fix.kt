override fun openFile(uri: Uri, mode: String): ParcelFileDescriptor {
    val root = File(requireNotNull(context).filesDir, "share").canonicalFile
    val file = File(root, uri.lastPathSegment ?: throw FileNotFoundException()).canonicalFile
    if (!file.startsWith(root)) throw FileNotFoundException()
    return ParcelFileDescriptor.open(file, ParcelFileDescriptor.MODE_READ_ONLY)
}
