import characters from '../data/characters.json' with { type: 'json' }

/** What had to be undone to see a word; the bits add up. */
export const FORM = { case: 1, width: 2, traditional: 4, homoglyph: 8 } as const

/** A text without the disguises that people use against word lists; each unit knows where it stood. */
export interface NormalisedText {
  /** UTF-16 units. */
  readonly codes: Uint16Array
  /** Offset of each unit in the original; what lies behind the units says nothing. */
  readonly offsets: Uint32Array
  /** Bits of FORM for each unit. */
  readonly forms: Uint8Array
}

const SIMPLIFIED = new Map([...characters.traditional].map((one, index) => [one, characters.simplified[index]!]))
/** Letters of other alphabets that look Latin. */
const LOOKS_LIKE = new Map(
  [
    'аa еe оo рp сc уy хx іi јj ѕs ԁd һh ԛq ԝw ьb кk мm тt вb нh гr пn лn ѵv',
    'αa εe οo ρp υu νv κk τt ιi χx γy ωw βb ηn σo',
    'ɑa ɡg ıi ʟl ɴn ʀr ʏy ꜱs ᴀa ᴄc ᴅd ᴇe ᴋk ᴍm ᴏo ᴘp ᴛt ᴜu ᴠv ᴡw ᴢz',
  ]
    .join(' ')
    .split(' ')
    .map((pair) => [pair[0]!, pair[1]!]),
)
const SEPARATOR = /[^\p{L}\p{N}]/u
/** So many separators in a row are still a disguise; more of them, or a line's end, part two words. */
const MOST_SEPARATORS = 2

interface Unit {
  /** The unit itself, in lower case and so on, as a code. */
  readonly code: number
  /** Of a letter of another alphabet: the Latin one that it looks like; 0 for all others. */
  readonly latin: number
  readonly forms: number
  readonly separator: boolean
}
/** By code, made when first met. */
const known = new Array<Unit | undefined>(0x10000)

const SPACE = 0x20
const LINE_FEED = 0x0a
const CARRIAGE_RETURN = 0x0d

const roomFor = (length: number) => ({
  codes: new Uint16Array(length),
  offsets: new Uint32Array(length),
  forms: new Uint8Array(length),
})
/** For all texts but the longest: tens of thousands of short ones need no arrays of their own. */
const SHARED = roomFor(16_384)

/**
 * Lower case, half width, simplified, Latin look-alikes in Latin words made Latin, single separators left out. The arrays are valid until the
 * next call.
 */
export function normaliseText(original: string): NormalisedText {
  const { length } = original
  const { codes, offsets, forms } = length > SHARED.codes.length ? roomFor(length) : SHARED
  let pending = 0
  let at = 0
  for (let index = 0; index < length; index++) {
    const raw = original.charCodeAt(index)
    const unit = known[raw] ?? unitOf(raw)
    if (unit.separator) {
      pending = raw === LINE_FEED || raw === CARRIAGE_RETURN ? MOST_SEPARATORS + 1 : pending + 1
      continue
    }
    if (pending > MOST_SEPARATORS && at > 0 && codes[at - 1] !== SPACE) {
      codes[at] = SPACE
      forms[at] = 0
      offsets[at++] = index - 1
    }
    pending = 0
    const disguised = unit.latin !== 0 && besideLatin(original, index)
    codes[at] = disguised ? unit.latin : unit.code
    offsets[at] = index
    forms[at++] = disguised ? unit.forms | FORM.homoglyph : unit.forms
  }
  return { codes: codes.subarray(0, at), offsets, forms }
}

function unitOf(code: number): Unit {
  const raw = String.fromCharCode(code)
  // Only single units: what becomes several letters (a ligature) stays as it is, so that offsets hold.
  const compatible = raw.normalize('NFKC')
  const narrow = compatible.length === 1 ? compatible : raw
  const lower = narrow.toLowerCase().length === 1 ? narrow.toLowerCase() : narrow
  const value = SIMPLIFIED.get(lower) ?? lower
  const forms =
    (narrow !== raw ? FORM.width : 0) | (lower !== narrow ? FORM.case : 0) | (value !== lower ? FORM.traditional : 0)
  // Halves of characters beyond the first plane are letters as far as words go.
  const unit = {
    code: value.charCodeAt(0),
    latin: LOOKS_LIKE.get(value)?.charCodeAt(0) ?? 0,
    forms,
    separator: !/[\ud800-\udfff]/.test(value) && SEPARATOR.test(value),
  }
  known[code] = unit
  return unit
}

const LATIN = /[a-z]/i
const REACH = 8
/** Is there a Latin letter in the same word? A whole Russian or Greek word stays what it is. */
function besideLatin(text: string, index: number): boolean {
  for (const step of [-1, 1])
    for (let at = index + step, steps = 0; steps < REACH; at += step, steps++) {
      const unit = text[at]
      if (unit === undefined || /[\s\p{Script=Han}]/u.test(unit)) break
      if (LATIN.test(unit)) return true
    }
  return false
}

const PINYIN = new Map(
  characters.pinyin.flatMap(([syllable, all]) => [...all!].map((one) => [one, syllable!] as const)),
)

/** `赌博` -> `dubo`; null if a character has no known reading or the word is shorter than two characters. */
export function pinyinOf(word: string): string | null {
  const syllables = [...word].map((one) => PINYIN.get(one))
  return syllables.length > 1 && syllables.every((one) => one !== undefined) ? syllables.join('') : null
}
