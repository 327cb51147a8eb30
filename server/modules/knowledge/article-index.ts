import MiniSearch from 'minisearch'
import { hanRuns, pairsOf, pinyinTokens, searchWordsOf, wordsOf } from './segment-text.ts'

/** What is searched of one article in one language. */
export type IndexedText = { id: string; title: string; summary: string; words: string; body: string }
export type Found = {
  /** Ids, the best first. */
  ids: string[]
  /** Texts that were matched, to mark them. */
  marks: string[]
  nearest: boolean
}

const BOOST = { title: 6, words: 4, summary: 3, pinyin: 2, body: 1 }
const MOST_NEAREST = 20
/** From this share of the articles on, and this number, a character alone says nothing. */
const COMMON = 0.1
const LEAST_COMMON = 50
const LATIN = /^[a-z0-9_.-]+$/
const isLongLatin = (word: string): boolean => LATIN.test(word) && word.length > 5

/** Finds articles by words, by the beginnings of Latin ones, by pinyin and initials, and forgives one wrong letter in long ones. */
export class ArticleIndex {
  private readonly search: MiniSearch<IndexedText & { pinyin: string }>
  private readonly counts = new Map<string, number>()

  constructor(texts: readonly IndexedText[]) {
    this.search = new MiniSearch({
      fields: ['title', 'words', 'summary', 'pinyin', 'body'],
      // Pinyin was made into tokens already.
      tokenize: (text, field) => (field === 'pinyin' ? text.split(' ') : wordsOf(text)),
      processTerm: (term) => term || null,
    })
    this.add(texts)
  }

  add(texts: readonly IndexedText[]): void {
    this.counts.clear()
    this.search.addAll(texts.map((one) => ({ ...one, pinyin: pinyinTokens(`${one.title} ${one.words}`).join(' ') })))
  }

  remove(ids: readonly string[]): void {
    this.counts.clear()
    this.search.discardAll(ids)
  }

  find(text: string): Found {
    const words = searchWordsOf(text)
    if (words.length === 0) return { ids: [], marks: [], nearest: false }
    for (const forgiving of words.some(isLongLatin) ? [false, true] : [false]) {
      const found = this.ask(words, 'AND', forgiving)
      if (found.length > 0) return { ...this.answer(found, text), nearest: false }
    }
    // Nothing holds all of them: what holds most. Of a word that no article holds, its characters, but for those that are in many articles.
    const parts = words.flatMap((word) =>
      LATIN.test(word) || this.countOf(word) > 0 ? [word] : [...word].filter((one) => this.isRare(one)),
    )
    return { ...this.answer(this.ask([...new Set(parts)], 'OR', true).slice(0, MOST_NEAREST), text), nearest: true }
  }

  private isRare(character: string): boolean {
    return this.countOf(character) <= Math.max(LEAST_COMMON, this.search.documentCount * COMMON)
  }

  /** How many articles hold the word. Only words of articles are kept, so that what is asked for does not fill the memory. */
  private countOf(word: string): number {
    const kept = this.counts.get(word)
    if (kept !== undefined) return kept
    const count = this.ask([word], 'AND', false).length
    if (count > 0) this.counts.set(word, count)
    return count
  }

  /** `forgiving`: one wrong letter in long Latin words. */
  private ask(words: readonly string[], combineWith: 'AND' | 'OR', forgiving: boolean) {
    return this.search.search(words.join(' '), {
      combineWith,
      boost: BOOST,
      // Words were segmented already.
      tokenize: (text) => text.split(' '),
      prefix: (term) => LATIN.test(term) && term.length > 1,
      fuzzy: (term) => forgiving && isLongLatin(term) && 0.15,
    })
  }

  private answer(found: ReturnType<ArticleIndex['ask']>, text: string): { ids: string[]; marks: string[] } {
    const marks = new Set(hanRuns(text).flatMap((run) => (run.length === 1 ? [run] : pairsOf(run))))
    for (const { match } of found.slice(0, 50))
      for (const [term, fields] of Object.entries(match))
        if (term.length > 1 && fields.some((one) => one !== 'pinyin')) marks.add(term)
    return { ids: found.map(({ id }) => id as string), marks: [...marks] }
  }
}
