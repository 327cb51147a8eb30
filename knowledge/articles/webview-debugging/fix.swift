import WebKit

func configure(_ view: WKWebView) {
    #if DEBUG
    if #available(iOS 16.4, *) { view.isInspectable = true }
    #endif
}
