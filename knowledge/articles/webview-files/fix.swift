import WebKit

func show(_ page: URL, in view: WKWebView) {
    view.loadFileURL(page, allowingReadAccessTo: page.deletingLastPathComponent())
}
