// Not compiled here 不在此处编译: this repository is built without a Swift compiler. Run the published vectors before use (README.md).

/// The curve of GB/T 32918.5 and the key exchange of GB/T 32918.3, client side. Numbers have eight 32-bit limbs, the lowest first, in
/// Montgomery form; addition is complete (Renes, Costello and Batina, 2015, algorithm 4, a = -3).
enum Sm2 {
  typealias Number = [UInt64]
  typealias Point = [Number]
  private static let limb: UInt64 = 0xffff_ffff
  private static let p = number("fffffffeffffffffffffffffffffffffffffffff00000000ffffffffffffffff")
  private static let n = number("fffffffeffffffffffffffffffffffff7203df6b21c6052b53bbf40939d54123")
  private static let a = "fffffffeffffffffffffffffffffffffffffffff00000000fffffffffffffffc"
  private static let b = "28e9fa9e9d9f5e344d5a9e4bcf6509a7f39789f515ab8f92ddbcbd414d940e93"
  private static let gx = "32c4ae2c1f1981195f9904466a39c9948fe30bbff2660be1715a4589334c74c7"
  private static let gy = "bc3736a2f4f6779c59bdcee36b692153d0a9877cc62a474002df32e52139f0a0"
  /// For each modulus: 2^512, and the factor of a reduction, -1 / modulus mod 2^32.
  private static let fieldP = Field(p)
  private static let fieldN = Field(n)
  private static let one = fieldP.enter([1, 0, 0, 0, 0, 0, 0, 0])
  private static let aField = fieldP.enter(number(a))
  private static let bField = fieldP.enter(number(b))
  private static let generator: Point = [fieldP.enter(number(gx)), fieldP.enter(number(gy)), one]

  struct Pair {
    let privateKey: Number
    let publicKey: [UInt8]
  }

  /// The scalar is (48 random bytes mod (n - 2)) + 1.
  static func newPair(_ random: RandomSource) -> Pair {
    let seed = random(48)
    let limit = minus2(n)
    // 48 bytes, a bit at a time.
    var value = Number(repeating: 0, count: 8)
    for byte in seed {
      for bit in (0..<8).reversed() {
        value = doubledBelow(value, UInt64(byte >> UInt8(bit) & 1), limit)
      }
    }
    let (scalar, _) = added(value, [1, 0, 0, 0, 0, 0, 0, 0])
    return Pair(privateKey: scalar, publicKey: bytes(multiply(generator, scalar))!)
  }

  /// Key (32 bytes) and proof of the server; nil where a key of the server is no point of the curve.
  static func exchange(
    _ own: Pair, _ ownEphemeral: Pair, _ ownId: String, _ peer: [UInt8], _ peerEphemeral: [UInt8], _ peerId: String
  ) -> (key: [UInt8], proof: [UInt8])? {
    guard let peerPoint = point(peer), let peerEphemeralPoint = point(peerEphemeral) else { return nil }
    let product = fieldN.leave(
      fieldN.multiply(fieldN.enter(reduced(ownEphemeral.publicKey)), fieldN.enter(ownEphemeral.privateKey)))
    let secret = fieldN.plus(product, own.privateKey)
    let sum = add(peerPoint, multiply(peerEphemeralPoint, reduced(peerEphemeral)))
    guard let shared = bytes(multiply(sum, secret)) else { return nil }
    let x = Array(shared[1..<33])
    let y = Array(shared[33...])
    let identities = identity(ownId, own.publicKey) + identity(peerId, peer)
    let points = Array(ownEphemeral.publicKey[1...]) + Array(peerEphemeral[1...])
    let key = Gm.sm3(x + y + identities + [0, 0, 0, 1])
    return (key, Gm.sm3([2] + y + Gm.sm3(x + identities + points)))
  }

  static func isPoint(_ bytes: [UInt8]) -> Bool { point(bytes) != nil }

  private static func identity(_ id: String, _ publicKey: [UInt8]) -> [UInt8] {
    let text = Bytes.utf8(id)
    let curve = [a, b, gx, gy].flatMap { bytes32(number($0)) }
    return Gm.sm3(Bytes.uint(UInt64(text.count * 8), 2) + text + curve + Array(publicKey[1...]))
  }

  /// 2^127 and the lower 127 bits of x.
  private static func reduced(_ publicKey: [UInt8]) -> Number {
    var low = Array(publicKey[17..<33])
    low[0] |= 0x80
    return numberOf([UInt8](repeating: 0, count: 16) + low)
  }

