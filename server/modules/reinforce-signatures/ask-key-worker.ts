import { Readable } from 'node:stream'
import { ProductError } from '#contracts/errors.ts'
import { log } from '#runtime/log.ts'
import { boundedProgram, findIsolation, type Isolation, type SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { runSandboxed } from '../../platform/sandbox/run-sandboxed.ts'
import { type KeyAnswer, KeyAnswerSchema, type KeyOrder, type KeyQuestion } from './key-messages.ts'

/** A key store may ask for two million iterations of its derivation, some seconds. */
const LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 20, wallSeconds: 30, openFiles: 256 }
const ANSWER_BYTES = 4 * 2 ** 20
/** Workers at once: more callers are asked to come again. */
const AT_ONCE = 2

let running = 0
let isolation: Promise<Isolation> | undefined

/**
 * Reads a key store in a process of its own without network; `hidden`: the data of the installation. Throws signature.busy where others are being
 * read or it took too long.
 */
export async function askKeyWorker(task: KeyOrder['task'], question: KeyQuestion, hidden: string): Promise<KeyAnswer> {
  if (running >= AT_ONCE) throw new ProductError('signature.busy')
  running++
  try {
    isolation ??= findIsolation(boundedProgram(LIMITS, 'key-worker'), LIMITS, { hidden })
    const input = Buffer.from(JSON.stringify(question))
    let answer: KeyAnswer | undefined
    const end = await runSandboxed({
      program: boundedProgram(LIMITS, 'key-worker'),
      isolation: await isolation,
      limits: LIMITS,
      order: { task, size: input.length } satisfies KeyOrder,
      input: Readable.from([input]),
      outputBytes: ANSWER_BYTES,
      signal: new AbortController().signal,
      onLine(line) {
        answer = readAnswer(line)
      },
    })
    input.fill(0)
    if (end.ended === 'crashed') log.error({ detail: end.detail }, 'a key worker crashed')
    if (end.ended !== 'done' || !answer) throw new ProductError('signature.busy')
    return answer
  } finally {
    running--
  }
}

function readAnswer(line: string): KeyAnswer | undefined {
  try {
    return KeyAnswerSchema.parse(JSON.parse(line))
  } catch (error) {
    log.error({ err: error }, 'a key worker sent an invalid answer')
    return undefined
  }
}
