package android.webkit;

public class WebViewClient {
    public void onReceivedSslError(WebView view, SslErrorHandler handler, android.net.http.SslError error) {}
}