  // Points: X, Y, Z of the projective form.

  private static func point(_ bytes: [UInt8]) -> Point? {
    guard bytes.count == 65, bytes[0] == 4 else { return nil }
    let (x, y) = (numberOf(Array(bytes[1..<33])), numberOf(Array(bytes[33...])))
    guard isBelow(x, p), isBelow(y, p) else { return nil }
    let (fx, fy) = (fieldP.enter(x), fieldP.enter(y))
    let square = fieldP.multiply(fx, fx)
    let right = fieldP.plus(fieldP.multiply(fieldP.plus(square, aField), fx), bField)
    return fieldP.multiply(fy, fy) == right ? [fx, fy, one] : nil
  }

  /// Nil for the point at infinity.
  private static func bytes(_ point: Point) -> [UInt8]? {
    if fieldP.leave(point[2]).allSatisfy({ $0 == 0 }) { return nil }
    let inverse = fieldP.power(point[2], minus2(p))
    let x = fieldP.leave(fieldP.multiply(point[0], inverse))
    let y = fieldP.leave(fieldP.multiply(point[1], inverse))
    return [4] + bytes32(x) + bytes32(y)
  }

  private static func multiply(_ point: Point, _ scalar: Number) -> Point {
    let zero = Number(repeating: 0, count: 8)
    var table: [Point] = [[zero, one, zero]]
    for i in 1..<16 { table.append(add(table[i - 1], point)) }
    var sum = table[0]
    for byte in bytes32(scalar) {
      for digit in [byte >> 4, byte & 15] {
        for _ in 0..<4 { sum = add(sum, sum) }
        sum = add(sum, selected(table, UInt64(digit)))
      }
    }
    return sum
  }

  /// Reads every entry, so that no address depends on the digit.
  private static func selected(_ table: [Point], _ digit: UInt64) -> Point {
    var out = Point(repeating: Number(repeating: 0, count: 8), count: 3)
    for i in 0..<16 {
      let mask = 0 &- (((UInt64(i) ^ digit) &- 1) >> 63)
      for part in 0..<3 { for j in 0..<8 { out[part][j] |= table[i][part][j] & mask } }
    }
    return out
  }

  private static func add(_ one: Point, _ two: Point) -> Point {
    let f = fieldP
    var t0 = f.multiply(one[0], two[0])
    var t1 = f.multiply(one[1], two[1])
    var t2 = f.multiply(one[2], two[2])
    let t3 = f.minus(f.multiply(f.plus(one[0], one[1]), f.plus(two[0], two[1])), f.plus(t0, t1))
    let t4 = f.minus(f.multiply(f.plus(one[1], one[2]), f.plus(two[1], two[2])), f.plus(t1, t2))
    var y = f.minus(f.multiply(f.plus(one[0], one[2]), f.plus(two[0], two[2])), f.plus(t0, t2))
    var x = f.minus(y, f.multiply(bField, t2))
    x = f.plus(x, f.plus(x, x))
    var z = f.minus(t1, x)
    x = f.plus(t1, x)
    y = f.multiply(bField, y)
    t2 = f.plus(t2, f.plus(t2, t2))
    y = f.minus(f.minus(y, t2), t0)
    y = f.plus(y, f.plus(y, y))
    t0 = f.minus(f.plus(t0, f.plus(t0, t0)), t2)
    t1 = f.multiply(t4, y)
    t2 = f.multiply(t0, y)
    y = f.plus(f.multiply(x, z), t2)
    x = f.minus(f.multiply(t3, x), t1)
    z = f.plus(f.multiply(t4, z), f.multiply(t3, t0))
    return [x, y, z]
  }

  // Numbers.

  private static func numberOf(_ bytes: [UInt8]) -> Number {
    (0..<8).map { Bytes.readUint(bytes, 28 - 4 * $0, 4) }
  }

  private static func number(_ hex: String) -> Number {
    let digits = Array(hex)
    return (0..<8).map { UInt64(String(digits[(56 - 8 * $0)..<(64 - 8 * $0)]), radix: 16)! }
  }

  private static func bytes32(_ number: Number) -> [UInt8] {
    number.reversed().flatMap { Bytes.uint($0, 4) }
  }

  private static func isBelow(_ one: Number, _ two: Number) -> Bool {
    subtracted(one, two).borrow != 0
  }

