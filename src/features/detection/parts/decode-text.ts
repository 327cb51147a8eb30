/** Text of a file in UTF-8, UTF-16 with a mark, or GB18030 (what older Chinese tools write); undefined for any other encoding. */
export function decodeText(bytes: Uint8Array): string | undefined {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return new TextDecoder('utf-16be').decode(bytes)
  for (const encoding of ['utf-8', 'gb18030']) {
    try {
      const text = new TextDecoder(encoding, { fatal: true }).decode(bytes)
      // Pictures and packages are full of zeros; a text has none.
      return text.includes('\0') ? undefined : text
    } catch {
      // not this encoding
    }
  }
  return undefined
}
