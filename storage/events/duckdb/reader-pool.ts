import { ProductError } from '#contracts/errors.ts'

/** Who reads, and until when. Without a user: work of the platform itself (exports, alert rules, live frames). */
export type QueryContext = {
  user?: string
  /** Aborted when no caller waits for the answer any more. */
  signal?: AbortSignal
  /** Milliseconds for the whole transaction, waiting included. */
  timeoutMs?: number
}

/** Queries of one user that run at the same time; more wait. */
export const MAX_RUNNING_PER_USER = 2
/** Queries of one user that may wait; more are refused. */
const MAX_WAITING_PER_USER = 64

type Waiter<C> = { user: string; lend(connection: C): void }

/**
 * Lends reading connections in order of arrival, at most MAX_RUNNING_PER_USER to one user, so that slow queries of some users leave
 * connections to others. Work without a user leaves one user's share free.
 */
export class ReaderPool<C> {
  private readonly idle: C[]
  private readonly maxInternal: number
  private readonly waiting: Waiter<C>[] = []
  private readonly running = new Map<string, number>()

  constructor(connections: readonly C[]) {
    this.idle = [...connections]
    this.maxInternal = Math.max(1, connections.length - MAX_RUNNING_PER_USER)
  }

  /** Throws ProductError server.query_busy where too many queries of the user wait, or the signal's reason once it aborts. */
  async borrow(user = '', signal?: AbortSignal): Promise<C> {
    signal?.throwIfAborted()
    if (user !== '' && this.waiting.filter((one) => one.user === user).length >= MAX_WAITING_PER_USER)
      throw new ProductError('server.query_busy')
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.waiting.splice(this.waiting.indexOf(waiter), 1)
        reject(signal?.reason)
      }
      const waiter: Waiter<C> = {
        user,
        lend(connection) {
          signal?.removeEventListener('abort', onAbort)
          resolve(connection)
        },
      }
      signal?.addEventListener('abort', onAbort, { once: true })
      this.waiting.push(waiter)
      this.lendNext()
    })
  }

  giveBack(connection: C, user = ''): void {
    this.running.set(user, this.runningOf(user) - 1)
    if (this.running.get(user) === 0) this.running.delete(user)
    this.idle.push(connection)
    this.lendNext()
  }

  private lendNext(): void {
    while (this.idle.length > 0) {
      const next = this.waiting.findIndex(({ user }) => this.mayRun(user))
      if (next < 0) return
      const [waiter] = this.waiting.splice(next, 1) as [Waiter<C>]
      this.running.set(waiter.user, this.runningOf(waiter.user) + 1)
      waiter.lend(this.idle.pop() as C)
    }
  }

  private mayRun(user: string): boolean {
    return this.runningOf(user) < (user === '' ? this.maxInternal : MAX_RUNNING_PER_USER)
  }

  private runningOf(user: string): number {
    return this.running.get(user) ?? 0
  }
}
