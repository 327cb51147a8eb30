import type { WordGroup } from '../input/content-input.ts'
import { FORM, type NormalisedText, normaliseText, pinyinOf } from './normalise-text.ts'
import { WordAutomaton } from './word-automaton.ts'

/** Which disguise a word was found in. */
export type WordForm = 'as_written' | 'case' | 'width' | 'traditional' | 'homoglyph' | 'separators' | 'pinyin'

export interface WordMatch {
  readonly group: string
  readonly word: string
  readonly form: WordForm
  /** Span in the text as it was given. */
  readonly from: number
  readonly to: number
}

interface Pattern {
  readonly group: string
  readonly word: string
  readonly pinyin: boolean
  /** Letters and digits alone: then it must not lie inside a longer word. */
  readonly latin: boolean
  readonly length: number
}

/** Texts up to this length are looked through for pinyin: long ones hold every syllable by chance. */
const PINYIN_TEXT = 200
/** Fewer letters are English words too; beside Chinese ones they are still meant. */
const SHORTEST_PINYIN = 5
const SHORTEST_BESIDE_CHINESE = 4
const CHINESE = /\p{Script=Han}/u

/** Word lists, made ready once for many texts. */
export class WordMatcher {
  private readonly patterns: Pattern[] = []
  private readonly automaton: WordAutomaton

  constructor(groups: readonly WordGroup[]) {
    const texts: string[] = []
    const seen = new Set<string>()
    const add = (text: string, pattern: Omit<Pattern, 'length'>) => {
      const key = `${pattern.group}\0${text}\0${pattern.pinyin}`
      if (!text || seen.has(key)) return
      seen.add(key)
      texts.push(text)
      this.patterns.push({ ...pattern, length: text.length })
    }
    for (const { group, words } of groups)
      for (const word of words) {
        const text = String.fromCharCode(...normaliseText(word).codes)
        add(text, { group, word, pinyin: false, latin: /^[a-z0-9]+$/.test(text) })
        const spelled = pinyinOf(text)
        if (spelled && spelled.length >= SHORTEST_BESIDE_CHINESE)
          add(spelled, { group, word, pinyin: true, latin: true })
      }
    this.automaton = new WordAutomaton(texts)
  }

  /** All occurrences, in the order of their ends. */
  find(text: string): readonly WordMatch[] {
    const matches: WordMatch[] = []
    const normalised = normaliseText(text)
    this.automaton.search(normalised.codes, (index, end) => {
      const { group, word, pinyin, latin, length } = this.patterns[index]!
      if (pinyin && (text.length > PINYIN_TEXT || (length < SHORTEST_PINYIN && !CHINESE.test(text)))) return
      const begin = end - length
      const from = normalised.offsets[begin]!
      const to = normalised.offsets[end - 1]! + 1
      if (latin && (isLatin(text, from - 1) || isLatin(text, to))) return
      matches.push({
        group,
        word,
        form: pinyin ? 'pinyin' : formOf(text.slice(from, to), word, normalised, begin, end),
        from,
        to,
      })
    })
    return matches
  }
}

function isLatin(text: string, at: number): boolean {
  return /[a-z0-9_]/i.test(text[at] ?? '')
}

function formOf(found: string, word: string, { offsets, forms }: NormalisedText, begin: number, end: number): WordForm {
  if (found === word) return 'as_written'
  let bits = 0
  for (let at = begin; at < end; at++) bits |= forms[at]!
  if (offsets[end - 1]! - offsets[begin]! >= word.length && !word.includes(' ')) return 'separators'
  if (bits & FORM.homoglyph) return 'homoglyph'
  if (bits & FORM.traditional) return 'traditional'
  if (bits & FORM.width) return 'width'
  return bits & FORM.case ? 'case' : 'separators'
}
