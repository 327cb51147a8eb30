// Not compiled here 不在此处编译: this repository is built without a Swift compiler. Run the published vectors before use (README.md).

/// Why an answer or response is not opened.
public enum Refusal: Error {
  case malformed, version, point, notConfirmed, session, tag, sequence, body, tooLong
}

/// What the client keeps of a handshake (protocol.md). Times in Unix seconds of the server's clock.
public struct Session {
  public static let maxLifetime: UInt64 = 1800
  public static let maxSequence: UInt32 = 0xffffff
  public static let maxPlaintext = 8 * 1024 * 1024
  let id: [UInt8]
  public let created: UInt64
  public let expires: UInt64
  /// 96 bytes: SM4 and HMAC key of requests, SM4 and HMAC key of responses.
  let keys: [UInt8]

  static func head(_ kind: UInt8) -> [UInt8] { [1, 3, kind, 0] }
}

/// A handshake that waits for its one answer.
public struct PendingHandshake {
  public let hello: [UInt8]
  private let keyId: UInt32
  private let publicKey: [UInt8]
  private let pair: Sm2.Pair
  private let ephemeral: Sm2.Pair

  /// `now` in Unix seconds.
  public init(keyId: UInt32, publicKey: [UInt8], now: UInt64, random: RandomSource) {
    self.keyId = keyId
    self.publicKey = publicKey
    pair = Sm2.newPair(random)
    ephemeral = Sm2.newPair(random)
    let head = Session.head(1) + Bytes.uint(UInt64(keyId), 4) + Bytes.uint(now, 8)
    hello = head + random(16) + pair.publicKey + ephemeral.publicKey
  }

  /// Throws for anything but the answer of the server that holds the private key.
  public func finish(_ answer: [UInt8]) throws -> Session {
    guard answer.count == 159 else { throw Refusal.malformed }
    guard Array(answer[0..<4]) == Session.head(2) else { throw Refusal.version }
    let offer = Array(answer[0..<95])
    let hex = String(keyId, radix: 16)
    let serverId = "AW-ENV1-03-server-" + String(repeating: "0", count: 8 - hex.count) + hex
    guard
      let made = Sm2.exchange(pair, ephemeral, "AW-ENV1-03-client", publicKey, Array(answer[30..<95]), serverId)
    else { throw Refusal.point }
    let keys = Gm.hkdf(made.key, Gm.sm3(hello + offer), Bytes.utf8("AW-ENV1-03"), 128)
    let tag = Gm.hmac(Array(keys[96...]), Bytes.utf8("ans") + hello + Array(answer[0..<127]))
    let proofHolds = Bytes.same(made.proof, Array(answer[95..<127]))
    let tagHolds = Bytes.same(tag, Array(answer[127...]))
    let created = Bytes.readUint(answer, 20, 8)
    let lifetime = Bytes.readUint(answer, 28, 2)
    guard proofHolds, tagHolds, lifetime > 0, lifetime <= Session.maxLifetime else { throw Refusal.notConfirmed }
    return Session(
      id: Array(answer[4..<20]), created: created, expires: created + lifetime, keys: Array(keys[0..<96]))
  }
}

extension Session {
  /// `path` as in the request line, without query; `iv` 16 random bytes; `time` of the server's clock.
  public func sealRequest(
    _ plaintext: [UInt8], method: String, path: String, sequence: UInt32, time: UInt64, iv: [UInt8]
  ) throws -> [UInt8] {
    guard sequence >= 1, sequence <= Session.maxSequence else { throw Refusal.sequence }
    guard plaintext.count <= Session.maxPlaintext, let m = Bytes.counted(method), let p = Bytes.counted(path)
    else { throw Refusal.tooLong }
    let head = Session.head(3) + id + Bytes.uint(UInt64(sequence), 4) + Bytes.uint(time, 8) + iv
    let sealed = head + Gm.encrypt(Array(keys[0..<16]), iv, plaintext)
    return sealed + Gm.hmac(Array(keys[16..<48]), Bytes.utf8("req") + m + p + sealed)
  }

  /// The plaintext of the response to the request with this number.
  public func openResponse(_ message: [UInt8], status: Int, sequence: UInt32) throws -> [UInt8] {
    let length = message.count - 80
    guard length >= 16, length % 16 == 0, length <= Session.maxPlaintext + 16 else { throw Refusal.malformed }
    guard Array(message[0..<4]) == Session.head(4) else { throw Refusal.version }
    guard Bytes.same(Array(message[4..<20]), id) else { throw Refusal.session }
    let sealed = Array(message[0..<(message.count - 32)])
    let covered = Bytes.utf8("rsp") + Bytes.uint(UInt64(status), 2) + sealed
    guard Bytes.same(Gm.hmac(Array(keys[64..<96]), covered), Array(message[(message.count - 32)...]))
    else { throw Refusal.tag }
    guard Bytes.readUint(message, 20, 4) == UInt64(sequence) else { throw Refusal.sequence }
    guard let plain = Gm.decrypt(Array(keys[48..<64]), Array(message[32..<48]), Array(sealed[48...]))
    else { throw Refusal.tag }
    return plain
  }
}

/// The plaintext of a message over HTTP (protocol.md, HTTP).
enum HttpBody {
  static let handshakePath = "/.well-known/appwarden-session"
  static let mediaType = "application/vnd.appwarden.session"
  static let messageHeader = "aw-message"

  static func ofRequest(contentType: String, query: String, body: [UInt8]) throws -> [UInt8] {
    let isAscii = contentType.utf8.allSatisfy { $0 >= 32 && $0 < 127 }
    let isQuery = query.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != 35 }
    guard isAscii, isQuery, let type = Bytes.counted(contentType), let words = Bytes.counted(query)
    else { throw Refusal.body }
    return type + words + body
  }

  static func readResponse(_ plaintext: [UInt8]) throws -> (contentType: String, body: [UInt8]) {
    guard plaintext.count >= 2 else { throw Refusal.body }
    let end = 2 + Int(Bytes.readUint(plaintext, 0, 2))
    guard plaintext.count >= end else { throw Refusal.body }
    let text = plaintext[2..<end]
    guard text.allSatisfy({ $0 >= 32 && $0 < 127 }) else { throw Refusal.body }
    return (String(decoding: text, as: UTF8.self), Array(plaintext[end...]))
  }
}
