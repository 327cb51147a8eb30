import { Readable } from 'node:stream'
import type { RuleTrial } from '#contracts/http/detection/rules.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import { boundedProgram, type Isolation, type SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { runSandboxed, type SandboxEnd } from '../../platform/sandbox/run-sandboxed.ts'
import { MAX_RESULT_BYTES } from './result-file.ts'
import {
  type PackageOrder,
  type ScanExtras,
  type ScanMessage,
  ScanMessageSchema,
  type ScanProgress,
} from './scan-messages.ts'

export type WorkerQuestion = {
  limits: SandboxLimits
  isolation: Isolation
  order: PackageOrder
  extras: ScanExtras
  file: { size: number; stream(): Readable }
  signal: AbortSignal
  onProgress(message: ScanProgress): void
}

/** What a worker said, as far as it is what workers say, and how it ended. */
export type WorkerAnswer = {
  end: SandboxEnd
  result?: ScanResult
  trial?: RuleTrial
  /** The bytes are no package. */
  refused?: string
  /** The begin of a line that no worker says: nothing of what it said counts. */
  broken?: string
}

/** Gives a package to a scan worker in its sandbox. */
export async function askWorker(question: WorkerQuestion): Promise<WorkerAnswer> {
  const { limits, isolation, order, extras, file, signal } = question
  const before = Buffer.from(JSON.stringify(extras))
  const answer: Omit<WorkerAnswer, 'end'> = {}
  const end = await runSandboxed({
    program: boundedProgram(limits),
    isolation,
    limits,
    order: { ...order, size: file.size, extraBytes: before.length },
    input: Readable.from(inTurn(before, file)),
    outputBytes: MAX_RESULT_BYTES,
    signal,
    // A trial of a rule has somebody waiting for it; a detection leaves the machine to queries.
    background: order.trial === undefined,
    onLine(line) {
      const message = readMessage(line)
      if (!message) answer.broken = line.slice(0, 200)
      else if ('stage' in message || 'log' in message) question.onProgress(message)
      else Object.assign(answer, message)
    },
  })
  return answer.broken === undefined ? { end, ...answer } : { end, broken: answer.broken }
}

async function* inTurn(first: Buffer, rest: WorkerQuestion['file']): AsyncGenerator<Buffer> {
  yield first
  yield* rest.stream()
}

function readMessage(line: string): ScanMessage | undefined {
  try {
    const parsed = ScanMessageSchema.safeParse(JSON.parse(line))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined // a worker's answer is not trusted: the caller treats it as none
  }
}
