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
const LATIN = /^[a-z0-9_.-]+$/

/** Finds articles by words, by the beginnings of Latin ones, by pinyin and initials, and forgives one wrong letter in long ones. */
export class ArticleIndex {
  private readonly search: MiniSearch<IndexedText & { pinyin: string }>

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
    this.search.addAll(texts.map((one) => ({ ...one, pinyin: pinyinTokens(`${one.title} ${one.words}`).join(' ') })))
  }

  remove(ids: readonly string[]): void {
    this.search.discardAll(ids)
  }

  find(text: string): Found {
    const words = searchWordsOf(text)
    if (words.length === 0) return { ids: [], marks: [], nearest: false }
    for (const forgiving of [false, true]) {
      const found = this.ask(words, 'AND', forgiving)
      if (found.length > 0) return { ...this.answer(found, text), nearest: false }
    }
    // Nothing holds all of them: what holds most of them. Single characters are asked only where no word is known: common ones are in every article.
    const characters = [...new Set(words.flatMap((word) => (LATIN.test(word) ? [] : [...word])))]
    for (const parts of [words, characters]) {
      const found = this.ask(parts, 'OR', true)
      if (found.length > 0) return { ...this.answer(found.slice(0, MOST_NEAREST), text), nearest: true }
    }
    return { ...this.answer([], text), nearest: true }
  }

  /** `forgiving`: one wrong letter in long Latin words. */
  private ask(words: readonly string[], combineWith: 'AND' | 'OR', forgiving: boolean) {
    return this.search.search(words.join(' '), {
      combineWith,
      boost: BOOST,
      // Words were segmented already.
      tokenize: (text) => text.split(' '),
      prefix: (term) => LATIN.test(term) && term.length > 1,
      fuzzy: (term) => forgiving && LATIN.test(term) && term.length > 5 && 0.15,
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
