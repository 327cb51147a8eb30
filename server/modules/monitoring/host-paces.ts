import type { RobotRules } from '#engines/listing/robots.ts'

/**
 * What the sessions of one run know of hosts together: many channels are pages of one host, which is asked by one of them at a time, at one pace,
 * and once for its robots.txt.
 */
export class HostPaces {
  private readonly turns = new Map<string, Promise<unknown>>()
  private readonly ends = new Map<string, number>()
  private readonly closed = new Map<string, { until: number; wait: number }>()
  /** By origin; why one cannot be reached. */
  readonly robots = new Map<string, RobotRules | Error>()

  /** Milliseconds until a host may be asked by someone who leaves `delay` between two requests. A clock that is set back makes none of it longer. */
  wait(host: string, delay: number, now: number): number {
    const end = this.ends.get(host)
    const closed = this.closed.get(host)
    const pause = end === undefined ? 0 : Math.min(delay, end + delay - now)
    return Math.max(0, pause, closed ? Math.min(closed.wait, closed.until - now) : 0)
  }

  asked(host: string, now: number): void {
    this.ends.set(host, now)
  }

  /** The host said for how many milliseconds it wants to be left alone. */
  close(host: string, wait: number, now: number): void {
    this.closed.set(host, { until: now + wait, wait })
  }

  /** Does `work` once all that was given for `key` before has ended. */
  turn<T>(key: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.turns.get(key) ?? Promise.resolve()).then(work)
    // Nothing is lost: who asked for this turn has its error, and the next one comes whatever became of it.
    const ended = mine.catch(() => {})
    this.turns.set(key, ended)
    return mine
  }
}
