import type { Text } from '#contracts/detection/scan-result.ts'
import type { SearchFact, SearchHit, SearchKind } from '#contracts/http/search.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'

/** What a source is asked: one search of one caller. */
export type Ask = {
  deps: ServerDeps
  caller: Caller
  /** Trimmed, as it was typed. */
  text: string
  /** In lower case, split at spaces; all of them must be in a name. */
  words: readonly string[]
  /** One more than is shown, so that the answer knows whether there are more. */
  limit: number
}

/** Finds hits of one kind within the caller's scope; the permission was checked before. */
export type SearchSource = { kind: SearchKind; find(ask: Ask): Promise<SearchHit[]> }

/** The same in both languages: a name that somebody gave. */
export const plain = (text: string): Text => ({ zh: text, en: text })

/** The parts of a note that are there, joined as each language does. */
export function joined(...parts: readonly (Text | string)[]): Text {
  const all = parts.filter((one) => one !== '').map((one) => (typeof one === 'string' ? plain(one) : one))
  return { zh: all.map(({ zh }) => zh).join('，'), en: all.map(({ en }) => en).join(', ') }
}

type Given = Pick<SearchHit, 'kind' | 'id' | 'title' | 'to'> & Partial<SearchHit>
/** A hit with what it does not have left empty; facts without a value are dropped. */
export function hit({ facts = [], ...given }: Given): SearchHit {
  return {
    note: plain(''),
    level: '',
    apps: [],
    copy: given.id,
    exact: false,
    at: null,
    ...given,
    facts: facts.filter(({ value }) => value.zh !== ''),
  }
}

export const fact = (name: SearchFact, value: Text | string | null) => ({
  name,
  value: typeof value === 'string' || value === null ? plain(value ?? '') : value,
})

/** A pattern of ILIKE that matches texts holding the word; its wildcards are taken as they are written. */
export const holding = (word: string): string => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** Whether one of the texts holds each of the words. */
export function holdsAll(text: string, words: readonly string[]): boolean {
  const lower = text.toLowerCase()
  return words.every((word) => lower.includes(word))
}

/** Exact ones first, then those that begin with the text, then the rest in the order that they came. */
export function inRank(hits: readonly SearchHit[], text: string): SearchHit[] {
  const start = text.toLowerCase()
  const rank = ({ exact, title }: SearchHit) =>
    exact ? 0 : [title.zh, title.en].some((one) => one.toLowerCase().startsWith(start)) ? 1 : 2
  return hits.toSorted((a, b) => rank(a) - rank(b))
}
