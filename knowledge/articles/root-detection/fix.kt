fun rootSigns(): List<String> = buildList {
    listOf("/system/bin/su", "/system/xbin/su", "/sbin/su", "/data/adb/magisk").filterTo(this) { File(it).exists() }
    if (Build.TAGS?.contains("test-keys") == true) add("test-keys")
}
