/** Bytes made of the digits of pi (RFC 2268, section 2). */
const PI_TABLE = Buffer.from(
  [
    'd978f9c419ddb5ed28e9fd794aa0d89dc67e37832b76538e624c6488448bfba2179a59f587b34f1361456d8d09817d32',
    'bd8f40eb86b77b0bf09521225c6b4e8254d66593ce60b21c7356c014a78cf1dc1275ca1f3bbee4d1423dd430a33cb626',
    '6fbf0eda4669075727f21d9bbc944303f811c7f690ef3ee706c3d52fc8661ed708e8eade8052eef784aa72ac354d6a2a',
    '961ad2715a1549744b9fd05e0418a4ecc2e0416e0f51cbcc2491af50a1f47039997c3a8523b8b47afc02365b25559731',
    '2d5dfa98e38a92ae05df2910676cbac9d300e6cfe19ea82c6316013f58e289a90d38341bab33ffb0bb480c5fb9b1cd2e',
    'c5f3db47e5a59c770aa62068fe7fc1ad',
  ].join(''),
  'hex',
)
const BLOCK = 8
const ROTATIONS = [1, 2, 3, 5] as const

/**
 * RC2 in CBC mode (RFC 2268), decrypting alone and without looking at the padding: key stores up to Java 8 encrypt certificates with
 * it, and OpenSSL 3 has it no more by default. `effectiveBits` is 40 or 128 there; `bytes` are whole blocks of 8.
 */
export function rc2CbcDecrypt(key: Uint8Array, effectiveBits: number, iv: Uint8Array, bytes: Uint8Array): Uint8Array {
  const words = expandKey(key, effectiveBits)
  const plain = new Uint8Array(bytes.length)
  let previous = iv
  for (let at = 0; at + BLOCK <= bytes.length; at += BLOCK) {
    const block = bytes.subarray(at, at + BLOCK)
    const opened = decryptBlock(words, block)
    for (let i = 0; i < BLOCK; i++) plain[at + i] = opened[i]! ^ previous[i]!
    previous = block
  }
  return plain
}

function expandKey(key: Uint8Array, effectiveBits: number): Uint16Array {
  const bytes = new Uint8Array(128)
  bytes.set(key)
  for (let i = key.length; i < 128; i++) bytes[i] = PI_TABLE[(bytes[i - 1]! + bytes[i - key.length]!) & 0xff]!
  const length = (effectiveBits + 7) >> 3
  const mask = 0xff >> (8 * length - effectiveBits)
  bytes[128 - length] = PI_TABLE[bytes[128 - length]! & mask]!
  for (let i = 127 - length; i >= 0; i--) bytes[i] = PI_TABLE[bytes[i + 1]! ^ bytes[i + length]!]!
  return Uint16Array.from({ length: 64 }, (_, i) => bytes[2 * i]! | (bytes[2 * i + 1]! << 8))
}

function decryptBlock(words: Uint16Array, block: Uint8Array): Uint8Array {
  const r = Uint16Array.from({ length: 4 }, (_, i) => block[2 * i]! | (block[2 * i + 1]! << 8))
  let next = 63
  const mix = () => {
    for (let i = 3; i >= 0; i--) {
      const shift = ROTATIONS[i]!
      r[i] = (r[i]! >>> shift) | (r[i]! << (16 - shift))
      r[i] = r[i]! - words[next--]! - (r[(i + 3) & 3]! & r[(i + 2) & 3]!) - (~r[(i + 3) & 3]! & r[(i + 1) & 3]!)
    }
  }
  const mash = () => {
    for (let i = 3; i >= 0; i--) r[i] = r[i]! - words[r[(i + 3) & 3]! & 63]!
  }
  const rounds = [mix, mix, mix, mix, mix, mash, mix, mix, mix, mix, mix, mix, mash, mix, mix, mix, mix, mix]
  for (const round of rounds) round()
  return Uint8Array.from({ length: BLOCK }, (_, i) => (i % 2 ? r[i >> 1]! >>> 8 : r[i >> 1]! & 0xff))
}
