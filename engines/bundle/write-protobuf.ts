/** Wire types of protobuf (Encoding, section "Message structure"). */
const [VARINT, LENGTH] = [0, 2]

/** A number below 2^53 in base 128, the lowest bits first. */
function varint(value: number): Uint8Array {
  const bytes: number[] = []
  let left = value
  for (; left > 0x7f; left = Math.floor(left / 128)) bytes.push((left % 128) | 0x80)
  return Uint8Array.from([...bytes, left])
}

/** A field that holds a message, bytes, or a text in UTF-8. */
export function bytesField(number: number, content: Uint8Array | string): Uint8Array {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  return Buffer.concat([varint(number * 8 + LENGTH), varint(bytes.length), bytes])
}

/** A field that holds a whole number from 0 on, below 2^53. */
export function numberField(number: number, value: number): Uint8Array {
  return Buffer.concat([varint(number * 8 + VARINT), varint(value)])
}
