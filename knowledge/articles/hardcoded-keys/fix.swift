import Foundation
import Security

func storedKey(_ account: String) throws -> Data {
    var query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "com.example.app", kSecAttrAccount: account,
    ]
    var found: CFTypeRef?
    query[kSecReturnData] = true
    if SecItemCopyMatching(query as CFDictionary, &found) == errSecSuccess, let data = found as? Data { return data }
    var fresh = Data(count: 32)
    let status = fresh.withUnsafeMutableBytes { SecRandomCopyBytes(kSecRandomDefault, 32, $0.baseAddress!) }
    guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
    query[kSecReturnData] = nil
    query[kSecValueData] = fresh
    query[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    let added = SecItemAdd(query as CFDictionary, nil)
    guard added == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(added)) }
    return fresh
}
