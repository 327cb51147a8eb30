import { sql } from 'kysely'
import type { MetaStore } from '#storage/postgres/database.ts'
import { MarketProblem } from './market-fetcher.ts'

export interface CopyLimits {
  /** Files of all copies together. */
  readonly bytes: number
  /** Copies of one task. */
  readonly copies: number
}

/** A market may give other bytes at each request. */
export const MOST_COPIES = 5000

/** The room for files that markets offer: what is stored, and what is taken at this moment. */
export class CopySpace {
  private readonly meta: MetaStore
  private readonly limits: CopyLimits
  private readonly hasFreeDisk: () => Promise<boolean>
  private taking = 0
  private ended = 0

  /** @param hasFreeDisk whether one more file leaves the disk with what the rest of the product needs */
  constructor(meta: MetaStore, limits: CopyLimits, hasFreeDisk: () => Promise<boolean>) {
    this.meta = meta
    this.limits = limits
    this.hasFreeDisk = hasFreeDisk
  }

  /**
   * Takes one file: `work` gives its bytes to `pass`, which ends with MarketProblem `space` where they do not fit, and keeps the room until
   * the file is a copy or removed.
   */
  async take<T>(
    task: string,
    work: (pass: (source: AsyncIterable<Uint8Array>) => AsyncIterable<Uint8Array>) => Promise<T>,
  ): Promise<T> {
    let taken = 0
    const pass = async function* (this: CopySpace, source: AsyncIterable<Uint8Array>) {
      let stored = await this.stored(task)
      let ended = this.ended
      for await (const bytes of source) {
        // A file that is no longer taken may be a copy now.
        if (ended !== this.ended) {
          ended = this.ended
          stored = await this.stored(task)
        }
        taken += bytes.length
        this.taking += bytes.length
        if (stored + this.taking > this.limits.bytes)
          throw new MarketProblem('space', `copies take more than ${this.limits.bytes} bytes`)
        yield bytes
      }
    }
    try {
      return await work((source) => pass.call(this, source))
    } finally {
      this.taking -= taken
      this.ended++
    }
  }

  private async stored(task: string): Promise<number> {
    const { rows } = await sql<{ bytes: number; copies: number }>`
      select (select coalesce(sum(size), 0)::float8 from (select distinct sha256, size from monitor_copies) one) as bytes,
        (select count(*)::int from monitor_copies where task_id = ${task}) as copies`.execute(this.meta.db)
    const { bytes, copies } = rows[0]!
    if (copies >= this.limits.copies)
      throw new MarketProblem('space', `the task has ${copies} copies, which is the most`)
    if (!(await this.hasFreeDisk())) throw new MarketProblem('space', 'the disk has no room for another file')
    return bytes
  }
}
