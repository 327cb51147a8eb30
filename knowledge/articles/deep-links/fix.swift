import Foundation

func code(from activity: NSUserActivity, expectedState: String) -> String? {
    guard activity.activityType == NSUserActivityTypeBrowsingWeb, let url = activity.webpageURL,
          let parts = URLComponents(url: url, resolvingAgainstBaseURL: false),
          parts.scheme == "https", parts.host == "example.com", parts.path == "/callback" else { return nil }
    func value(_ name: String) -> String? { parts.queryItems?.first { $0.name == name }?.value }
    guard value("state") == expectedState else { return nil }
    return value("code")
}
