import type { Select } from '../duckdb/select.ts'

/**
 * Cache of aggregates over whole days and hours. Rows are append-only, so an aggregate of all rows before a position stays valid: a later
 * query adds only the rows appended since, however late they occurred. Retention and erasure delete or change rows and therefore invalidate
 * the whole cache. Answers are identical with and without the cache.
 */
export class AggregateCache {
  private readonly limits: AggregateCacheLimits
  /** Undefined while rows are being deleted or changed: nothing is cached and nothing is read from the cache. */
  private current: CacheGeneration | undefined
  private changing = 0

  constructor(limits = LIMITS) {
    this.limits = limits
    this.current = new CacheGeneration(limits)
  }

  /** Runs a change that deletes or updates rows; the cache is empty before and after it. */
  async withInvalidation<T>(change: () => Promise<T>): Promise<T> {
    this.changing++
    this.current = undefined
    try {
      return await change()
    } finally {
      if (--this.changing === 0) this.current = new CacheGeneration(this.limits)
    }
  }

  /**
   * Call before the transaction begins; call the result with the transaction's first select. It returns the reader to use within the
   * transaction, or undefined when rows were deleted or changed in between.
   */
  beginRead(): (select: Select) => Promise<AggregateReader | undefined> {
    const generation = this.current
    return async (select) => generation && this.open(generation, select)
  }

  private async open(generation: CacheGeneration, select: Select): Promise<AggregateReader | undefined> {
    const number = async (sql: string) => Number((await select(sql))[0]?.[0] ?? 0)
    const position = await number('SELECT count(*) FROM events')
    const start = generation.start ?? {
      position,
      rowid: position === 0 ? 0 : (await number('SELECT max(rowid) FROM events')) + 1,
    }
    // The transaction's snapshot is fixed from here on: any invalidation that started before it is visible in `current`.
    if (this.current !== generation || position < start.position) return undefined
    generation.start ??= start
    /** The rowid from which on rows have positions of at least `at`; verified by counting them. */
    const rowidAt = async (at: number) => {
      const rowid = start.rowid + at - start.position
      if ((await number(`SELECT count(*) FROM events WHERE rowid >= ${rowid}`)) === position - at) return rowid
      if (this.current === generation) this.current = new CacheGeneration(this.limits)
      return undefined
    }
    return {
      position,
      prepare: (names) => prepare(generation, position, names, rowidAt),
      async cachedUntilChanged(name, span, compute) {
        type Value = Awaited<ReturnType<typeof compute>>
        const known = generation.get(name)
        const value = known?.get('') as { from: number; to: number; answer: Value } | undefined
        if (known && value && known.at <= position) {
          const rowid = await rowidAt(known.at)
          const { time, from, to } = span
          const between = (a: number, b: number) => `${time} >= ${Math.min(a, b)} AND ${time} < ${Math.max(a, b)}`
          const conditions = [`rowid >= ${rowid}`, between(from, value.from), between(to, value.to)]
          const counts = conditions.map(
            (condition) => `(SELECT count(*) FROM events WHERE ${condition} AND ${value.answer.about})`,
          )
          if (rowid !== undefined && (await number(`SELECT ${counts.join(' + ')}`)) === 0) return value.answer
        }
        const answer = await compute()
        const entry = new CacheEntry<unknown>(position)
        entry.put('', { from: span.from, to: span.to, answer }, (name.length + JSON.stringify(answer).length) * 2)
        generation.use(name, entry)
        generation.trim()
        return answer
      },
      async incremental(name, grow) {
        const known = generation.get(name)
        const value = known?.get('') as Parameters<typeof grow>[0]
        if (known && known.at >= position && value !== undefined) return value
        const rowid = known && (await rowidAt(known.at))
        const usable = known !== undefined && rowid !== undefined
        const updated = await grow(usable ? value : undefined, usable ? ` AND rowid >= ${rowid}` : '')
        const entry = new CacheEntry<unknown>(position)
        entry.put('', updated.value, updated.bytes)
        generation.use(name, entry)
        generation.trim()
        return updated.value
      },
    }
  }
}

