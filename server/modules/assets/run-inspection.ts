import { ProductError } from '#contracts/errors.ts'
import { startProgram } from '../../programs.ts'
import type { Inspection, InspectionAnswer } from './inspection.ts'

/** What reading one package may cost. */
const HEAP_MB = 1024
const PATIENCE_MS = 120_000
/** Readers at once; the rest waits. */
const AT_ONCE = 2

let running = 0
const waiting: (() => void)[] = []

/** Reads the package in a process of its own, with bounded memory and time. Throws asset.unreadable with the reason, or asset.unknown_kind. */
export async function runInspection(path: string, name: string): Promise<Inspection> {
  if (running >= AT_ONCE) await new Promise<void>((turn) => waiting.push(turn))
  running++
  try {
    const answer = await ask(path, name)
    if ('refused' in answer) throw new ProductError(answer.refused.key, { detail: answer.refused.detail })
    return answer.found
  } finally {
    running--
    waiting.shift()?.()
  }
}

function ask(path: string, name: string): Promise<InspectionAnswer> {
  return new Promise((answered) => {
    const child = startProgram('inspect-process', [path, name], {
      execArgv: [`--max-old-space-size=${HEAP_MB}`],
      // Nothing of ours that a reader of packages needs to know.
      env: { PATH: process.env['PATH'], NODE_ENV: process.env['NODE_ENV'] },
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    let answer: InspectionAnswer | undefined
    let reason = 'the reader ended early'
    const timer = setTimeout(() => {
      reason = `reading took more than ${PATIENCE_MS / 1000} s`
      child.kill('SIGKILL')
    }, PATIENCE_MS)
    child.once('message', (message) => {
      answer = message as InspectionAnswer
    })
    child.once('error', (error) => {
      reason = error.message
    })
    child.once('exit', () => {
      clearTimeout(timer)
      answered(answer ?? { refused: { key: 'asset.unreadable', detail: reason } })
    })
  })
}
