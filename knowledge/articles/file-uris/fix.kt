fun openChosen(context: Context, uri: Uri): InputStream? {
    if (uri.scheme != ContentResolver.SCHEME_CONTENT) return null
    val host = uri.host ?: return null          // not the authority: it may begin with "0@"
    if (host.startsWith(context.packageName)) return null
    return context.contentResolver.openInputStream(uri)
}
