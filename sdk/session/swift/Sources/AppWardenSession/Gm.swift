// Not compiled here 不在此处编译: this repository is built without a Swift compiler. Run the published vectors before use (README.md).

/// SM3 (GB/T 32905), HMAC and HKDF over it, and SM4 in CBC mode (GB/T 32907).
enum Gm {
  private static let blockSize = 64
  private static let start: [UInt32] = [
    0x7380166f, 0x4914b2b9, 0x172442d7, 0xda8a0600, 0xa96f30bc, 0x163138aa, 0xe38dee4d, 0xb0fb0e4e,
  ]

  static func sm3(_ data: [UInt8]) -> [UInt8] {
    let zeros = (119 - data.count % 64) % 64
    let padded = data + [0x80] + [UInt8](repeating: 0, count: zeros) + Bytes.uint(UInt64(data.count) * 8, 8)
    var state = start
    var w = [UInt32](repeating: 0, count: 68)
    for at in stride(from: 0, to: padded.count, by: blockSize) { compress(&state, padded, at, &w) }
    return state.flatMap { Bytes.uint(UInt64($0), 4) }
  }

  private static func compress(_ state: inout [UInt32], _ data: [UInt8], _ from: Int, _ w: inout [UInt32]) {
    for i in 0..<16 { w[i] = word(data, from + 4 * i) }
    for i in 16..<68 {
      let mixed = w[i - 16] ^ w[i - 9] ^ rotated(w[i - 3], 15)
      w[i] = mixed ^ rotated(mixed, 15) ^ rotated(mixed, 23) ^ rotated(w[i - 13], 7) ^ w[i - 6]
    }
    var (a, b, c, d) = (state[0], state[1], state[2], state[3])
    var (e, f, g, h) = (state[4], state[5], state[6], state[7])
    for i in 0..<64 {
      let constant: UInt32 = i < 16 ? 0x79cc4519 : 0x7a879d8a
      let first = rotated(rotated(a, 12) &+ e &+ rotated(constant, UInt32(i % 32)), 7)
      let second = first ^ rotated(a, 12)
      let ff = i < 16 ? a ^ b ^ c : (a & b) | (a & c) | (b & c)
      let gg = i < 16 ? e ^ f ^ g : (e & f) | (~e & g)
      let one = ff &+ d &+ second &+ (w[i] ^ w[i + 4])
      let two = gg &+ h &+ first &+ w[i]
      d = c
      c = rotated(b, 9)
      b = a
      a = one
      h = g
      g = rotated(f, 19)
      f = e
      e = two ^ rotated(two, 9) ^ rotated(two, 17)
    }
    for (i, value) in [a, b, c, d, e, f, g, h].enumerated() { state[i] ^= value }
  }

  static func hmac(_ key: [UInt8], _ data: [UInt8]) -> [UInt8] {
    let short = key.count > blockSize ? sm3(key) : key
    let block = short + [UInt8](repeating: 0, count: blockSize - short.count)
    return sm3(block.map { $0 ^ 0x5c } + sm3(block.map { $0 ^ 0x36 } + data))
  }

  /// RFC 5869.
  static func hkdf(_ key: [UInt8], _ salt: [UInt8], _ info: [UInt8], _ length: Int) -> [UInt8] {
    let pseudoRandomKey = hmac(salt, key)
    var block: [UInt8] = []
    var out: [UInt8] = []
    var counter: UInt8 = 1
    while out.count < length {
      block = hmac(pseudoRandomKey, block + info + [counter])
      out += block
      counter += 1
    }
    return Array(out.prefix(length))
  }

  private static let box: [UInt8] = {
    let lines = [
      "d690e9fecce13db716b614c228fb2c052b679a762abe04c3aa44132649860699",
      "9c4250f491ef987a33540b43edcfac62e4b31ca9c908e89580df94fa758f3fa6",
      "4707a7fcf37317ba83593c19e6854fa8686b81b27164da8bf8eb0f4b70569d35",
      "1e240e5e6358d1a225227c3b01217887d40046579fd327524c3602e7a0c4c89e",
      "eabf8ad240c738b5a3f7f2cef96115a1e0ae5da49b341a55ad933230f58cb1e3",
      "1df6e22e8266ca60c02923ab0d534e6fd5db3745defd8e2f03ff6a726d6c5b51",
      "8d1baf92bbddbc7f11d95c411f105ad80ac13188a5cd7bbd2d74d012b8e5b4b0",
      "8969974a0c96777e65b9f109c56ec68418f07dec3adc4d2079ee5f3ed7cb3948",
    ]
    let text = Array(lines.joined().utf8)
    let digit = { (c: UInt8) -> UInt8 in c < 58 ? c - 48 : c - 87 }
    return (0..<256).map { digit(text[2 * $0]) << 4 | digit(text[2 * $0 + 1]) }
  }()
  private static let familyKey: [UInt32] = [0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc]

