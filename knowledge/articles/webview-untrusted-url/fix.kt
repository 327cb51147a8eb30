fun isOurs(text: String): Boolean {
    val uri = try { URI(text) } catch (bad: URISyntaxException) { return false }
    val host = uri.host?.lowercase() ?: return false
    return uri.scheme == "https" && uri.userInfo == null &&
        (host == "example.com" || host.endsWith(".example.com"))
}
