fun share(context: Context, uri: Uri, receiver: String) {
    context.grantUriPermission(receiver, uri, Intent.FLAG_GRANT_READ_URI_PERMISSION)
}
fun endShare(context: Context, uri: Uri) =
    context.revokeUriPermission(uri, Intent.FLAG_GRANT_READ_URI_PERMISSION)