  /// PKCS#7. Key and iv of 16 bytes.
  static func encrypt(_ key: [UInt8], _ iv: [UInt8], _ data: [UInt8]) -> [UInt8] {
    let padding = 16 - data.count % 16
    let padded = data + [UInt8](repeating: UInt8(padding), count: padding)
    let keys = roundKeys(key)
    var block = words(iv, 0)
    var out: [UInt8] = []
    out.reserveCapacity(padded.count)
    for at in stride(from: 0, to: padded.count, by: 16) {
      let plain = words(padded, at)
      block = crypt((0..<4).map { block[$0] ^ plain[$0] }, keys)
      for one in block { out += Bytes.uint(UInt64(one), 4) }
    }
    return out
  }

  /// Nil where length or padding is wrong.
  static func decrypt(_ key: [UInt8], _ iv: [UInt8], _ data: [UInt8]) -> [UInt8]? {
    guard !data.isEmpty, data.count % 16 == 0 else { return nil }
    let keys = [UInt32](roundKeys(key).reversed())
    var previous = words(iv, 0)
    var out: [UInt8] = []
    out.reserveCapacity(data.count)
    for at in stride(from: 0, to: data.count, by: 16) {
      let sealed = words(data, at)
      let block = crypt(sealed, keys)
      for i in 0..<4 { out += Bytes.uint(UInt64(block[i] ^ previous[i]), 4) }
      previous = sealed
    }
    let padding = Int(out[out.count - 1])
    guard padding >= 1, padding <= 16, out.suffix(padding).allSatisfy({ Int($0) == padding }) else { return nil }
    return Array(out.dropLast(padding))
  }

  private static func crypt(_ block: [UInt32], _ keys: [UInt32]) -> [UInt32] {
    var (a, b, c, d) = (block[0], block[1], block[2], block[3])
    for key in keys {
      let mixed = substituted(b ^ c ^ d ^ key)
      let next = a ^ mixed ^ rotated(mixed, 2) ^ rotated(mixed, 10) ^ rotated(mixed, 18) ^ rotated(mixed, 24)
      (a, b, c, d) = (b, c, d, next)
    }
    return [d, c, b, a]
  }

  private static func roundKeys(_ key: [UInt8]) -> [UInt32] {
    var k = words(key, 0)
    for i in 0..<4 { k[i] ^= familyKey[i] }
    for i in 0..<32 {
      var constant: UInt32 = 0
      for n in 0..<4 { constant = constant << 8 | UInt32((4 * i + n) * 7 & 255) }
      let mixed = substituted(k[i + 1] ^ k[i + 2] ^ k[i + 3] ^ constant)
      k.append(k[i] ^ mixed ^ rotated(mixed, 13) ^ rotated(mixed, 23))
    }
    return Array(k[4...])
  }

  private static func substituted(_ x: UInt32) -> UInt32 {
    UInt32(box[Int(x >> 24)]) << 24 | UInt32(box[Int(x >> 16 & 255)]) << 16 | UInt32(box[Int(x >> 8 & 255)]) << 8
      | UInt32(box[Int(x & 255)])
  }

  private static func words(_ bytes: [UInt8], _ from: Int) -> [UInt32] {
    (0..<4).map { word(bytes, from + 4 * $0) }
  }

  private static func word(_ bytes: [UInt8], _ at: Int) -> UInt32 {
    UInt32(bytes[at]) << 24 | UInt32(bytes[at + 1]) << 16 | UInt32(bytes[at + 2]) << 8 | UInt32(bytes[at + 3])
  }

  private static func rotated(_ word: UInt32, _ by: UInt32) -> UInt32 {
    by == 0 ? word : word << by | word >> (32 - by)
  }
}
