import characters from '../data/characters.json' with { type: 'json' }

/** What had to be undone to see a word; the bits add up. */
export const FORM = { case: 1, width: 2, traditional: 4, homoglyph: 8 } as const

/** A text without the disguises that people use against word lists; each unit knows where it stood. */
export interface NormalisedText {
  readonly text: string
  /** Offset of each unit in the original. */
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
  readonly value: string
  readonly forms: number
  readonly separator: boolean
}
const known = new Map<string, Unit>()
const KNOWN_LIMIT = 50_000

/** Lower case, half width, simplified, Latin look-alikes in Latin words made Latin, single separators left out. */
export function normaliseText(original: string): NormalisedText {
  const offsets = new Uint32Array(original.length)
  const forms = new Uint8Array(original.length)
  const units: string[] = []
  let pending = 0
  let at = 0
  for (let index = 0; index < original.length; index++) {
    const raw = original[index]!
    const unit = unitOf(raw)
    if (unit.separator) {
      pending = raw === '\n' || raw === '\r' ? MOST_SEPARATORS + 1 : pending + 1
      continue
    }
    if (pending > MOST_SEPARATORS && at > 0 && units[at - 1] !== ' ') {
      units.push(' ')
      offsets[at++] = index - 1
    }
    pending = 0
    const latin = LOOKS_LIKE.get(unit.value)
    const disguised = latin !== undefined && besideLatin(original, index)
    units.push(disguised ? latin : unit.value)
    offsets[at] = index
    forms[at++] = disguised ? unit.forms | FORM.homoglyph : unit.forms
  }
  return { text: units.join(''), offsets: offsets.subarray(0, at), forms: forms.subarray(0, at) }
}

function unitOf(raw: string): Unit {
  const before = known.get(raw)
  if (before) return before
  // Only single units: what becomes several letters (a ligature) stays as it is, so that offsets hold.
  const compatible = raw.normalize('NFKC')
  const narrow = compatible.length === 1 ? compatible : raw
  const lower = narrow.toLowerCase().length === 1 ? narrow.toLowerCase() : narrow
  const value = SIMPLIFIED.get(lower) ?? lower
  const forms =
    (narrow !== raw ? FORM.width : 0) | (lower !== narrow ? FORM.case : 0) | (value !== lower ? FORM.traditional : 0)
  // Halves of characters beyond the first plane are letters as far as words go.
  const unit = { value, forms, separator: !/[\ud800-\udfff]/.test(value) && SEPARATOR.test(value) }
  if (known.size < KNOWN_LIMIT) known.set(raw, unit)
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
