import type { Readable } from 'node:stream'
import type { Text } from '#contracts/detection/scan-result.ts'
import { ProductError } from '#contracts/errors.ts'
import { log } from '#runtime/log.ts'
import { makeTurns } from '#runtime/make-turns.ts'
import { boundedProgram, findIsolation, type Isolation, type SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { runSandboxed, type SandboxEnd } from '../../platform/sandbox/run-sandboxed.ts'
import { type Inspection, type InspectionAnswer, InspectionAnswerSchema, type InspectionOrder } from './inspection.ts'

/** Bytes of a package, which may be read more than once. */
export type PackageSource = { size: number; stream(): Readable }

/** What reading one package may cost: its bytes (2 GiB at most) lie in memory. */
export const INSPECTION_LIMITS: SandboxLimits = { memoryMb: 4096, cpuSeconds: 60, wallSeconds: 120, openFiles: 256 }
/** 3,000 rows of each kind of fact, and an icon. */
const ANSWER_BYTES = 32 * 2 ** 20
const inTurn = makeTurns(2)
let isolation: Promise<Isolation> | undefined

/**
 * Reads the package in a sandbox: bounded memory and time, no file, no network. Throws asset.unreadable with the reason, or
 * asset.unknown_kind.
 * @param hidden the data of the installation, which it does not get to see
 */
export function runInspection(
  source: PackageSource,
  name: string,
  hidden: string,
  limits: SandboxLimits = INSPECTION_LIMITS,
): Promise<Inspection> {
  return inTurn(async () => {
    isolation ??= findIsolation(boundedProgram(INSPECTION_LIMITS, 'inspect-process'), INSPECTION_LIMITS, { hidden })
    const answer = await ask(source, name, limits, await isolation)
    if ('refused' in answer) throw new ProductError(answer.refused.key, { detail: answer.refused.detail })
    return answer.found
  })
}

async function ask(
  source: PackageSource,
  name: string,
  limits: SandboxLimits,
  kept: Isolation,
): Promise<InspectionAnswer> {
  const order: InspectionOrder = { name, size: source.size }
  let answer: InspectionAnswer | undefined
  const end = await runSandboxed({
    program: boundedProgram(limits, 'inspect-process'),
    isolation: kept,
    limits,
    order,
    input: source.stream(),
    outputBytes: ANSWER_BYTES,
    signal: new AbortController().signal,
    onLine(line) {
      answer = readAnswer(line)
    },
  })
  return (
    (end.ended === 'done' ? answer : undefined) ?? {
      refused: { key: 'asset.unreadable', detail: whyNot(end, limits) },
    }
  )
}

function readAnswer(line: string): InspectionAnswer | undefined {
  try {
    return InspectionAnswerSchema.parse(JSON.parse(line))
  } catch (error) {
    log.error({ err: error }, 'the package inspector sent an invalid result')
    return undefined
  }
}

function whyNot(end: SandboxEnd, { memoryMb, cpuSeconds, wallSeconds }: SandboxLimits): Text {
  if (end.ended !== 'limit') {
    if (end.ended === 'crashed') log.error({ detail: end.detail }, 'the package inspector crashed')
    return { zh: '读取程序提前结束', en: 'the reader ended early' }
  }
  if (end.limit === 'time') return { zh: `读取超过 ${wallSeconds} 秒`, en: `reading took more than ${wallSeconds} s` }
  if (end.limit === 'cpu')
    return { zh: `读取占用处理器超过 ${cpuSeconds} 秒`, en: `reading took more than ${cpuSeconds} s of the processor` }
  return end.limit === 'memory'
    ? { zh: `读取占用内存超过 ${memoryMb} MB`, en: `reading took more than ${memoryMb} MB` }
    : { zh: '内容多于可保存的上限', en: 'it names more than is kept' }
}
