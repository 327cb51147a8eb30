// Needs buildFeatures { buildConfig = true }
object Note {
    inline fun debug(text: () -> String) {
        if (BuildConfig.DEBUG) Log.d("app", text())
    }
}
