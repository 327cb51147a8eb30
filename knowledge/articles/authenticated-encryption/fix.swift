import CryptoKit
import Foundation

func seal(_ text: Data, with key: SymmetricKey, purpose: String) throws -> Data {
    try AES.GCM.seal(text, using: key, authenticating: Data(purpose.utf8)).combined!
}

func open(_ sealed: Data, with key: SymmetricKey, purpose: String) throws -> Data {
    try AES.GCM.open(AES.GCM.SealedBox(combined: sealed), using: key, authenticating: Data(purpose.utf8))
}
