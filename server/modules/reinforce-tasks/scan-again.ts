import type { DetectionKind } from '#contracts/detection/kinds.ts'
import type { ReinforceRescan } from '#contracts/http/reinforce-tasks.ts'
import { compareResults } from '#engines/detect/result/compare-results.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { type Isolation, SCAN_LIMITS } from '../../platform/sandbox/isolation.ts'
import { askWorker } from '../detection/ask-worker.ts'
import { BUILT_IN_STRATEGIES } from '../detection/built-in-strategies.ts'
import { judgeTask } from '../detection/judge-task.ts'
import { scanExtras } from '../detection/scan-extras.ts'
import { PACKAGE_ORDER } from '../detection/scan-messages.ts'

const KINDS: readonly DetectionKind[] = ['vulnerability', 'static']
const DAY_MS = 86_400_000
const MOST_ITEMS = 300

type Deps = { meta: MetaStore; files: FileStore; now(): number }

/**
 * Scans the packages with the same items and compares: a finding is closed only where the result no longer has it. Of three, the second is the result
 * with readable code and the last one that with encrypted code: what the last one does not show is hidden, and counts as what it was.
 * Null where `signal` was aborted; throws where one of them cannot be scanned.
 */
export async function scanAgain(
  deps: Deps,
  isolation: Isolation,
  { name, application }: { name: string; application: number | null },
  packages: readonly string[],
  signal: AbortSignal,
  onScanned: (done: number) => void,
): Promise<ReinforceRescan | null> {
  const extras = await scanExtras(deps.meta, { kinds: KINDS, items: null, application })
  const date = Math.floor(deps.now() / DAY_MS) * DAY_MS
  const results: ScanResult[] = []
  for (const sha256 of packages) {
    const file = await deps.files.open(sha256)
    const order = { ...PACKAGE_ORDER, name, kinds: KINDS, date }
    const answer = await askWorker({
      ...{ limits: SCAN_LIMITS, isolation, order, extras, file, signal },
      onProgress() {},
    })
    if (answer.end.ended === 'stopped') return null
    if (!answer.result) throw new Error(answer.refused ?? answer.broken ?? answer.end.ended)
    results.push(answer.result)
    onScanned(results.length)
  }
  const [before, after, shell] = results as [ScanResult, ScanResult, ScanResult?]
  const strategy = BUILT_IN_STRATEGIES[0]!.rules
  const scoreOf = (result: ScanResult) => judgeTask({ strategy }, result, [], deps.now()).score.value
  const { findings, items } = compareResults(before, after)
  const hidden = shell ? hiddenFindings(after, shell) : new Map<string, number>()
  return {
    ...{ score_before: scoreOf(before), score_after: scoreOf(after) },
    ...{ closed: findings.fixed, unchanged: findings.unchanged, added: findings.new },
    hidden: [...hidden.values()].reduce((sum, count) => sum + count, 0),
    items: items
      .filter((item) => item.before === 'fail' || item.after === 'fail')
      .map(({ id, name: text, level, new_findings, fixed_findings, unchanged }) => ({
        ...{ id, name: text, level, unchanged },
        ...{ closed: fixed_findings.length, added: new_findings.length, hidden: hidden.get(id) ?? 0 },
      }))
      // An item of which only the verdict changed, such as the signature of an unsigned result, is no finding of either scan.
      .filter((one) => one.closed + one.added + one.unchanged > 0)
      .sort((a, b) => Number(b.closed + b.added > 0) - Number(a.closed + a.added > 0))
      .slice(0, MOST_ITEMS),
  }
}

/**
 * By item: how many findings of the result with readable code the one with encrypted code does not show, whatever its verdict is. Most items of code are
 * not assessed there.
 */
export function hiddenFindings(open: ScanResult, shell: ScanResult): ReadonlyMap<string, number> {
  const shown = new Map(
    shell.items.map(({ id, findings }) => [id, new Set(findings.map(({ fingerprint }) => fingerprint))]),
  )
  return new Map(
    open.items.map(({ id, findings }) => [
      id,
      findings.filter(({ fingerprint }) => !shown.get(id)?.has(fingerprint)).length,
    ]),
  )
}
