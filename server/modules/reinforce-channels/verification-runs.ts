import { setTimeout as sleep } from 'node:timers/promises'
import { ProductError } from '#contracts/errors.ts'

/** A call waits so long for the end of a run, then says that it goes on: calls of the console end after 15 s. */
const WAIT_MS = 8000
/** A run is stopped when no call has asked for it for this time. */
const IDLE_MS = 20_000

type Run<T> = { result: Promise<T>; asked(): void }

/** Work that takes longer than a call: the first call begins it, further ones with the same key wait for its end. */
export function makeRuns<T>() {
  const runs = new Map<string, Run<T>>()

  function begin(key: string, work: (signal: AbortSignal) => Promise<T>): Run<T> {
    const controller = new AbortController()
    let timer: NodeJS.Timeout | undefined
    const asked = () => {
      clearTimeout(timer)
      timer = setTimeout(() => controller.abort(new ProductError('server.query_cancelled')), IDLE_MS)
      timer.unref()
    }
    const result = work(controller.signal).finally(() => clearTimeout(timer))
    const run = { result, asked }
    const forget = () => void (runs.get(key) === run && runs.delete(key))
    result.then(
      // Kept for the next call of a client that waits; later it would be an old answer to a new question.
      () => void setTimeout(forget, IDLE_MS).unref(),
      // Calls that wait get the reason; a run without one must not end the process.
      forget,
    )
    runs.set(key, run)
    return run
  }

  return {
    isRunning: (key: string) => runs.has(key),
    /** What the run gave, once; undefined while it goes on. Throws what it threw. */
    async ask(key: string, work: (signal: AbortSignal) => Promise<T>): Promise<T | undefined> {
      const run = runs.get(key) ?? begin(key, work)
      run.asked()
      const result = await Promise.race([run.result, sleep(WAIT_MS, undefined, { ref: false })])
      if (result !== undefined) runs.delete(key)
      return result
    },
  }
}
