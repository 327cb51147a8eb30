fun unzip(input: InputStream, folder: File, mostBytes: Long = 50_000_000, mostEntries: Int = 2000) {
    val root = folder.canonicalFile
    var total = 0L
    ZipInputStream(input).use { zip ->
        generateSequence { zip.nextEntry }.forEachIndexed { at, entry ->
            require(at < mostEntries) { "too many entries" }
            val file = File(folder, entry.name).canonicalFile
            require(file.startsWith(root)) { "outside the folder" }
            if (entry.isDirectory) return@forEachIndexed
            file.parentFile?.mkdirs()
            file.outputStream().use { output ->
                val buffer = ByteArray(8192)
                while (true) {
                    val count = zip.read(buffer)
                    if (count < 0) break
                    total += count
                    require(total <= mostBytes) { "too large" }
                    output.write(buffer, 0, count)
                }
            }
        }
    }
}