export type AggregateCacheLimits = {
  /** Approximate limit for all cached aggregates together. */
  bytes: number
  /** After this many appended rows it is cheaper to recompute than to add them on each query. */
  added: number
}
const LIMITS: AggregateCacheLimits = { bytes: 40 * 1024 * 1024, added: 500_000 }

export type AggregateReader = {
  /** Number of rows visible to the transaction. */
  position: number
  /** Entries cached under these names, all computed at the same position; undefined when they cannot be used. */
  prepare<V>(names: readonly string[]): Promise<Prepared<V> | undefined>
  /**
   * Returns the cached answer until a row that matches its condition `about` is appended, or enters or leaves the span as time passes; then
   * computes it again.
   */
  cachedUntilChanged<V extends { about: string }>(
    name: string,
    span: { time: string; from: number; to: number },
    compute: () => Promise<V>,
  ): Promise<V>
  /**
   * For a value that rows only add to and that tolerates later rows: `grow` adds the rows matched by the condition to the known value, or
   * starts from all rows.
   */
  incremental<V>(
    name: string,
    grow: (known: V | undefined, since: string) => Promise<{ value: V; bytes: number }>,
  ): Promise<V>
}

type Prepared<V> = {
  entries: CacheEntry<V>[]
  /** SQL conditions for the rows that the entries cover, and for those appended since (undefined: no rows since). */
  before: string
  since: string | undefined
  /** Call after adding pieces: evicts the least recently used entries beyond the limit. */
  evict(): void
}

/** The aggregate of one query for each span piece, by the piece's name. */
export class CacheEntry<V> {
  readonly at: number
  private readonly pieces = new Map<string, V>()
  bytes = 0

  constructor(at: number) {
    this.at = at
  }

  get(piece: string): V | undefined {
    return this.pieces.get(piece)
  }

  put(piece: string, value: V, bytes: number): void {
    if (this.pieces.has(piece)) return
    this.pieces.set(piece, value)
    this.bytes += bytes + 200
  }

  /** Reconditions all other pieces. */
  replaceWith(piece: string, value: V, bytes: number): void {
    this.pieces.clear()
    this.bytes = 0
    this.put(piece, value, bytes)
  }
}

class CacheGeneration {
  /** The first known position and its rowid. */
  start: { position: number; rowid: number } | undefined
  readonly limits: AggregateCacheLimits
  /** In order of use, the least recently used first. */
  private readonly entries = new Map<string, CacheEntry<unknown>>()

  constructor(limits: AggregateCacheLimits) {
    this.limits = limits
  }

  get(name: string): CacheEntry<unknown> | undefined {
    return this.entries.get(name)
  }

  use(name: string, entry: CacheEntry<unknown>): void {
    this.entries.delete(name)
    this.entries.set(name, entry)
  }

  trim(): void {
    let bytes = 0
    for (const entry of this.entries.values()) bytes += entry.bytes
    for (const [name, entry] of this.entries) {
      if (bytes <= this.limits.bytes) return
      this.entries.delete(name)
      bytes -= entry.bytes
    }
  }
}

async function prepare<V>(
  generation: CacheGeneration,
  position: number,
  names: readonly string[],
  rowidAt: (at: number) => Promise<number | undefined>,
): Promise<Prepared<V> | undefined> {
  const known = names.map((name) => generation.get(name) as CacheEntry<V> | undefined)
  const latest = known.reduce((most, entry) => Math.max(most, entry?.at ?? -1), -1)
  // Another query with a later snapshot wrote these entries.
  if (latest > position) return undefined
  const at = latest < 0 || position - latest > generation.limits.added ? position : latest
  const rowid = at === position ? undefined : await rowidAt(at)
  if (at !== position && rowid === undefined) return undefined
  const entries = known.map((entry) => (entry?.at === at ? entry : new CacheEntry<V>(at)))
  for (const [index, name] of names.entries()) generation.use(name, entries[index] as CacheEntry<unknown>)
  return {
    entries,
    before: rowid === undefined ? '' : ` AND rowid < ${rowid}`,
    since: rowid === undefined ? undefined : ` AND rowid >= ${rowid}`,
    evict: () => generation.trim(),
  }
}
