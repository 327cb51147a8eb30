import { FormatError } from '#engines/bytes/format-error.ts'
import { ScriptRefused } from '#engines/jsguard/script-refused.ts'
import { readInput, say as sayAnything } from '../../platform/sandbox/worker-pipes.ts'
import type { RunOrder, ScriptMessage, ScriptOrder } from './script-messages.ts'

/**
 * Reads, measures, runs or protects one upload and ends. It opens no file and asks no network. Only the task `run` executes what was
 * uploaded, in a process of its own that says nothing but numbers.
 */
const argument = process.argv[2] ?? ''
const say = (message: ScriptMessage) => sayAnything(message)

if (argument !== '--probe') await work(JSON.parse(argument) as ScriptOrder)

async function work(order: ScriptOrder): Promise<void> {
  const bytes = readInput(order.size)
  try {
    if (order.task === 'run') {
      const { runScripts } = await import('./run-scripts.ts')
      return say({ run: runScripts(JSON.parse(bytes.toString('utf8')) as RunOrder, () => performance.now()) })
    }
    if (order.task === 'look') {
      const { lookAt } = await import('./open-upload.ts')
      return say({ look: lookAt(bytes, order.name) })
    }
    if (order.task === 'measure') {
      const { measureUpload } = await import('./measure-upload.ts')
      return measureUpload(bytes, order, say, () => performance.now())
    }
    const { protectUpload } = await import('./protect-upload.ts')
    protectUpload(bytes, order, {
      say,
      read: readInput,
      now: () => performance.now(),
      processorSeconds: () => process.cpuUsage().user / 1e6,
    })
  } catch (error) {
    if (error instanceof FormatError || error instanceof ScriptRefused)
      return say({ refused: { key: error.key, detail: `${placeOf(error)}${error.message}`.slice(0, 1000) } })
    throw error
  }
}

function placeOf(error: FormatError | ScriptRefused): string {
  return error instanceof ScriptRefused && error.line > 0 ? `${error.line}:${error.column} ` : ''
}