  private static func minus2(_ number: Number) -> Number {
    subtracted(number, [2, 0, 0, 0, 0, 0, 0, 0]).number
  }

  fileprivate static func added(_ one: Number, _ two: Number) -> (number: Number, carry: UInt64) {
    var out = Number(repeating: 0, count: 8)
    var carry: UInt64 = 0
    for i in 0..<8 {
      let s = one[i] + two[i] + carry
      out[i] = s & limb
      carry = s >> 32
    }
    return (out, carry)
  }

  /// borrow: 1 where the second is greater.
  fileprivate static func subtracted(_ one: Number, _ two: Number) -> (number: Number, borrow: UInt64) {
    var out = Number(repeating: 0, count: 8)
    var borrow: UInt64 = 0
    for i in 0..<8 {
      let s = one[i] &- two[i] &- borrow
      out[i] = s & limb
      borrow = s >> 63
    }
    return (out, borrow)
  }

  /// 2 · value + bit, below the limit; value is below it.
  private static func doubledBelow(_ value: Number, _ bit: UInt64, _ limit: Number) -> Number {
    let (twice, carry) = added(value, value)
    var sum = twice
    sum[0] |= bit
    return belowModulus(sum, carry, limit)
  }

  /// Subtracts the modulus from a number below twice of it, `top` being its ninth limb, where it is not below.
  fileprivate static func belowModulus(_ number: Number, _ top: UInt64, _ modulus: Number) -> Number {
    let (less, borrow) = subtracted(number, modulus)
    // All ones where the number was below the modulus.
    let keep = 0 &- (borrow & ~top & 1)
    return (0..<8).map { number[$0] & keep | less[$0] & ~keep }
  }

  /// Arithmetic modulo an odd number of 256 bits.
  fileprivate struct Field {
    let modulus: Number
    let square: Number
    let factor: UInt64

    init(_ modulus: Number) {
      self.modulus = modulus
      // -1 / modulus mod 2^32 by Newton's steps.
      var inverse: UInt64 = 1
      for _ in 0..<5 { inverse = inverse &* (2 &- modulus[0] &* inverse) & 0xffff_ffff }
      factor = (0 &- inverse) & 0xffff_ffff
      var value: Number = [1, 0, 0, 0, 0, 0, 0, 0]
      for _ in 0..<512 {
        let (twice, carry) = Sm2.added(value, value)
        value = Sm2.belowModulus(twice, carry, modulus)
      }
      square = value
    }

    func enter(_ number: Number) -> Number { multiply(number, square) }
    func leave(_ number: Number) -> Number { multiply(number, [1, 0, 0, 0, 0, 0, 0, 0]) }

    /// a · b / 2^256.
    func multiply(_ a: Number, _ b: Number) -> Number {
      var t = Number(repeating: 0, count: 9)
      for i in 0..<8 {
        var carry: UInt64 = 0
        for j in 0..<8 {
          let s = t[j] + a[j] * b[i] + carry
          t[j] = s & 0xffff_ffff
          carry = s >> 32
        }
        var top = t[8] + carry
        let m = t[0] &* factor & 0xffff_ffff
        carry = (t[0] + m * modulus[0]) >> 32
        for j in 1..<8 {
          let s = t[j] + m * modulus[j] + carry
          t[j - 1] = s & 0xffff_ffff
          carry = s >> 32
        }
        top += carry
        t[7] = top & 0xffff_ffff
        t[8] = top >> 32
      }
      return Sm2.belowModulus(Array(t[0..<8]), t[8], modulus)
    }

    func plus(_ a: Number, _ b: Number) -> Number {
      let (sum, carry) = Sm2.added(a, b)
      return Sm2.belowModulus(sum, carry, modulus)
    }

    func minus(_ a: Number, _ b: Number) -> Number {
      let (difference, borrow) = Sm2.subtracted(a, b)
      let mask = 0 &- borrow
      return Sm2.added(difference, modulus.map { $0 & mask }).number
    }

    /// The exponent is public.
    func power(_ number: Number, _ exponent: Number) -> Number {
      var out = enter([1, 0, 0, 0, 0, 0, 0, 0])
      for limb in exponent.reversed() {
        for bit in (0..<32).reversed() {
          out = multiply(out, out)
          if limb >> UInt64(bit) & 1 == 1 { out = multiply(out, number) }
        }
      }
      return out
    }
  }
}
