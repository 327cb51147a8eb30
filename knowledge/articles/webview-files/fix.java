import android.webkit.WebSettings;
import android.webkit.WebView;

final class NoFiles {
    private NoFiles() {}

    @SuppressWarnings("deprecation")
    static void apply(WebView view) {
        WebSettings settings = view.getSettings();
        settings.setAllowFileAccess(false);
        settings.setAllowContentAccess(false);
        settings.setAllowFileAccessFromFileURLs(false);
        settings.setAllowUniversalAccessFromFileURLs(false);
    }
}
