import android.webkit.WebView;

final class WebDebugging {
    private WebDebugging() {}

    /** Once, after the SDKs are initialised, with BuildConfig.DEBUG. */
    static void apply(boolean debugBuild) {
        WebView.setWebContentsDebuggingEnabled(debugBuild);
    }
}
