import WebKit

final class Bridge: NSObject, WKScriptMessageHandler {
    func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
        let origin = message.frameInfo.securityOrigin
        guard message.frameInfo.isMainFrame, origin.`protocol` == "https", origin.host == "m.example.com",
              let action = message.body as? String else { return }
        switch action {
        case "share": share()
        case "close": close()
        default: break
        }
    }
    private func share() {}
    private func close() {}
}
