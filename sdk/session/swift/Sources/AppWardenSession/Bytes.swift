// Not compiled here 不在此处编译: this repository is built without a Swift compiler. Run the published vectors before use (README.md).
import Foundation

/// Byte strings as the protocol writes them: numbers are big-endian, base64url is without padding and in its one canonical form.
enum Bytes {
  static func uint(_ value: UInt64, _ size: Int) -> [UInt8] {
    (0..<size).map { UInt8(truncatingIfNeeded: value >> UInt64(8 * (size - 1 - $0))) }
  }

  static func readUint(_ bytes: [UInt8], _ from: Int, _ size: Int) -> UInt64 {
    bytes[from..<from + size].reduce(0) { $0 << 8 | UInt64($1) }
  }

  static func utf8(_ text: String) -> [UInt8] { Array(text.utf8) }

  /// Nil for more than 65,535 bytes.
  static func counted(_ text: String) -> [UInt8]? {
    let bytes = utf8(text)
    return bytes.count > 0xffff ? nil : uint(UInt64(bytes.count), 2) + bytes
  }

  /// Compares in the same time wherever the difference is.
  static func same(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    guard a.count == b.count else { return false }
    var difference: UInt8 = 0
    for at in 0..<a.count { difference |= a[at] ^ b[at] }
    return difference == 0
  }

  static func toBase64url(_ bytes: [UInt8]) -> String {
    Data(bytes).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-")
      .replacingOccurrences(of: "/", with: "_")
      .replacingOccurrences(of: "=", with: "")
  }

  /// Nil for anything but the canonical form.
  static func fromBase64url(_ text: String) -> [UInt8]? {
    guard !text.contains("+"), !text.contains("/"), !text.contains("=") else { return nil }
    let standard = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    let padded = standard + String(repeating: "=", count: (4 - standard.count % 4) % 4)
    guard let data = Data(base64Encoded: padded) else { return nil }
    let bytes = [UInt8](data)
    return toBase64url(bytes) == text ? bytes : nil
  }
}

/// So many random bytes; tests give fixed ones.
public typealias RandomSource = (Int) -> [UInt8]

/// The platform's. It ends the app where the system has no random bytes.
public func secureRandom(_ length: Int) -> [UInt8] {
  var generator = SystemRandomNumberGenerator()
  return (0..<length).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
}
