import CryptoKit

func deviceKey() throws -> SecureEnclave.P256.KeyAgreement.PrivateKey {
    try SecureEnclave.P256.KeyAgreement.PrivateKey()   // store its dataRepresentation: a blob that only this device opens
}
