private val binder = object : IUpdate.Stub() {
    override fun download(url: String) {
        requireOwnApp(packageManager, packageName)      // see the article on custom permissions
        require(url.length < 2048 && Uri.parse(url).host == "download.example.com")
        queue.add(url)
    }
}
