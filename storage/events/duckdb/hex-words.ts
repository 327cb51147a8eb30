/** Values of hex digits by character code; 255 elsewhere. */
const DIGITS = new Uint8Array(128).fill(255)
for (const [value, digit] of [...'0123456789abcdef'].entries()) DIGITS[digit.charCodeAt(0)] = value

/**
 * Parses 32 lower-case hex digits, with or without dashes, into four 32-bit words, highest first, at `words[at]`. Returns false for any
 * other text; the words are undefined then.
 */
export function readHex(text: string, words: Uint32Array, at = 0): boolean {
  let word = 0
  let digits = 0
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === 45) continue
    const digit = code < 128 ? (DIGITS[code] as number) : 255
    if (digit === 255 || digits === 32) return false
    word = (word << 4) | digit
    digits++
    if ((digits & 7) === 0) words[at + (digits >> 3) - 1] = word
  }
  return digits === 32
}

/** The 32 hex digits of four words. */
export function writeHex(words: Uint32Array, at: number): string {
  let text = ''
  for (let i = at; i < at + 4; i++) text += (words[i] as number).toString(16).padStart(8, '0')
  return text
}

/** A well-mixed 32-bit hash (unsigned) of four words; different seeds give independent ones. */
export function hashWords(words: Uint32Array, at: number, seed: number): number {
  let hash = seed
  for (let i = at; i < at + 4; i++) hash = mix(hash ^ (words[i] as number))
  return hash >>> 0
}

export function mix(value: number): number {
  const h = Math.imul(value ^ (value >>> 16), 0x21f0aaad)
  return Math.imul(h ^ (h >>> 15), 0x735a2d97) ^ (h >>> 13)
}
