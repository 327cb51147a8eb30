/** Words of the exceptions area that storage, server and client share. */

/** Event types that are failures; also the last part of their page's path. */
export const EXCEPTION_KINDS = ['crash', 'anr', 'exception'] as const
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number]

/** What somebody decided; `regressed` is not decided but seen: an event in a later version than the one that resolved it. */
export const EXCEPTION_STATES = ['open', 'resolved', 'ignored'] as const
export type ExceptionState = (typeof EXCEPTION_STATES)[number]

export const SYMBOL_KINDS = ['r8', 'sourcemap'] as const
export type SymbolKind = (typeof SYMBOL_KINDS)[number]

/** A symbol file travels gzipped, in parts that fit into one request. */
export const SYMBOL_LIMITS = {
  /** Characters of base64 in one part. */
  part: 900_000,
  /** Bytes in all, gzipped and plain. */
  bytes: 24 * 1024 * 1024,
  inflatedBytes: 192 * 1024 * 1024,
  /** Files of one application and version. */
  perVersion: 200,
} as const

/**
 * The order of versions: numbers by value, words by letter, part by part, parted by `.`, `-`, `_` and `+`; what is missing counts as 0,
 * a word counts less than nothing (5.8.0-rc.1 comes before 5.8.0). Negative where `a` is the older one.
 */
export function compareVersions(a: string, b: string): number {
  const [x, y] = [partsOf(a), partsOf(b)]
  for (let i = 0; i < Math.max(x.length, y.length); i++) {
    const order = compareParts(x[i] ?? 0, y[i] ?? 0)
    if (order !== 0) return order
  }
  return a < b ? -1 : a > b ? 1 : 0
}

const partsOf = (version: string) =>
  (version.match(/\d+|[^\d.\-_+]+/g) ?? []).map((part) => (/^\d/.test(part) ? Number(part) : part.toLowerCase()))

function compareParts(a: number | string, b: number | string): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'string' && typeof b === 'string') return a < b ? -1 : a > b ? 1 : 0
  return typeof a === 'string' ? -1 : 1
}
