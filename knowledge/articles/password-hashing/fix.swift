import CommonCrypto
import Foundation

func derive(_ password: String, salt: Data, iterations: UInt32 = 600_000) -> Data? {
    var key = [UInt8](repeating: 0, count: 32)
    let status = salt.withUnsafeBytes { bytes in
        CCKeyDerivationPBKDF(
            CCPBKDFAlgorithm(kCCPBKDF2), password, password.utf8.count,
            bytes.bindMemory(to: UInt8.self).baseAddress, salt.count,
            CCPseudoRandomAlgorithm(kCCPRFHmacAlgSHA256), iterations, &key, key.count)
    }
    return status == kCCSuccess ? Data(key) : nil
}
