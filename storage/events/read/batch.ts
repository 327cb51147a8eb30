import type { AggregateReader } from '../cache/aggregate-cache.ts'
import { countEntities, type EntityCountRequest } from '../cache/entity-counts.ts'
import { type GroupQuery, type Groups, groupQueryKey, groupRows } from '../cache/grouped-rows.ts'
import type { Scan, Select } from '../duckdb/select.ts'
import { whereSql } from '../query/compile-query.ts'
import type { Dialect } from '../query/dialect.ts'

/**
 * Answers the parts of one request together: equal queries run once, and devices and users are counted last, in one pass over the rows for
 * all parts that count them over the same rows.
 */
export class Batch {
  readonly dialect: Dialect
  private readonly run: Select
  private readonly scan: Scan
  /** Reader of the aggregate cache; undefined when it must not be used. */
  private readonly reader: AggregateReader | undefined
  private readonly grouped = new Map<string, Promise<Groups | undefined>>()
  private readonly asked = new Map<string, ReturnType<Select>>()
  private waiting: {
    request: EntityCountRequest
    resolve: (counts: number[]) => void
    reject: (error: unknown) => void
  }[] = []
  private last: Promise<unknown> = Promise.resolve()
  private running = 0

  constructor(select: Select, scan: Scan, dialect: Dialect, reader?: AggregateReader) {
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

  /** Groups of rows; undefined when there are too many groups. */
  groups(question: GroupQuery): Promise<Groups | undefined> {
    const name = `${JSON.stringify(question.selection.span)} ${groupQueryKey(question, this.dialect)}`
    const known = this.grouped.get(name) ?? this.inTurn(() => groupRows(question, this.run, this.dialect, this.reader))
    this.grouped.set(name, known)
    return known
  }

  /** Counts by code, starting with code 1; one count without a slice. */
  count(request: EntityCountRequest): Promise<number[]> {
    return new Promise((resolve, reject) => {
      this.waiting.push({ request, resolve, reject })
      this.whenIdle()
    })
  }

  /** Runs a task that scans rows, after the queued queries. */
  reading<T>(task: (select: Select, scan: Scan, reader: AggregateReader | undefined) => Promise<T>): Promise<T> {
    return this.inTurn(() => task(this.run, this.scan, this.reader))
  }

  /** A connection runs one query at a time. */
  private inTurn<T>(task: () => Promise<T>): Promise<T> {
    this.running++
    const done = this.last.then(task).finally(() => {
      this.running--
      this.whenIdle()
    })
    this.last = done.catch(() => {}) // the caller sees the error
    return done
  }

  /** Waits until no query runs and callers have had a turn to issue follow-up queries. */
  private whenIdle(): void {
    setImmediate(() => {
      if (this.running > 0 || this.waiting.length === 0) return
      const all = this.waiting
      this.waiting = []
      const byRows = new Map<string, typeof all>()
      for (const one of all) {
        const rows = whereSql(one.request.selection, this.dialect)
        byRows.set(rows, [...(byRows.get(rows) ?? []), one])
      }
      for (const some of byRows.values()) void this.pass(some)
    })
  }

  private async pass(some: typeof this.waiting): Promise<void> {
    try {
      const requests = some.map(({ request }) => request)
      const counts = await this.inTurn(() => countEntities(requests, this.scan, this.dialect, this.reader))
      for (const [index, { resolve }] of some.entries()) resolve(counts[index] as number[])
    } catch (error) {
      for (const { reject } of some) reject(error)
    }
  }
}
