private val binder = object : IUpdate.Stub() {
    override fun download(url: String) {
        requireOwnApp(packageManager, packageName)      // see the article on custom permissions
        require(url.length <= 2048)
        val uri = URI(url)
        require(uri.scheme == "https" && uri.userInfo == null && uri.host == "download.example.com")
        queue.add(url)
    }
}
