import { parentPort, workerData } from 'node:worker_threads'
import { FormatError } from '#engines/bytes/format-error.ts'
import { BlockCoverage } from './block-coverage.ts'
import { FUZZ_TARGETS } from './fuzz-targets.ts'
import { mutateInput, Random } from './mutate-input.ts'

/** What the main thread gives a worker: the buffers let it see what is being tried even when that never ends. */
export interface FuzzOrder {
  readonly target: string
  readonly inputs: readonly Uint8Array[]
  readonly milliseconds: number
  readonly seed: number
  /** Input number, length of the input that is being tried. */
  readonly progress: SharedArrayBuffer
  readonly current: SharedArrayBuffer
}

export interface FuzzReport {
  readonly executions: number
  readonly blocks: number
  /** Inputs that reached something new, sound ones first. */
  readonly kept: readonly Uint8Array[]
  readonly failures: readonly FuzzFailure[]
}

export interface FuzzFailure {
  readonly kind: 'error' | 'slow' | 'memory' | 'hang'
  readonly detail: string
  readonly input: Uint8Array
}

/** A single small input takes no longer, and no more memory than this. */
const SLOW_MS = 2_000
const MEMORY = 512 * 2 ** 20
const BATCH = 100
const MOST_FAILURES = 10

function fuzz(order: FuzzOrder): FuzzReport {
  const target = FUZZ_TARGETS[order.target]!
  const random = new Random(order.seed)
  const progress = new Int32Array(order.progress)
  const current = new Uint8Array(order.current)
  const coverage = new BlockCoverage()
  const kept: Uint8Array[] = []
  const failures = new Map<string, FuzzFailure>()
  let executions = 0

  const attempt = (input: Uint8Array): void => {
    current.set(input.subarray(0, current.length))
    progress[1] = input.length
    Atomics.store(progress, 0, ++executions)
    const peak = process.resourceUsage().maxRSS
    const begin = performance.now()
    try {
      target(input)
    } catch (error) {
      if (!(error instanceof FormatError))
        fail('error', error instanceof Error ? (error.stack ?? error.message) : String(error), input)
    }
    if (performance.now() - begin > SLOW_MS && isSlow(input)) fail('slow', `more than ${SLOW_MS} ms`, input)
    if ((process.resourceUsage().maxRSS - peak) * 1024 > MEMORY) fail('memory', `more than ${MEMORY} bytes`, input)
  }
  /** Once more: the machine may have been busy. */
  const isSlow = (input: Uint8Array): boolean => {
    const begin = performance.now()
    try {
      target(input)
    } catch {
      // Counted before.
    }
    return performance.now() - begin > SLOW_MS
  }
  const fail = (kind: FuzzFailure['kind'], detail: string, input: Uint8Array) => {
    const signature = `${kind} ${detail.split('\n').slice(0, 3).join(' ')}`
    if (failures.size < MOST_FAILURES && !failures.has(signature))
      failures.set(signature, { kind, detail, input: input.slice() })
  }

  coverage.start()
  const begin = performance.now()
  for (const input of order.inputs) {
    attempt(input)
    if (coverage.take().size || kept.length === 0) kept.push(input)
  }
  while (performance.now() - begin < order.milliseconds && failures.size < MOST_FAILURES) {
    const batch = Array.from({ length: BATCH }, () =>
      mutateInput(kept[random.below(kept.length)]!, kept[random.below(kept.length)]!, random),
    )
    for (const input of batch) attempt(input)
    const fresh = coverage.take()
    // Something new was reached: each of them again, alone, shows whose it is.
    for (const input of fresh.size ? batch : []) {
      attempt(input)
      const own = coverage.ran().filter((block) => fresh.has(block))
      if (own.length) kept.push(input)
      for (const block of own) fresh.delete(block)
    }
  }
  coverage.stop()
  return { executions, blocks: coverage.size, kept, failures: [...failures.values()] }
}

parentPort?.postMessage(fuzz(workerData as FuzzOrder))
