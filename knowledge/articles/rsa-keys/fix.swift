import Foundation
import Security

func wrap(_ session: Data, for server: SecKey) -> Data? {
    SecKeyCreateEncryptedData(server, .rsaEncryptionOAEPSHA256, session as CFData, nil) as Data?
}
