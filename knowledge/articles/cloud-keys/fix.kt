suspend fun upload(file: File) = withContext(Dispatchers.IO) {
    val target = api.uploadTarget(name = file.name, size = file.length())     // our server signs one address for ten minutes
    val request = Request.Builder().url(target.url).put(file.asRequestBody()).build()
    client.newCall(request).execute().use { check(it.isSuccessful) }
}
