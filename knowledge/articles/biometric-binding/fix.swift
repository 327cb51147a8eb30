import Foundation
import LocalAuthentication
import Security

func save(_ token: Data) throws {
    let access = SecAccessControlCreateWithFlags(nil, kSecAttrAccessibleWhenPasscodeSetThisDeviceOnly, .biometryCurrentSet, nil)!
    let item: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "com.example.app", kSecAttrAccount: "session",
        kSecAttrAccessControl: access, kSecValueData: token,
    ]
    let status = SecItemAdd(item as CFDictionary, nil)
    guard status == errSecSuccess else { throw NSError(domain: NSOSStatusErrorDomain, code: Int(status)) }
}
