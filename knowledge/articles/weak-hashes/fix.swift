import CryptoKit
import Foundation

func sign(_ message: Data, with key: SymmetricKey) -> Data {
    Data(HMAC<SHA256>.authenticationCode(for: message, using: key))
}

func verify(_ message: Data, _ given: Data, with key: SymmetricKey) -> Bool {
    HMAC<SHA256>.isValidAuthenticationCode(given, authenticating: message, using: key)
}
