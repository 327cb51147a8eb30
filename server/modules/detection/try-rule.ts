import { ProductError } from '#contracts/errors.ts'
import type { RuleTrial } from '#contracts/http/detection/rules.ts'
import type { ServerDeps } from '../../http/module.ts'
import { boundedProgram, findIsolation, type Isolation, type SandboxLimits } from '../../platform/sandbox/isolation.ts'
import { askWorker } from './ask-worker.ts'
import { failureText } from './failure-text.ts'
import { NO_EXTRAS, PACKAGE_ORDER } from './scan-messages.ts'

/** Within the 15 s of a request. */
const LIMITS: SandboxLimits = { memoryMb: 2048, cpuSeconds: 12, wallSeconds: 12, openFiles: 256 }

let isolation: Promise<Isolation> | undefined

/** Asks an expression of a package, in a worker: the package may be hostile. */
export async function tryRule(
  { files, config }: ServerDeps,
  expression: string,
  file: { sha256: string; file_name: string },
): Promise<RuleTrial> {
  isolation ??= findIsolation(boundedProgram(LIMITS), LIMITS, { hidden: config.dataFolder })
  const found = await files.open(file.sha256).catch(() => {
    throw new ProductError('data.missing')
  })
  const { end, trial, refused } = await askWorker({
    limits: LIMITS,
    isolation: await isolation,
    order: { ...PACKAGE_ORDER, name: file.file_name, trial: expression },
    extras: NO_EXTRAS,
    file: found,
    signal: AbortSignal.timeout(LIMITS.wallSeconds * 1000),
    onProgress: () => {},
  })
  if (trial) return trial
  if (refused !== undefined)
    throw new ProductError('asset.unreadable', { detail: failureText('asset.unreadable', refused) })
  const detail = end.ended === 'crashed' ? end.detail.slice(0, 200) : `${LIMITS.wallSeconds} s`
  throw new ProductError('detection.limit', { detail })
}
