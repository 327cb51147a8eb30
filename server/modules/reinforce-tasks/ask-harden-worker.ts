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
  type PieceMessage,
  type SignMessage,
  SignMessageSchema,
  type SignOrder,
} from './harden-messages.ts'
import { answerBytes, SaidPackages } from './said-packages.ts'

/** Of one worker: many times what a package of 200 MB needs. */
export const HARDEN_LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 600, wallSeconds: 1200, openFiles: 256 }
const SIGN_LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 120, wallSeconds: 300, openFiles: 256 }

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

/** Packages that the answer to an order holds at most. */
const PACKAGES = { scripts: 1, harden: 2, compare: 0 } as const

type Question<Order> = {
  order: Order
  input: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
  hidden: string
  signal: AbortSignal
}

/** The packages that it said; undefined where `signal` was aborted. Throws WorkerRefused. */
export function askHardenWorker(
  question: Question<HardenOrder> & {
    limits?: Partial<SandboxLimits> | undefined
    onMessage?(message: HardenMessage): void
  },
): Promise<SaidPackages | undefined> {
  const limits = { ...HARDEN_LIMITS, ...question.limits }
  const { size, task } = question.order
  return ask('harden-worker', limits, HardenMessageSchema, {
    ...question,
    outputBytes: answerBytes(size, PACKAGES[task]),
  })
}

export function askSignWorker(
  question: Question<SignOrder> & { onMessage?(message: SignMessage): void },
): Promise<SaidPackages | undefined> {
  const outputBytes = answerBytes(question.order.size, 1)
  return ask('sign-worker', SIGN_LIMITS, SignMessageSchema, { ...question, outputBytes })
}

async function ask<Message extends object, Order>(
  program: Program,
  limits: SandboxLimits,
  schema: z.ZodType<Message>,
  question: Question<Order> & { outputBytes: number; onMessage?(message: Message): void },
): Promise<SaidPackages | undefined> {
  const said = new SaidPackages()
  let refused: WorkerRefused | undefined
  let isBroken = false
  const end = await runSandboxed({
    program: boundedProgram(limits, program),
    isolation: await isolationOf(program, limits, question.hidden),
    limits,
    order: question.order,
    input: Readable.from(question.input, { objectMode: false }),
    outputBytes: question.outputBytes,
    signal: question.signal,
    background: true,
    onLine(line) {
      const message = isBroken ? undefined : readMessage(schema, line, program)
      if (!message) isBroken = true
      else if ('part' in message) {
        const { of, part } = message as unknown as Extract<PieceMessage, { part: unknown }>
        said.add(of, part)
      } else if ('end' in message) {
        const { of, bytes } = message.end as Extract<PieceMessage, { end: unknown }>['end']
        said.end(of, bytes)
      } else if ('refused' in message) {
        const { key, detail } = message.refused as { key: string; detail: string }
        refused = new WorkerRefused(key, detail)
      } else question.onMessage?.(message)
    },
  })
  if (end.ended === 'stopped') return undefined
  if (refused) throw refused
  if (isBroken) throw new WorkerRefused('broken', 'the worker said what no worker says')
  if (end.ended !== 'done') throw new WorkerRefused(end.ended, whyNot(end, limits, program))
  const issue = said.issue()
  if (issue) throw new WorkerRefused('broken', issue)
  return said
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
