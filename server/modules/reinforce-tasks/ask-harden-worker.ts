import { Readable } from 'node:stream'
import type { z } from 'zod'
import { log } from '#runtime/log.ts'
import { boundedProgram, findIsolation, type Isolation, type SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { runSandboxed, type SandboxEnd } from '../../platform/sandbox/run-sandboxed.ts'
import type { Program } from '../../programs.ts'
import {
  type HardenMessage,
  HardenMessageSchema,
  type HardenOrder,
  type SignMessage,
  SignMessageSchema,
  type SignOrder,
} from './harden-messages.ts'

/** Of one worker: many times what a package of 200 MB needs. */
export const HARDEN_LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 600, wallSeconds: 1200, openFiles: 256 }
const SIGN_LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 120, wallSeconds: 300, openFiles: 256 }
/** A package of the largest size in base64, and what is said of it. */
const ANSWER_BYTES = 1024 * 2 ** 20

/** Why a worker gave no result. */
export class WorkerRefused extends Error {
  readonly key: string
  constructor(key: string, detail: string) {
    super(detail)
    this.key = key
  }
}

const isolations = new Map<Program, Promise<Isolation>>()

/** What this machine keeps a worker in, found once; `hidden`: the data of the installation. */
function isolationOf(program: Program, limits: SandboxLimits, hidden: string): Promise<Isolation> {
  const known = isolations.get(program) ?? findIsolation(boundedProgram(limits, program), limits, { hidden })
  isolations.set(program, known)
  return known
}

type Question<Order> = {
  order: Order
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  hidden: string
  signal: AbortSignal
}

/** The pieces that it said; undefined where `signal` was aborted. Throws WorkerRefused. */
export function askHardenWorker(
  question: Question<HardenOrder> & {
    limits?: Partial<SandboxLimits> | undefined
    onMessage?(message: HardenMessage): void
  },
): Promise<Buffer[] | undefined> {
  const limits = { ...HARDEN_LIMITS, ...question.limits }
  return ask('harden-worker', limits, HardenMessageSchema, question)
}

export function askSignWorker(
  question: Question<SignOrder> & { onMessage?(message: SignMessage): void },
): Promise<Buffer[] | undefined> {
  return ask('sign-worker', SIGN_LIMITS, SignMessageSchema, question)
}

async function ask<Message extends object, Order>(
  program: Program,
  limits: SandboxLimits,
  schema: z.ZodType<Message>,
  question: Question<Order> & { onMessage?(message: Message): void },
): Promise<Buffer[] | undefined> {
  const pieces: Buffer[] = []
  let said = 0
  let total: number | undefined
  let refused: WorkerRefused | undefined
  let isBroken = false
  const end = await runSandboxed({
    program: boundedProgram(limits, program),
    isolation: await isolationOf(program, limits, question.hidden),
    limits,
    order: question.order,
    input: Readable.from(question.input, { objectMode: false }),
    outputBytes: ANSWER_BYTES,
    signal: question.signal,
    background: true,
    onLine(line) {
      const message = isBroken ? undefined : readMessage(schema, line, program)
      if (!message) isBroken = true
      else if ('part' in message) {
        const piece = Buffer.from(message.part as string, 'base64')
        said += piece.length
        pieces.push(piece)
      } else if ('end' in message) total = (message.end as { bytes: number }).bytes
      else if ('refused' in message) {
        const { key, detail } = message.refused as { key: string; detail: string }
        refused = new WorkerRefused(key, detail)
      } else question.onMessage?.(message)
    },
  })
  if (end.ended === 'stopped') return undefined
  if (refused) throw refused
  if (isBroken) throw new WorkerRefused('broken', 'the worker said what no worker says')
  if (end.ended !== 'done') throw new WorkerRefused(end.ended, whyNot(end, limits, program))
  if (total !== undefined && total !== said) throw new WorkerRefused('broken', `${said} of ${total} bytes came`)
  return pieces
}

function whyNot(end: SandboxEnd, { memoryMb, cpuSeconds, wallSeconds }: SandboxLimits, program: Program): string {
  if (end.ended === 'crashed') {
    log.error({ detail: end.detail }, `a ${program} crashed`)
    return 'the worker ended early'
  }
  if (end.ended !== 'limit') return end.ended
  const bounds = { time: `${wallSeconds} s`, cpu: `${cpuSeconds} s`, memory: `${memoryMb} MB`, output: 'size' }
  return `over the limit: ${end.limit} (${bounds[end.limit]})`
}

function readMessage<Message>(schema: z.ZodType<Message>, line: string, program: Program): Message | undefined {
  try {
    return schema.parse(JSON.parse(line))
  } catch (error) {
    log.error({ err: error }, `a ${program} sent an invalid message`)
    return undefined
  }
}
