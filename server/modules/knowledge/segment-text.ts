import { pinyin } from 'pinyin-pro'

const WORDS = new Intl.Segmenter('zh', { granularity: 'word' })
const HAN = /\p{Script=Han}/u

/**
 * Words of a text in lower case, to be stored: Chinese as the dictionary of ICU segments it and in pairs of characters, since the dictionary
 * segments the same word differently in other company; names of code (`setAllowFileAccess`, `android:exported`) whole and at their joints.
 */
export function wordsOf(text: string): string[] {
  const words: string[] = []
  for (const { segment, isWordLike } of WORDS.segment(text)) {
    if (!isWordLike) continue
    words.push(segment.toLowerCase())
    if (HAN.test(segment)) continue
    const joints = segment.split(/(?<=[a-z0-9])(?=[A-Z])|[_.:]/)
    if (joints.length > 1) words.push(...joints.filter((one) => one.length > 1).map((one) => one.toLowerCase()))
  }
  for (const run of hanRuns(text)) words.push(...pairsOf(run))
  return words
}

/** Words to look for: of a Chinese run the words of the dictionary, or pairs of characters where it knows no words for a part of it. */
export function searchWordsOf(text: string): string[] {
  const words = [...WORDS.segment(text)]
    .filter(({ segment, isWordLike }) => isWordLike && !HAN.test(segment))
    .map(({ segment }) => segment.toLowerCase())
  for (const run of hanRuns(text)) {
    const known = [...WORDS.segment(run)].map(({ segment }) => segment)
    words.push(...(run.length === 1 || known.every((one) => one.length > 1) ? known : pairsOf(run)))
  }
  return [...new Set(words)]
}

/** Pairs of neighbouring characters. */
export function pairsOf(run: string): string[] {
  return Array.from({ length: Math.max(0, run.length - 1) }, (_, at) => run.slice(at, at + 2))
}

export function hanRuns(text: string): string[] {
  return text.match(/\p{Script=Han}+/gu) ?? []
}

/** Words whose pinyin is kept: titles have some thousands. */
const MOST_KEPT = 20_000
const kept = new Map<string, { whole: string; initials: string }>()

/** Pinyin of a word without tones, and its first letters. */
function pinyinOf(word: string): { whole: string; initials: string } {
  const known = kept.get(word)
  if (known) return known
  const whole = pinyin(word, { toneType: 'none', type: 'array', v: true })
  const made = { whole: whole.join(''), initials: whole.map((one) => one[0] ?? '').join('') }
  if (kept.size < MOST_KEPT) kept.set(word, made)
  return made
}

/** What may be typed in pinyin for a text: from each of its words to the end of the run, whole and by initials. */
export function pinyinTokens(text: string): string[] {
  const tokens = new Set<string>()
  for (const run of hanRuns(text)) {
    const words = [...WORDS.segment(run)].map(({ segment }) => pinyinOf(segment))
    for (let from = 0; from < words.length; from++) {
      const rest = words.slice(from)
      tokens.add(rest.map(({ whole }) => whole).join(''))
      tokens.add(rest.map(({ initials }) => initials).join(''))
    }
  }
  return [...tokens].filter((one) => one.length > 1)
}
