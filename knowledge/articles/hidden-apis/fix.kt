// Debug builds only: every use is logged
if (BuildConfig.DEBUG && Build.VERSION.SDK_INT >= 28)
    StrictMode.setVmPolicy(StrictMode.VmPolicy.Builder().detectNonSdkApiUsage().penaltyLog().build())
