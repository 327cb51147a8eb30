import { Worker } from 'node:worker_threads'
import { FUZZ_SEEDS } from './fuzz-seeds.ts'
import type { FuzzFailure, FuzzOrder, FuzzReport } from './fuzz-worker.ts'
import { keptInputs } from './kept-inputs.ts'

/** Longest input; and how long one may keep the parser busy before it counts as hanging. */
const MOST = 256 * 1024
const HANG_MS = 15_000
const LOOK_MS = 500

/** Threads do not inherit how TypeScript is loaded. */
const BEGIN = `import('tsx/esm/api').then(({ register }) => {
  register()
  return import(${JSON.stringify(new URL('./fuzz-worker.ts', import.meta.url).href)})
})`

export interface FuzzChoices {
  readonly milliseconds: number
  readonly seed: number
}

/**
 * Fuzzes one parser in a thread of its own: begins with its seeds and kept inputs, tries changes of them, keeps what reaches new code. A thread
 * that hangs or runs out of memory is ended, and what it was trying is the failure.
 */
export function runFuzzer(target: string, { milliseconds, seed }: FuzzChoices): Promise<FuzzReport> {
  const progress = new SharedArrayBuffer(8)
  const current = new SharedArrayBuffer(MOST)
  const inputs = [...(FUZZ_SEEDS[target] ?? []), ...keptInputs(target)]
  const order: FuzzOrder = { target, inputs, milliseconds, seed, progress, current }
  const counters = new Int32Array(progress)
  const worker = new Worker(BEGIN, {
    eval: true,
    workerData: order,
    resourceLimits: { maxOldGenerationSizeMb: 1024 },
  })
  return new Promise((resolve, reject) => {
    let last = -1
    let still = 0
    const broken = (kind: FuzzFailure['kind'], detail: string) => {
      const input = new Uint8Array(current.slice(0, Math.min(counters[1]!, MOST)))
      resolve({ executions: counters[0]!, blocks: 0, kept: [], failures: [{ kind, detail, input }] })
    }
    const look = setInterval(() => {
      const now = Atomics.load(counters, 0)
      still = now === last && now > 0 ? still + LOOK_MS : 0
      last = now
      if (still < HANG_MS) return
      broken('hang', `busy for ${HANG_MS} ms`)
      void worker.terminate()
    }, LOOK_MS)
    worker.once('message', resolve)
    worker.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') broken('memory', 'out of memory')
      else reject(error)
    })
    worker.once('exit', () => clearInterval(look))
  })
}
