fun startFromPage(activity: Activity, uri: String) {
    val intent = try { Intent.parseUri(uri, Intent.URI_INTENT_SCHEME) } catch (bad: URISyntaxException) { return }
    intent.addCategory(Intent.CATEGORY_BROWSABLE)
    intent.component = null
    intent.selector = null
    intent.flags = Intent.FLAG_ACTIVITY_NEW_TASK
    try { activity.startActivity(intent) } catch (none: ActivityNotFoundException) { /* nothing opens it */ }
}
