import Foundation

func isOurs(_ text: String) -> Bool {
    guard let parts = URLComponents(string: text), parts.scheme == "https", parts.user == nil,
          let host = parts.host?.lowercased() else { return false }
    return host == "example.com" || host.hasSuffix(".example.com")
}
