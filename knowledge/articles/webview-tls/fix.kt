webView.settings.mixedContentMode = WebSettings.MIXED_CONTENT_NEVER_ALLOW
webView.webViewClient = object : WebViewClient() {
    override fun onReceivedSslError(view: WebView, handler: SslErrorHandler, error: SslError) {
        handler.cancel()
        view.loadUrl("about:blank")
        showConnectionNotSafe()
    }
}
