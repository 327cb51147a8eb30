// Debug builds only: fail at the first use
if (BuildConfig.DEBUG && Build.VERSION.SDK_INT >= 28)
    StrictMode.setVmPolicy(StrictMode.VmPolicy.Builder().detectNonSdkApiUsage().penaltyLog().build())
