import { FormatError } from '#engines/bytes/format-error.ts'
import { testRule } from '#engines/detect/try-own-rule.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { readInput, say as sayAnything } from '../../platform/sandbox/worker-pipes.ts'
import type { ScanExtras, ScanMessage, ScanOrder } from './scan-messages.ts'
import { type OnStage, scanPackage } from './scan-package.ts'

/**
 * Scans one package and ends. It comes by standard input, what is found goes to the fourth descriptor, a line of JSON a message: this
 * program opens no file, asks no network, and whatever a hostile package does to it, it does to no other process.
 */
const argument = process.argv[2] ?? ''

const say = (message: ScanMessage) => sayAnything(message)

if (argument !== '--probe') run(JSON.parse(argument) as ScanOrder)

function run(order: ScanOrder): void {
  try {
    const extras = JSON.parse(readInput(order.extraBytes).toString('utf8')) as ScanExtras
    const bytes = readInput(order.size)
    if (order.trial !== undefined) say({ trial: testRule(order.trial, readPackage(bytes, order.name)) })
    else say({ result: scanPackage(bytes, order, stageReporter(), extras) })
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    say({ refused: `${error.format} ${error.key} (${error.offset}): ${error.message}`.slice(0, 2000) })
  }
}

/** Steps are many and short: a new stage is reported, and within one each tenth. */
function stageReporter(): OnStage {
  let reported = ''
  return (stage, share) => {
    const step = `${stage} ${Math.floor(share * 10)}`
    if (step === reported) return
    reported = step
    say({ stage, share })
  }
}
