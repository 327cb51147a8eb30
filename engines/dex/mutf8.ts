/** Bytes up to the zero that ends a string of modified UTF-8, or up to `limit`. */
export function mutf8End(bytes: Uint8Array, from: number, limit: number): number {
  let at = from
  while (at < limit && bytes[at] !== 0) at++
  return at
}

/**
 * Text of modified UTF-8 (zero as two bytes, surrogates as three each). Bytes that make no sense give U+FFFD; nothing is thrown, since packers
 * write such names on purpose and Android takes them.
 */
export function decodeMutf8(bytes: Uint8Array, from: number, end: number): string {
  if (end <= from) return ''
  let ascii = true
  for (let at = from; at < end; at++)
    if (bytes[at]! >= 0x80) {
      ascii = false
      break
    }
  if (ascii) return asciiText(bytes, from, end)
  const units: number[] = []
  const parts: string[] = []
  for (let at = from; at < end; ) {
    const first = bytes[at]!
    const second = at + 1 < end ? bytes[at + 1]! : 0
    const third = at + 2 < end ? bytes[at + 2]! : 0
    if (first < 0x80) {
      units.push(first)
      at++
    } else if (first >> 5 === 6 && second >> 6 === 2) {
      units.push(((first & 0x1f) << 6) | (second & 0x3f))
      at += 2
    } else if (first >> 4 === 14 && second >> 6 === 2 && third >> 6 === 2) {
      units.push(((first & 15) << 12) | ((second & 0x3f) << 6) | (third & 0x3f))
      at += 3
    } else {
      units.push(0xfffd)
      at++
    }
    if (units.length >= 4096) parts.push(String.fromCharCode(...units.splice(0)))
  }
  return parts.join('') + String.fromCharCode(...units)
}

function asciiText(bytes: Uint8Array, from: number, end: number): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, end - from).toString('latin1')
}
