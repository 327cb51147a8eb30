import android.webkit.WebView;

final class WebDebugging {
    private WebDebugging() {}

    /** Once at start, with BuildConfig.DEBUG. */
    static void apply(boolean debugBuild) {
        WebView.setWebContentsDebuggingEnabled(debugBuild);
    }
}
