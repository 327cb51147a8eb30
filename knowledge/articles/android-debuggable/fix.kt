// build.gradle.kts of the application module
android {
    buildTypes {
        release {
            isDebuggable = false
            isJniDebuggable = false
            isMinifyEnabled = true
        }
    }
}

// A second line of defence at start; it only notices, packages are judged in the pipeline.
fun isDebugBuild(context: Context): Boolean =
    context.applicationInfo.flags and ApplicationInfo.FLAG_DEBUGGABLE != 0
