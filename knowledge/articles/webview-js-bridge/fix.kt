if (WebViewFeature.isFeatureSupported(WebViewFeature.WEB_MESSAGE_LISTENER)) {
    WebViewCompat.addWebMessageListener(webView, "native", setOf("https://m.example.com")) {
            _, message, sourceOrigin, isMainFrame, reply ->
        if (!isMainFrame || sourceOrigin.host != "m.example.com") return@addWebMessageListener
        when (message.data) {
            "share" -> share()
            "close" -> finish()
            else -> reply.postMessage("unknown")
        }
    }
}
