import { createHash } from 'node:crypto'

/** What derived bytes are for (RFC 7292, appendix B.3). */
export const PURPOSE = { key: 1, iv: 2, mac: 3 } as const

/** Text as a BMPString with two zero bytes behind it, as PKCS#12 takes passwords. */
export function bmpPassword(password: string): Buffer {
  return Buffer.from(`${password}\0`, 'utf16le').swap16()
}

/** Bytes derived from a password as RFC 7292, appendix B.2 says. `password` is encoded already. */
export function pkcs12Derive(
  hash: string,
  password: Uint8Array,
  salt: Uint8Array,
  iterations: number,
  purpose: number,
  length: number,
): Buffer {
  const size = createHash(hash).digest().length
  const block = size > 32 ? 128 : 64
  const diversifier = Buffer.alloc(block, purpose)
  const input = Buffer.concat([repeated(salt, block), repeated(password, block)])
  const derived: Buffer[] = []
  for (let got = 0; got < length; got += size) {
    let part = createHash(hash).update(diversifier).update(input).digest()
    for (let i = 1; i < iterations; i++) part = createHash(hash).update(part).digest()
    derived.push(part)
    const addend = repeated(part, block)
    for (let at = 0; at < input.length; at += block) {
      let carry = 1
      for (let i = block - 1; i >= 0; i--) {
        carry += input[at + i]! + addend[i]!
        input[at + i] = carry & 0xff
        carry >>>= 8
      }
    }
  }
  return Buffer.concat(derived).subarray(0, length)
}

/** As often as needed to fill whole blocks; nothing stays nothing. `repeated(part, block)` of a digest gives one block. */
function repeated(bytes: Uint8Array, block: number): Buffer {
  if (!bytes.length) return Buffer.alloc(0)
  const filled = Buffer.alloc(Math.ceil(bytes.length / block) * block)
  for (let i = 0; i < filled.length; i++) filled[i] = bytes[i % bytes.length]!
  return filled
}
