/** An element of DER (X.690) with the given identifier byte. */
export function derElement(identifier: number, ...parts: readonly Uint8Array[]): Uint8Array {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const size: number[] = []
  for (let left = length; left > 0; left = Math.floor(left / 256)) size.unshift(left % 256)
  const head = length < 0x80 ? [identifier, length] : [identifier, 0x80 | size.length, ...size]
  return Buffer.concat([Buffer.from(head), ...parts])
}

export const derSequence = (...parts: readonly Uint8Array[]): Uint8Array => derElement(0x30, ...parts)
export const derSet = (...parts: readonly Uint8Array[]): Uint8Array => derElement(0x31, ...parts)
export const derOctets = (bytes: Uint8Array): Uint8Array => derElement(0x04, bytes)
export const derBits = (bytes: Uint8Array): Uint8Array => derElement(0x03, Buffer.alloc(1), bytes)
export const derNull = (): Uint8Array => derElement(0x05)
/** The context-specific constructed element [tag]. */
export const derContext = (tag: number, ...parts: readonly Uint8Array[]): Uint8Array => derElement(0xa0 | tag, ...parts)

/** A number that is not negative; bytes are taken as a number without sign, most significant first. */
export function derInteger(value: number | Uint8Array): Uint8Array {
  let bytes: Uint8Array = value instanceof Uint8Array ? value : bytesOf(value)
  while (bytes.length > 1 && bytes[0] === 0) bytes = bytes.subarray(1)
  if (!bytes.length) bytes = Buffer.alloc(1)
  return bytes[0]! & 0x80 ? derElement(0x02, Buffer.alloc(1), bytes) : derElement(0x02, bytes)
}

export function derOid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  const bytes = [first * 40 + second, ...rest].flatMap((arc) => {
    const digits = [arc % 128]
    for (let left = Math.floor(arc / 128); left > 0; left = Math.floor(left / 128)) digits.unshift((left % 128) | 0x80)
    return digits
  })
  return derElement(0x06, Buffer.from(bytes))
}

/** An AlgorithmIdentifier; `parameters` is NULL where absent. */
export function derAlgorithm(oid: string, parameters: Uint8Array = derNull()): Uint8Array {
  return derSequence(derOid(oid), parameters)
}

function bytesOf(value: number): Uint8Array {
  const bytes: number[] = []
  for (let left = value; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return Buffer.from(bytes)
}
