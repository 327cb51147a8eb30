import { log } from '#runtime/log.ts'
/** Work that comes round as long as the process runs. */
export type Loop = { stop(): Promise<void> }

/**
 * Does the work now and then `everyMs` after each end. Whatever fails (the store is away, a database restart) is said once and tried again
 * in the next round.
 */
export function repeat(name: string, everyMs: number, work: () => Promise<unknown>): Loop {
  let timer: NodeJS.Timeout | undefined
  let stopping = false
  let said = ''
  async function round(): Promise<void> {
    let problem = ''
    try {
      await work()
    } catch (error) {
      problem = (error as Error).message
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
