import Foundation

func jailbreakSigns() -> [String] {
    var signs = ["/Applications/Cydia.app", "/var/jb", "/usr/sbin/sshd", "/Library/MobileSubstrate/MobileSubstrate.dylib"]
        .filter { FileManager.default.fileExists(atPath: $0) }
    let probe = "/private/\(UUID().uuidString)"
    if (try? "x".write(toFile: probe, atomically: true, encoding: .utf8)) != nil {
        try? FileManager.default.removeItem(atPath: probe)
        signs.append("wrote outside the sandbox")
    }
    return signs
}
