import { Readable } from 'node:stream'
import { log } from '#runtime/log.ts'
import { boundedProgram, findIsolation, type Isolation, type SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { runSandboxed, type SandboxEnd } from '../../platform/sandbox/run-sandboxed.ts'
import { type ScriptMessage, ScriptMessageSchema, type ScriptOrder } from './script-messages.ts'

/** Of one worker. A worker that protects ends by itself long before the bound of the processor. */
export const SCRIPT_LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 600, wallSeconds: 1800, openFiles: 256 }
/** The most that results and archive may take together. */
const ANSWER_BYTES = 768 * 2 ** 20

let isolation: Promise<Isolation> | undefined

/** What this machine keeps the worker in; `hidden`: the data of the installation. */
export function scriptIsolation(hidden: string): Promise<Isolation> {
  isolation ??= findIsolation(boundedProgram(SCRIPT_LIMITS, 'script-worker'), SCRIPT_LIMITS, { hidden })
  return isolation
}

export type ScriptQuestion = {
  order: ScriptOrder
  input: Iterable<Uint8Array> | AsyncIterable<Uint8Array>
  isolation: Isolation
  limits?: Partial<SandboxLimits>
  signal: AbortSignal
  onMessage(message: ScriptMessage): void
}

/** Gives an upload to a worker in its sandbox. `broken`: it said what no worker says. */
export async function askScriptWorker(question: ScriptQuestion): Promise<SandboxEnd | { ended: 'broken' }> {
  const limits = { ...SCRIPT_LIMITS, ...question.limits }
  let isBroken = false
  const end = await runSandboxed({
    program: boundedProgram(limits, 'script-worker'),
    isolation: question.isolation,
    limits,
    order: question.order,
    input: Readable.from(question.input, { objectMode: false }),
    outputBytes: ANSWER_BYTES,
    signal: question.signal,
    onLine(line) {
      const message = isBroken ? undefined : readMessage(line)
      if (message) question.onMessage(message)
      else isBroken = true
    },
  })
  if (end.ended === 'crashed') log.error({ detail: end.detail }, 'a script worker crashed')
  return isBroken ? { ended: 'broken' } : end
}

function readMessage(line: string): ScriptMessage | undefined {
  try {
    return ScriptMessageSchema.parse(JSON.parse(line))
  } catch (error) {
    log.error({ err: error }, 'a script worker sent an invalid message')
    return undefined
  }
}
