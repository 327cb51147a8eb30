import { createHash } from 'node:crypto'

/** Values of hexadecimal digits by character code, -1 for every other character: any code may be looked up. */
const HEX = new Int8Array(65536).fill(-1)
for (const [index, digit] of [...'0123456789abcdef'].entries()) {
  HEX[digit.charCodeAt(0)] = index
  HEX[digit.toUpperCase().charCodeAt(0)] = index
}
const HYPHEN = 45
const TEXT_ID = /^[A-Za-z0-9._:-]{1,64}$/

/** Writes the 128 bits of a UUID as four words from `at` on; false when the text is not a UUID (36 characters, hyphens at their positions). */
export function parseUuid(text: string, words: Uint32Array, at = 0): boolean {
  if (
    text.length !== 36 ||
    text.charCodeAt(8) !== HYPHEN ||
    text.charCodeAt(13) !== HYPHEN ||
    text.charCodeAt(18) !== HYPHEN ||
    text.charCodeAt(23) !== HYPHEN
  )
    return false
  const a = hex4(text, 0)
  const b = hex4(text, 4)
  const c = hex4(text, 9)
  const d = hex4(text, 14)
  const e = hex4(text, 19)
  const f = hex4(text, 24)
  const g = hex4(text, 28)
  const h = hex4(text, 32)
  if ((a | b | c | d | e | f | g | h) < 0) return false
  words[at] = (a << 16) | b
  words[at + 1] = (c << 16) | d
  words[at + 2] = (e << 16) | f
  words[at + 3] = (g << 16) | h
  return true
}
/** Four hexadecimal digits as a number, negative if one of them is not a digit. */
function hex4(text: string, at: number): number {
  return (digit(text, at) << 12) | (digit(text, at + 1) << 8) | (digit(text, at + 2) << 4) | digit(text, at + 3)
}
function digit(text: string, at: number): number {
  return HEX[text.charCodeAt(at)] as number
}

/** The UUID of four words, in lower case. */
export function uuidText(words: Uint32Array, at = 0): string {
  let hex = ''
  for (let word = at; word < at + 4; word++) hex += (words[word] as number).toString(16).padStart(8, '0')
  return dashed(hex)
}

const scratch = new Uint32Array(4)

/**
 * The id an event is kept under, its words written from `at` on: a UUID in lower case, or a UUID (version 8) made from the SHA-256 of a
 * text of 1 to 64 of [A-Za-z0-9._:-]; undefined for anything else.
 */
export function canonicalId(text: unknown, words: Uint32Array = scratch, at = 0): string | undefined {
  if (typeof text !== 'string') return undefined
  if (parseUuid(text, words, at)) return text.toLowerCase()
  if (!TEXT_ID.test(text)) return undefined
  const id = uuidOf(createHash('sha256').update(text).digest())
  parseUuid(id, words, at)
  return id
}

/** The id under which a conflicting copy (same id, another reported_at) is remembered, so that its replay counts nothing. */
export function conflictId(id: string, reportedAt: number | null): string {
  return uuidOf(createHash('sha256').update(`conflict ${id} ${reportedAt}`).digest())
}

function uuidOf(hash: Buffer): string {
  hash[6] = ((hash[6] as number) & 0x0f) | 0x80
  hash[8] = ((hash[8] as number) & 0x3f) | 0x80
  return dashed(hash.toString('hex', 0, 16))
}

function dashed(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}
