import android.net.http.SslError;
import android.webkit.SslErrorHandler;
import android.webkit.WebView;
import android.webkit.WebViewClient;

final class StrictClient extends WebViewClient {
    private final Runnable tell;

    /** `tell` shows the user that the connection is not safe. */
    StrictClient(Runnable tell) {
        this.tell = tell;
    }

    @Override
    public void onReceivedSslError(WebView view, SslErrorHandler handler, SslError error) {
        handler.cancel();
        view.loadUrl("about:blank");
        tell.run();
    }
}
