import { log } from '#runtime/log.ts'

/** A round that takes longer is logged: nothing else would say that its work does not go on. */
const LONG_MS = 15 * 60_000

/** Work that comes round as long as the process runs. */
export type Loop = { stop(): Promise<void> }

/**
 * Does the work now and then `everyMs` after each end. Whatever fails (the store is away, a database restart) is said once and tried again
 * in the next round. A round that does not end within `longMs` is logged once.
 */
export function repeat(name: string, everyMs: number, work: () => Promise<unknown>, longMs = LONG_MS): Loop {
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let said = ''
  async function round(): Promise<void> {
    let problem = ''
    const long = setTimeout(() => log.error(`${name}: a round has not ended after ${longMs / 1000} s`), longMs)
    try {
      await work()
    } catch (error) {
      problem = (error as Error).message
    } finally {
      clearTimeout(long)
    }
    if (problem && problem !== said) log.error(`${name}: ${problem}`)
    said = problem
  }
  let running = Promise.resolve()
  const next = () => {
    if (stopping) return
    running = round().finally(() => {
      timer = setTimeout(next, everyMs)
    })
  }
  next()
  return {
    async stop() {
      stopping = true
      clearTimeout(timer)
      await running
      clearTimeout(timer)
    },
  }
}
