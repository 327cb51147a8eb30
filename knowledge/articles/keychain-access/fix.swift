import Foundation
import Security

func tighten(_ account: String) -> OSStatus {
    let query: [CFString: Any] = [
        kSecClass: kSecClassGenericPassword, kSecAttrService: "com.example.app", kSecAttrAccount: account,
    ]
    let change: [CFString: Any] = [kSecAttrAccessible: kSecAttrAccessibleWhenUnlockedThisDeviceOnly]
    return SecItemUpdate(query as CFDictionary, change as CFDictionary)
}
