fun looksCloned(context: Context): Boolean =
    !context.filesDir.path.matches(Regex("/data/(?:user/\\d+|data)/${Regex.escape(context.packageName)}/files"))
