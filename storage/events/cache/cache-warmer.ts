import { setTimeout as sleep } from 'node:timers/promises'
import { ProductError } from '#contracts/errors.ts'
import { log } from '#runtime/log.ts'

/** So long no user has asked before a question is prepared. */
const QUIET_MS = 1_000
/** A question that made way for users so often is left out. */
const ATTEMPTS = 3

/**
 * Asks questions again in the pauses between those of users, so that their aggregates are cached before a page asks: after a start, and
 * after rows were deleted, when the first opening of a page would read all days. A question of a user interrupts it at once.
 */
export class CacheWarmer {
  private readonly quietMs: number
  private readonly closed = new AbortController()
  private asking = 0
  private lastAt = -Infinity
  /** Of the question that is being prepared. */
  private current: AbortController | undefined
  private run: Promise<void> | undefined
  private again = false
  private prepared = 0

  constructor(quietMs = QUIET_MS) {
    this.quietMs = quietMs
  }

  /** Lets a user's question pass first. */
  async giveWay<T>(question: () => Promise<T>): Promise<T> {
    this.asking++
    this.current?.abort(new ProductError('server.query_cancelled'))
    try {
      return await question()
    } finally {
      this.asking--
      this.lastAt = performance.now()
    }
  }

  /** Begins, or begins again once the run before is over. `list` gives the questions at that time. */
  start(list: () => readonly ((signal: AbortSignal) => Promise<unknown>)[]): void {
    if (this.closed.signal.aborted) return
    if (this.run) {
      this.again = true
      return
    }
    this.run = this.prepare(list()).finally(() => {
      this.run = undefined
      if (!this.again) return
      this.again = false
      this.start(list)
    })
  }

  /** Resolves once nothing is being prepared, with the number of questions prepared so far. */
  async settled(): Promise<number> {
    while (this.run) await this.run
    return this.prepared
  }

  async close(): Promise<void> {
    this.closed.abort(new ProductError('server.query_cancelled'))
    this.current?.abort(this.closed.signal.reason)
    await this.settled()
  }

  private async prepare(questions: readonly ((signal: AbortSignal) => Promise<unknown>)[]): Promise<void> {
    for (const question of questions) {
      let isLeft = true
      for (let attempt = 0; attempt < ATTEMPTS && isLeft; attempt++) {
        if (!(await this.quiet())) return
        isLeft = await this.attempt(question)
      }
      if (isLeft) log.debug('event store: users asked too often to prepare a question')
    }
  }

  /** Whether the question was interrupted. */
  private async attempt(question: (signal: AbortSignal) => Promise<unknown>): Promise<boolean> {
    const current = new AbortController()
    this.current = current
    try {
      await question(current.signal)
      // An interrupted question may also answer, with parts that failed.
      if (!current.signal.aborted) this.prepared++
    } catch (err) {
      if (!current.signal.aborted) log.debug({ err }, 'event store: a question could not be prepared')
    } finally {
      this.current = undefined
    }
    return current.signal.aborted
  }

  /** Waits until no user asks; false once the store is closed. */
  private async quiet(): Promise<boolean> {
    while (!this.closed.signal.aborted) {
      const left = this.lastAt + this.quietMs - performance.now()
      if (this.asking === 0 && left <= 0) return true
      await sleep(Math.max(left, 10), undefined, { signal: this.closed.signal }).catch(() => {}) // closed meanwhile: the loop ends
    }
    return false
  }
}
