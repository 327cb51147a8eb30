import { createHash } from 'node:crypto'

/** Values of hexadecimal digits by character code, -1 for every other character below 128. */
const HEX = new Int8Array(128).fill(-1)
for (const [index, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = index
  HEX[digit.toUpperCase().charCodeAt(0)] = index
}
const TEXT_ID = /^[A-Za-z0-9._:-]{1,64}$/

/** Writes the 128 bits of a UUID as four words; false when the text is none (36 characters, hyphens in place). */
export function parseUuid(text: string, words: Uint32Array): boolean {
  if (text.length !== 36) return false
  let word = 0
  let digits = 0
  for (let i = 0; i < 36; i++) {
    const code = text.charCodeAt(i)
    if (i === 8 || i === 13 || i === 18 || i === 23) {
      if (code !== 45) return false
      continue
    }
    const value = code < 128 ? (HEX[code] as number) : -1
    if (value < 0) return false
    word = (word << 4) | value
    if ((++digits & 7) === 0) words[(digits >> 3) - 1] = word
  }
  return true
}

const scratch = new Uint32Array(4)

/**
 * The id an event is kept under: a UUID in lower case, or a UUID (version 8) made from the SHA-256 of a text of 1 to 64 of
 * [A-Za-z0-9._:-]; undefined for anything else.
 */
export function canonicalId(text: string): string | undefined {
  if (parseUuid(text, scratch)) return text.toLowerCase()
  if (!TEXT_ID.test(text)) return undefined
  return uuidOf(createHash('sha256').update(text).digest())
}

/** The id under which a conflicting copy (same id, another reported_at) is remembered, so that its replay counts nothing. */
export function conflictId(id: string, reportedAt: number | null): string {
  return uuidOf(createHash('sha256').update(`conflict ${id} ${reportedAt}`).digest())
}

function uuidOf(hash: Buffer): string {
  hash[6] = ((hash[6] as number) & 0x0f) | 0x80
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80
  const hex = hash.toString('hex', 0, 16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
