import { DIMENSIONS, type Dimension } from './query.ts'

/** How a dimension's values are stored, by the one table DIMENSIONS: the filter on live events and the store's SQL both derive from it. */

const LISTS: ReadonlyMap<Dimension, { codes: ReadonlyMap<string, number>; keys: ReadonlyMap<number, string> }> =
  new Map(
    (Object.keys(DIMENSIONS) as Dimension[]).flatMap((dimension) => {
      const words: Readonly<Record<string, { code: number }>> | null = DIMENSIONS[dimension].words
      if (!words) return []
      const pairs = Object.entries(words).map(([key, { code }]) => [key, code] as const)
      return [[dimension, { codes: new Map(pairs), keys: new Map(pairs.map(([key, code]) => [code, key])) }]]
    }),
  )

/** Whether the dimension's values are stored as numbers: codes of words, identifiers, administrative codes, hours. */
export const isNumeric = (dimension: Dimension): boolean => DIMENSIONS[dimension].stored === 'number'

/**
 * The number of a filter's text; undefined for a text that no event can have. The empty text is 0 ('unknown') where
 * the dimension may be unknown: in word lists without a word for 0, and in numbers marked `unknown`.
 */
export function numberOf(dimension: Dimension, text: string): number | undefined {
  const list = LISTS.get(dimension)
  if (list) return list.codes.get(text) ?? (text === '' && !list.keys.has(0) ? 0 : undefined)
  if (/^\d{1,9}$/.test(text)) return Number(text)
  return text === '' && 'unknown' in DIMENSIONS[dimension] ? 0 : undefined
}

/** The word of a stored code, '' for a code without one; undefined where the dimension has no word list. */
export function wordOfCode(dimension: Dimension, code: number): string | undefined {
  const list = LISTS.get(dimension)
  return list && (list.keys.get(code) ?? '')
}
