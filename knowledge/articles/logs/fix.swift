import os

let log = Logger(subsystem: "com.example.app", category: "login")
func signedIn(_ user: String) {
    log.info("signed in as \(user, privacy: .private(mask: .hash))")
}
