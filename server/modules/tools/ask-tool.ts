import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import { ProductError } from '#contracts/errors.ts'
import { log } from '#runtime/log.ts'
import { boundedProgram, findIsolation, type Isolation, type SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { runSandboxed, type SandboxEnd } from '../../platform/sandbox/run-sandboxed.ts'
import { type ToolAnswer, ToolAnswerSchema, type ToolOrder } from './tool-messages.ts'

/** What one answer may cost: a package (2 GiB at most) lies in memory. */
const LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 60, wallSeconds: 120, openFiles: 256 }
const ANSWER_BYTES = 48 * 2 ** 20
/** Processes at once, and questions that wait for one. */
const AT_ONCE = 2
const MOST_WAITING = 16

let running = 0
const waiting: (() => void)[] = []
let isolation: Promise<Isolation> | undefined

export type ToolQuestion = {
  order: Omit<ToolOrder, 'size'>
  /** Path of a file, or the bytes. */
  input: { path: string; size: number } | Buffer
  /** The data of the installation, which the process does not get to see. */
  hidden: string
  wallSeconds?: number
  signal: AbortSignal
}

/**
 * Asks a tool process in its sandbox: bounded memory and time, no file, no network. Throws what it refuses with, tool.limit where a limit
 * ended it, request.rate where too many wait; AbortError where `signal` was aborted.
 */
export async function askTool(question: ToolQuestion): Promise<Exclude<ToolAnswer, { refused: unknown }>> {
  const { signal } = question
  if (running >= AT_ONCE) {
    if (waiting.length >= MOST_WAITING) throw new ProductError('request.rate')
    await new Promise<void>((turn) => waiting.push(turn))
  }
  running++
  try {
    signal.throwIfAborted()
    isolation ??= findIsolation(boundedProgram(LIMITS, 'tool-process'), LIMITS, { hidden: question.hidden })
    return await ask(question, await isolation)
  } finally {
    running--
    waiting.shift()?.()
  }
}

async function ask({ order, input, signal, wallSeconds }: ToolQuestion, kept: Isolation) {
  const limits = wallSeconds === undefined ? LIMITS : { ...LIMITS, wallSeconds }
  let answer: ToolAnswer | undefined
  const end = await runSandboxed({
    program: boundedProgram(limits, 'tool-process'),
    isolation: kept,
    limits,
    order: { ...order, size: Buffer.isBuffer(input) ? input.length : input.size } satisfies ToolOrder,
    input: Buffer.isBuffer(input) ? Readable.from([input]) : createReadStream(input.path, { highWaterMark: 2 ** 20 }),
    outputBytes: ANSWER_BYTES,
    signal,
    onLine(line) {
      answer = readAnswer(line)
    },
  })
  signal.throwIfAborted()
  if (end.ended !== 'done' || !answer) throw new ProductError('tool.limit', { detail: whyNot(end, limits) })
  if ('refused' in answer) throw new ProductError(answer.refused.key, { detail: answer.refused.detail })
  return answer
}

function readAnswer(line: string): ToolAnswer | undefined {
  try {
    return ToolAnswerSchema.parse(JSON.parse(line))
  } catch (error) {
    log.error({ err: error }, 'a tool process sent an invalid answer')
    return undefined
  }
}

function whyNot(end: SandboxEnd, { memoryMb, cpuSeconds, wallSeconds }: SandboxLimits) {
  if (end.ended === 'crashed') log.error({ detail: end.detail }, 'a tool process crashed')
  if (end.ended !== 'limit') return { zh: '读取程序提前结束', en: 'the reader ended early' }
  if (end.limit === 'time') return { zh: `${wallSeconds} 秒`, en: `${wallSeconds} s` }
  if (end.limit === 'cpu') return { zh: `处理器 ${cpuSeconds} 秒`, en: `${cpuSeconds} s of the processor` }
  if (end.limit === 'memory') return { zh: `内存 ${memoryMb} MB`, en: `${memoryMb} MB of memory` }
  return { zh: '内容过多', en: 'it names more than is read' }
}
