import type { Select } from '../query/select-rows.ts'

/**
 * What was counted of whole days and hours, remembered for the next question. Rows are only ever added behind those that are there, so
 * what was counted of the rows before a position stays true: a later question adds what came since, however late it occurred. Where rows
 * are deleted or changed (retention, deletion on demand) all of it is forgotten. Every number is the same with it and without.
 */
export class Partials {
  private readonly limits: PartialLimits
  /** Undefined while rows are deleted or changed: nothing is remembered and nothing is used. */
  private current: Generation | undefined
  private changing = 0

  constructor(limits = LIMITS) {
    this.limits = limits
    this.current = new Generation(limits)
  }

  /** Runs what deletes or changes rows. */
  async whileChanging<T>(change: () => Promise<T>): Promise<T> {
    this.changing++
    this.current = undefined
    try {
      return await change()
    } finally {
      if (--this.changing === 0) this.current = new Generation(this.limits)
    }
  }

  /**
   * To be called before a transaction begins. Its first question tells what may be used within it; undefined where nothing may, since
   * rows were deleted or changed meanwhile.
   */
  ahead(): (select: Select) => Promise<PartialReader | undefined> {
    const generation = this.current
    return async (select) => generation && this.open(generation, select)
  }

  private async open(generation: Generation, select: Select): Promise<PartialReader | undefined> {
    const number = async (sql: string) => Number((await select(sql))[0]?.[0] ?? 0)
    const position = await number('SELECT count(*) FROM events')
    const start = generation.start ?? {
      position,
      rowid: position === 0 ? 0 : (await number('SELECT max(rowid) FROM events')) + 1,
    }
    // The transaction sees its rows from here on at the latest: whoever began to change them before is known by now.
    if (this.current !== generation || position < start.position) return undefined
    generation.start ??= start
    /** Rows of positions from `at` on have this number or a higher one; checked by counting them. */
    const rowidAt = async (at: number) => {
      const rowid = start.rowid + at - start.position
      if ((await number(`SELECT count(*) FROM events WHERE rowid >= ${rowid}`)) === position - at) return rowid
      if (this.current === generation) this.current = new Generation(this.limits)
      return undefined
    }
    return {
      position,
      prepare: (names) => prepare(generation, position, names, rowidAt),
      async same(name, span, compute) {
        type Value = Awaited<ReturnType<typeof compute>>
        const known = generation.get(name)
        const value = known?.get('') as { from: number; to: number; answer: Value } | undefined
        if (known && value && known.at <= position) {
          const rowid = await rowidAt(known.at)
          const { time, from, to } = span
          const between = (a: number, b: number) => `${time} >= ${Math.min(a, b)} AND ${time} < ${Math.max(a, b)}`
          const places = [`rowid >= ${rowid}`, between(from, value.from), between(to, value.to)]
          const counts = places.map((place) => `(SELECT count(*) FROM events WHERE ${place} AND ${value.answer.about})`)
          if (rowid !== undefined && (await number(`SELECT ${counts.join(' + ')}`)) === 0) return value.answer
        }
        const answer = await compute()
        const memory = new Memory<unknown>(position)
        memory.put('', { from: span.from, to: span.to, answer }, (name.length + JSON.stringify(answer).length) * 2)
        generation.use(name, memory)
        generation.trim()
        return answer
      },
      async growing(name, grow) {
        const known = generation.get(name)
        const value = known?.get('') as Parameters<typeof grow>[0]
        if (known && known.at >= position && value !== undefined) return value
        const rowid = known && (await rowidAt(known.at))
        const usable = known !== undefined && rowid !== undefined
        const grown = await grow(usable ? value : undefined, usable ? ` AND rowid >= ${rowid}` : '')
        const memory = new Memory<unknown>(position)
        memory.put('', grown.value, grown.bytes)
        generation.use(name, memory)
        generation.trim()
        return grown.value
      },
    }
  }
}

export type PartialLimits = {
  /** Of all that is remembered together, about. */
  bytes: number
  /** After so many rows it is cheaper to begin anew than to add them each time. */
  added: number
}
const LIMITS: PartialLimits = { bytes: 40 * 1024 * 1024, added: 500_000 }

export type PartialReader = {
  /** How many rows the transaction sees. */
  position: number
  /** What is remembered under these names, all of it of the rows before one position; undefined where it cannot be used. */
  prepare<V>(names: readonly string[]): Promise<Prepared<V> | undefined>
  /**
   * An answer that stays the same while none of the rows that it is about (a condition) comes in, or enters or leaves the span with the
   * time that passes; else it is computed anew.
   */
  same<V extends { about: string }>(
    name: string,
    span: { time: string; from: number; to: number },
    compute: () => Promise<V>,
  ): Promise<V>
  /**
   * Something that rows only add to, and that does no harm where it knows of later rows: `grow` adds the rows that the condition picks to
   * what is known, or begins with all of them.
   */
  growing<V>(
    name: string,
    grow: (known: V | undefined, since: string) => Promise<{ value: V; bytes: number }>,
  ): Promise<V>
}

type Prepared<V> = {
  memories: Memory<V>[]
  /** Conditions for the rows that memories are of, and for those that came since (undefined: none did). */
  before: string
  since: string | undefined
  /** To be called when pieces were put in: makes room for them. */
  kept(): void
}

/** What one question told of each piece, by the piece's name. */
export class Memory<V> {
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

  /** In place of all others. */
  putOnly(piece: string, value: V, bytes: number): void {
    this.pieces.clear()
    this.bytes = 0
    this.put(piece, value, bytes)
  }
}

class Generation {
  /** The first position that is known, and the number of its row. */
  start: { position: number; rowid: number } | undefined
  readonly limits: PartialLimits
  /** The one used last stands last. */
  private readonly memories = new Map<string, Memory<unknown>>()

  constructor(limits: PartialLimits) {
    this.limits = limits
  }

  get(name: string): Memory<unknown> | undefined {
    return this.memories.get(name)
  }

  use(name: string, memory: Memory<unknown>): void {
    this.memories.delete(name)
    this.memories.set(name, memory)
  }

  trim(): void {
    let bytes = 0
    for (const memory of this.memories.values()) bytes += memory.bytes
    for (const [name, memory] of this.memories) {
      if (bytes <= this.limits.bytes) return
      this.memories.delete(name)
      bytes -= memory.bytes
    }
  }
}

async function prepare<V>(
  generation: Generation,
  position: number,
  names: readonly string[],
  rowidAt: (at: number) => Promise<number | undefined>,
): Promise<Prepared<V> | undefined> {
  const known = names.map((name) => generation.get(name) as Memory<V> | undefined)
  const latest = known.reduce((most, memory) => Math.max(most, memory?.at ?? -1), -1)
  // Somebody who sees later rows remembered these.
  if (latest > position) return undefined
  const at = latest < 0 || position - latest > generation.limits.added ? position : latest
  const rowid = at === position ? undefined : await rowidAt(at)
  if (at !== position && rowid === undefined) return undefined
  const memories = known.map((memory) => (memory?.at === at ? memory : new Memory<V>(at)))
  for (const [index, name] of names.entries()) generation.use(name, memories[index] as Memory<unknown>)
  return {
    memories,
    before: rowid === undefined ? '' : ` AND rowid < ${rowid}`,
    since: rowid === undefined ? undefined : ` AND rowid >= ${rowid}`,
    kept: () => generation.trim(),
  }
}
