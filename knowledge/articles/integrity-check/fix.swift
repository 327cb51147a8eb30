import CryptoKit
import Foundation

func isGenuine(_ file: URL, expected: Data) throws -> Bool {
    let data = try Data(contentsOf: file, options: .mappedIfSafe)
    return Data(SHA256.hash(data: data)) == expected
}
