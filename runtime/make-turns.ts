/**
 * Runs at most `atOnce` pieces of work at one time; the others wait in the order in which they came. The caller bounds how many wait, by the
 * rate of its requests.
 */
export function makeTurns(atOnce: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < atOnce) running++
    // A turn is handed over while it still counts, so that no other caller takes it.
    else await new Promise<void>((turn) => waiting.push(turn))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running--
    }
  }
}
