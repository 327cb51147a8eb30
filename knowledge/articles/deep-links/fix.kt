fun codeOf(intent: Intent, expectedState: String): String? {
    val uri = intent.data ?: return null
    val ours = uri.scheme == "https" && uri.host == "example.com" && uri.path == "/callback"
    if (!ours || uri.getQueryParameter("state") != expectedState) return null
    return uri.getQueryParameter("code")?.takeIf { it.length in 8..512 }
}
