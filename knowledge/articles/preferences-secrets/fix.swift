import Foundation
import Security

func saveToken(_ token: Data) -> OSStatus {
    let base: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "com.example.app", kSecAttrAccount: "token",
    ]
    SecItemDelete(base as CFDictionary)
    var item = base
    item[kSecValueData] = token
    item[kSecAttrAccessible] = kSecAttrAccessibleWhenUnlockedThisDeviceOnly
    return SecItemAdd(item as CFDictionary, nil)
}
