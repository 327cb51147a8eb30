import { countEntities, type EntityAsk } from '../cache/entity-counts.ts'
import { type Groups, groupRows, type Question, questionName } from '../cache/grouped-rows.ts'
import type { PartialReader } from '../cache/partials.ts'
import { whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'
import type { Scan, Select } from '../query/select-rows.ts'

/**
 * The parts of one request, answered together: what two of them ask alike is asked once, and devices and users are counted last, in one
 * pass over the rows for all parts that count those of the same rows.
 */
export class Batch {
  readonly dialect: Dialect
  private readonly run: Select
  private readonly scan: Scan
  /** What is remembered of the rows; undefined where nothing may be used. */
  private readonly reader: PartialReader | undefined
  private readonly grouped = new Map<string, Promise<Groups | undefined>>()
  private readonly asked = new Map<string, ReturnType<Select>>()
  private waiting: { ask: EntityAsk; resolve: (counts: number[]) => void; reject: (error: unknown) => void }[] = []
  private last: Promise<unknown> = Promise.resolve()
  private running = 0

  constructor(select: Select, scan: Scan, dialect: Dialect, reader?: PartialReader) {
    this.run = select
    this.scan = scan
    this.dialect = dialect
    this.reader = reader
  }

  readonly select: Select = (sql) => {
    const known = this.asked.get(sql) ?? this.inTurn(() => this.run(sql))
    this.asked.set(sql, known)
    return known
  }

  /** Groups of rows; undefined where there are too many to be asked this way. */
  groups(question: Question): Promise<Groups | undefined> {
    const name = `${JSON.stringify(question.selection.span)} ${questionName(question, this.dialect)}`
    const known = this.grouped.get(name) ?? this.inTurn(() => groupRows(question, this.run, this.dialect, this.reader))
    this.grouped.set(name, known)
    return known
  }

  /** Counts by code, from code 1 on; one count where there is no slice. */
  count(ask: EntityAsk): Promise<number[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ ask, resolve, reject })
      this.whenIdle()
    })
  }

  /** Runs a task that reads rows block by block, once nobody else asks. */
  reading<T>(task: (select: Select, scan: Scan, reader: PartialReader | undefined) => Promise<T>): Promise<T> {
    return this.inTurn(() => task(this.run, this.scan, this.reader))
  }

  /** A connection answers one question at a time. */
  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    this.running++
    const done = this.last.then(task).finally(() => {
      this.running--
      this.whenIdle()
    })
    this.last = done.catch(() => {})
    return done
  }

  /** Once nothing else is asked, and whoever got an answer has had the time to ask on. */
  private whenIdle(): void {
    setImmediate(() => {
      if (this.running > 0 || this.waiting.length === 0) return
      const all = this.waiting
      this.waiting = []
      const byRows = new Map<string, typeof all>()
      for (const one of all) {
        const rows = whereSql(one.ask.selection, this.dialect)
        byRows.set(rows, [...(byRows.get(rows) ?? []), one])
      }
      for (const some of byRows.values()) void this.pass(some)
    })
  }

  private async pass(some: typeof this.waiting): Promise<void> {
    try {
      const asks = some.map(({ ask }) => ask)
      const counts = await this.inTurn(() => countEntities(asks, this.scan, this.dialect, this.reader))
      for (const [index, { resolve }] of some.entries()) resolve(counts[index] as number[])
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
}
