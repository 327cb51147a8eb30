import { fromHex } from './bytes.ts'

/**
 * SM4 (GB/T 32907-2016) in CBC mode with PKCS#7 padding, for browsers, which have no cipher of the national standards. Lookups depend on the
 * data: where OpenSSL is at hand it is used instead.
 */

const BLOCK = 16
const S = fromHex(
  'd690e9fecce13db716b614c228fb2c052b679a762abe04c3aa44132649860699' +
    '9c4250f491ef987a33540b43edcfac62e4b31ca9c908e89580df94fa758f3fa6' +
    '4707a7fcf37317ba83593c19e6854fa8686b81b27164da8bf8eb0f4b70569d35' +
    '1e240e5e6358d1a225227c3b01217887d40046579fd327524c3602e7a0c4c89e' +
    'eabf8ad240c738b5a3f7f2cef96115a1e0ae5da49b341a55ad933230f58cb1e3' +
    '1df6e22e8266ca60c02923ab0d534e6fd5db3745defd8e2f03ff6a726d6c5b51' +
    '8d1baf92bbddbc7f11d95c411f105ad80ac13188a5cd7bbd2d74d012b8e5b4b0' +
    '8969974a0c96777e65b9f109c56ec68418f07dec3adc4d2079ee5f3ed7cb3948',
)
/** T of 6.2 for the first byte of a word; the other bytes are rotations of it. */
const ROUND_TABLE = Uint32Array.from(S, (value) => {
  const word = (value << 24) >>> 0
  return word ^ rotated(word, 2) ^ rotated(word, 10) ^ rotated(word, 18) ^ rotated(word, 24)
})
const FAMILY_KEY = [0xa3b1bac6, 0x56aa3350, 0x677d9197, 0xb27022dc]

/** `key` and `iv` of 16 bytes. */
export function sm4CbcEncrypt(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array {
  const padding = BLOCK - (data.length % BLOCK)
  const padded = new Uint8Array(data.length + padding).fill(padding)
  padded.set(data)
  const view = new DataView(padded.buffer)
  const keys = roundKeys(key)
  const block = wordsOf(iv)
  for (let at = 0; at < padded.length; at += BLOCK) {
    for (let i = 0; i < 4; i++) block[i] = block[i]! ^ view.getUint32(at + 4 * i)
    cryptBlock(block, keys)
    for (let i = 0; i < 4; i++) view.setUint32(at + 4 * i, block[i]!)
  }
  return padded
}

/** Undefined where the length or the padding is wrong. */
export function sm4CbcDecrypt(key: Uint8Array, iv: Uint8Array, data: Uint8Array): Uint8Array | undefined {
  if (data.length === 0 || data.length % BLOCK !== 0) return undefined
  const keys = roundKeys(key).reverse()
  const view = new DataView(data.buffer, data.byteOffset, data.length)
  const plain = new Uint8Array(data.length)
  const out = new DataView(plain.buffer)
  const block = new Uint32Array(4)
  let previous = wordsOf(iv)
  for (let at = 0; at < data.length; at += BLOCK) {
    for (let i = 0; i < 4; i++) block[i] = view.getUint32(at + 4 * i)
    const sealed = block.slice()
    cryptBlock(block, keys)
    for (let i = 0; i < 4; i++) out.setUint32(at + 4 * i, block[i]! ^ previous[i]!)
    previous = sealed
  }
  const padding = plain[plain.length - 1] as number
  if (padding < 1 || padding > BLOCK) return undefined
  for (const byte of plain.subarray(-padding)) if (byte !== padding) return undefined
  return plain.subarray(0, plain.length - padding)
}

/** 6.2 and 6.3: one block in place; with reversed round keys it decrypts. */
function cryptBlock(block: Uint32Array, keys: Uint32Array): void {
  let [a, b, c, d] = block as unknown as [number, number, number, number]
  for (let i = 0; i < 32; i++) {
    const x = b ^ c ^ d ^ keys[i]!
    const t =
      ROUND_TABLE[x >>> 24]! ^
      rotated(ROUND_TABLE[(x >>> 16) & 255]!, 24) ^
      rotated(ROUND_TABLE[(x >>> 8) & 255]!, 16) ^
      rotated(ROUND_TABLE[x & 255]!, 8)
    const next = a ^ t
    a = b
    b = c
    c = d
    d = next
  }
  block[0] = d
  block[1] = c
  block[2] = b
  block[3] = a
}

/** 7.3. */
function roundKeys(key: Uint8Array): Uint32Array {
  const k = Array.from(wordsOf(key), (word, i) => word ^ FAMILY_KEY[i]!)
  return Uint32Array.from({ length: 32 }, (_, i) => {
    let constant = 0
    for (let byte = 0; byte < 4; byte++) constant = (constant << 8) | (((4 * i + byte) * 7) & 255)
    const x = k[i + 1]! ^ k[i + 2]! ^ k[i + 3]! ^ constant
    const mixed = (S[x >>> 24]! << 24) | (S[(x >>> 16) & 255]! << 16) | (S[(x >>> 8) & 255]! << 8) | S[x & 255]!
    const next = k[i]! ^ mixed ^ rotated(mixed, 13) ^ rotated(mixed, 23)
    k.push(next)
    return next
  })
}

function wordsOf(bytes: Uint8Array): Uint32Array {
  const view = new DataView(bytes.buffer, bytes.byteOffset, BLOCK)
  return Uint32Array.from({ length: 4 }, (_, i) => view.getUint32(4 * i))
}

/** To the left. */
function rotated(word: number, by: number): number {
  return (word << by) | (word >>> (32 - by))
}
