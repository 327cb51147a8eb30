/** RC4, which encrypts and decrypts alike: some old PKCS#12 files use it, and OpenSSL 3 has it no more by default. */
export function rc4(key: Uint8Array, bytes: Uint8Array): Uint8Array {
  const state = Uint8Array.from({ length: 256 }, (_, i) => i)
  let j = 0
  const swap = (a: number, b: number) => {
    const held = state[a]!
    state[a] = state[b]!
    state[b] = held
  }
  for (let i = 0; i < 256; i++) {
    j = (j + state[i]! + key[i % key.length]!) & 0xff
    swap(i, j)
  }
  let i = 0
  j = 0
  return bytes.map((byte) => {
    i = (i + 1) & 0xff
    j = (j + state[i]!) & 0xff
    swap(i, j)
    return byte ^ state[(state[i]! + state[j]!) & 0xff]!
  })
}
