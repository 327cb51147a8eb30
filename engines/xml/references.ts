import { FormatError } from '../bytes/format-error.ts'

const NAMED: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-fA-F]{1,6})|([A-Za-z]{1,5}));/g

/** Text with the five references of XML and those by number decoded. Throws FormatError `reference` for any other. */
export function decodeReferences(text: string, offset: number): string {
  if (!text.includes('&')) return text
  let decoded = ''
  let last = 0
  for (const match of text.matchAll(REFERENCE)) {
    const [whole, decimal, hex, name] = match
    const between = text.slice(last, match.index)
    const character = name !== undefined ? NAMED[name] : characterOf(decimal ? Number(decimal) : Number(`0x${hex}`))
    if (character === undefined || between.includes('&'))
      throw new FormatError('xml', 'reference', offset, `reference ${whole}`)
    decoded += between + character
    last = match.index + whole.length
  }
  const rest = text.slice(last)
  if (rest.includes('&')) throw new FormatError('xml', 'reference', offset, 'an ampersand that begins no reference')
  return decoded + rest
}

function characterOf(point: number): string | undefined {
  return point > 0 && point <= 0x10ffff && (point < 0xd800 || point > 0xdfff) ? String.fromCodePoint(point) : undefined
}
