import Foundation
import LocalAuthentication
import Security

func save(_ token: Data) throws {
    let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)!
    var item: [CFString: Any] = [kSecClass: kSecClassGenericPassword, kSecAttrService: "com.example.app", kSecAttrAccount: "session"]
    SecItemDelete(item as CFDictionary)     // the item of the last sign-in, or adding fails with errSecDuplicateItem
    item[kSecAttrAccessControl] = access
    item[kSecValueData] = token
    let status = SecItemAdd(item as CFDictionary, nil)
    guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
}
