import data from '../data/words.json' with { type: 'json' }

/** Lists that come with the product; an installation may change or switch off each. */
export const BUILT_IN_WORDS: readonly {
  readonly id: string
  readonly zh: string
  readonly en: string
  readonly words: readonly string[]
}[] = data
