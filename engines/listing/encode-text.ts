export type ListingCharset = 'utf-8' | 'gb18030' | 'big5'

const TABLES = new Map<ListingCharset, ReadonlyMap<string, number>>()
/** Lead and trail bytes of two-byte characters in the WHATWG encodings. */
const LEADS = [0x81, 0xfe] as const
const TRAILS = [0x40, 0xfe] as const

/** Text in an encoding of older pages; a character that has no two bytes in it becomes `?`. */
export function encodeText(text: string, charset: ListingCharset): Uint8Array {
  if (charset === 'utf-8') return new TextEncoder().encode(text)
  const table = tableOf(charset)
  const bytes: number[] = []
  for (const letter of text) {
    const code = letter.codePointAt(0)!
    const pair = code < 0x80 ? undefined : table.get(letter)
    if (code < 0x80) bytes.push(code)
    else if (pair === undefined) bytes.push(0x3f)
    else bytes.push(pair >> 8, pair & 0xff)
  }
  return Uint8Array.from(bytes)
}

/** Node decodes these encodings and writes none: the table is what its decoder says of all pairs of bytes. */
function tableOf(charset: ListingCharset): ReadonlyMap<string, number> {
  let table = TABLES.get(charset) as Map<string, number> | undefined
  if (table) return table
  table = new Map()
  const decoder = new TextDecoder(charset)
  for (let lead: number = LEADS[0]; lead <= LEADS[1]; lead++)
    for (let trail: number = TRAILS[0]; trail <= TRAILS[1]; trail++) {
      const letters = [...decoder.decode(Uint8Array.of(lead, trail))]
      const [letter] = letters
      if (letters.length === 1 && letter !== undefined && letter !== '\ufffd' && !table.has(letter))
        table.set(letter, (lead << 8) | trail)
    }
  TABLES.set(charset, table)
  return table
}

/** A keyword for an address or a form: every byte but letters and digits as `%XX`. */
export function encodeKeyword(text: string, charset: ListingCharset): string {
  return [...encodeText(text, charset)]
    .map((byte) => {
      const letter = String.fromCharCode(byte)
      return /[A-Za-z0-9]/.test(letter) ? letter : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`
    })
    .join('')
}
