/** Just enough DER to make certificates and PKCS#7 for tests. */
export function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(parts)
  const size: number[] = []
  for (let left = body.length; left > 0; left >>>= 8) size.unshift(left & 0xff)
  const length = body.length < 0x80 ? [body.length] : [0x80 | size.length, ...size]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}

export const sequence = (...parts: readonly Uint8Array[]): Buffer => der(0x30, ...parts)
export const set = (...parts: readonly Uint8Array[]): Buffer => der(0x31, ...parts)
export const integer = (...bytes: readonly number[]): Buffer => der(0x02, Buffer.from(bytes))
export const octets = (bytes: Uint8Array): Buffer => der(0x04, bytes)
export const bits = (bytes: Uint8Array): Buffer => der(0x03, Buffer.alloc(1), bytes)

export function oid(dotted: string): Buffer {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc & 0x7f]
    for (let left = arc >>> 7; left > 0; left >>>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return der(0x06, Buffer.from(bytes))
}
