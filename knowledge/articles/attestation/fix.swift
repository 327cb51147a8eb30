import CryptoKit
import DeviceCheck

func attest(challenge: Data) async throws -> (key: String, attestation: Data) {
    let service = DCAppAttestService.shared
    guard service.isSupported else { throw DCError(.featureUnsupported) }
    let key = try await service.generateKey()
    let hash = Data(SHA256.hash(data: challenge))
    return (key, try await service.attestKey(key, clientDataHash: hash))
}
