import { timedSignal } from '../../../platform/timed-signal.ts'
import { startProgram } from '../../../programs.ts'
import type { ReportAnswer, ReportOrder } from './report-worker.ts'

const LIMIT_MS = 120_000

/** Writes a report in a process of its own, which `signal` or two minutes end. Throws Error with what the writer said. */
export function writeReport(order: ReportOrder, signal: AbortSignal): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const child = startProgram('report-worker', [], {
      serialization: 'advanced',
      execArgv: ['--max-old-space-size=1024'],
      signal: timedSignal(signal, LIMIT_MS),
      killSignal: 'SIGKILL',
    })
    child.once('error', reject)
    child.once('exit', (code, killed) => reject(new Error(`The report writer ended: ${killed ?? code}`)))
    child.once('message', (message) => {
      const answer = message as ReportAnswer
      if ('bytes' in answer) resolve(answer.bytes)
      else reject(new Error(answer.error))
    })
    child.send(order)
  })
}
