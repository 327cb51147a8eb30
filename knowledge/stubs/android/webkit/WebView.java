package android.webkit;

public class WebView {
    public void loadUrl(String url) {}
    public WebSettings getSettings() { return null; }
    public static void setWebContentsDebuggingEnabled(boolean enabled) {}
}
