import type { RobotRules } from '#engines/listing/robots.ts'

/**
 * What the sessions of one run know of hosts together: many channels are pages of one host, which is asked by one of them at a time, at one pace,
 * and once for its robots.txt.
 */
export class HostPaces {
  private readonly turns = new Map<string, Promise<unknown>>()
  private readonly ends = new Map<string, number>()
  private readonly closedUntil = new Map<string, number>()
  /** By origin; why one cannot be reached. */
  readonly robots = new Map<string, RobotRules | Error>()

  /** Milliseconds until a host may be asked by someone who leaves `delay` between two requests. */
  wait(host: string, delay: number, now: number): number {
    const end = this.ends.get(host)
    return Math.max(0, end === undefined ? 0 : end + delay - now, (this.closedUntil.get(host) ?? 0) - now)
  }

  asked(host: string, now: number): void {
    this.ends.set(host, now)
  }

  /** The host said that it wants to be left alone until then. */
  close(host: string, until: number): void {
    this.closedUntil.set(host, until)
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
