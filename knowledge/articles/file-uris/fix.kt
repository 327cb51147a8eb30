fun openChosen(context: Context, uri: Uri): InputStream? {
    if (uri.scheme != ContentResolver.SCHEME_CONTENT) return null
    if (uri.authority.orEmpty().startsWith(context.packageName)) return null
    return context.contentResolver.openInputStream(uri)
}
