import CFNetwork
import Foundation

func hasProxy() -> Bool {
    guard let settings = CFNetworkCopySystemProxySettings()?.takeRetainedValue() as? [String: Any] else { return false }
    return settings["HTTPProxy"] != nil || settings["ProxyAutoConfigURLString"] != nil
}
