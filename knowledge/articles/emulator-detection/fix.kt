fun looksCloned(context: Context): Boolean =
    !context.filesDir.path.matches(Regex("(?:/data|/mnt/expand/[^/]+)/(?:user/\\d+|data)/${Regex.escape(context.packageName)}/files"))
