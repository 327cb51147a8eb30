import type { FindingLevel } from '#contracts/detection/kinds.ts'
import { ProductError } from '#contracts/errors.ts'
import {
  detectionResult,
  downloadResult,
  type ItemLine,
  resultItem,
  resultItems,
  resultScreenshot,
  type Suppression,
  whatIfFixed,
} from '#contracts/http/detection/result.ts'
import { type IsSuppressed, type Judged, type JudgedItem, judgeResult } from '#engines/detect/result/judge-result.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import { sarifOf } from '#engines/report/sarif.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { itemNames } from './own-rules.ts'
import { readResult } from './result-file.ts'
import { mountParts } from './result-parts.ts'
import { suppressionCheck, suppressionsFor, toSuppression } from './suppression-rows.ts'
import { findTask, type ListedTask } from './task-rows.ts'

export type OpenedResult = {
  task: ListedTask
  result: ScanResult
  judged: Judged
  isSuppressed: IsSuppressed
  /** Of a finding, or with '' of an item; those that are over are left out. */
  suppressionOf(item: string, fingerprint: string): Suppression | null
}

/** A detected task as the caller may see it, with what is suppressed in it now. */
export async function openResult(
  deps: Pick<ServerDeps, 'meta' | 'files' | 'now'>,
  caller: Pick<Caller, 'scope' | 'userId'>,
  id: string,
): Promise<OpenedResult> {
  const task = await findTask(deps.meta, caller, id)
  const [result, rows, nameOf] = await Promise.all([
    readResult(deps, task),
    suppressionsFor(deps, task),
    itemNames(deps.meta),
  ])
  const now = deps.now()
  const active = rows.map((row) => toSuppression(row, now, nameOf)).filter(({ state }) => state !== 'expired')
  const byFinding = new Map(active.map((one) => [`${one.item} ${one.fingerprint ?? ''}`, one]))
  const isSuppressed = suppressionCheck(rows, now)
  return {
    task,
    result,
    judged: judgeResult(result, isSuppressed, task.strategy.gate),
    isSuppressed,
    suppressionOf: (item, fingerprint) => byFinding.get(`${item} ${fingerprint}`) ?? null,
  }
}

/** What a detected task says: at a glance, by item, in parts, as a file. */
export const resultModule: Module = (mount, deps) => {
  mount(detectionResult, async ({ query, caller }) => {
    const { task, result, judged } = await openResult(deps, caller, query.id)
    return {
      data: {
        package: result.package,
        rules: result.rules,
        kinds: [...result.kinds],
        application_type: task.application_type === '' ? null : task.application_type,
        score: judged.score,
        raw_score: result.score.value,
        counts: judged.counts,
        own_counts: judged.ownCounts,
        verdicts: judged.verdicts,
        categories: categoriesOf(judged.items),
        suppressed_findings: judged.suppressedFindings,
        gate: judged.gate,
        certificates: result.certificates,
        coverage: result.coverage,
        not_assessed: result.notAssessed,
        sizes: {
          items: result.items.length,
          permissions: result.permissions.length,
          components: result.components.length,
          sdks: result.sdks.length,
          domains: result.domains.length,
          privacy: result.privacy.length,
          content: result.content.length,
          libraries: result.libraries.length,
        },
      },
    }
  })

  mount(whatIfFixed, async ({ body, caller }) => {
    const { task, result, isSuppressed } = await openResult(deps, caller, body.id)
    const fixed = new Set(body.fixed)
    const items = result.items.map((item) =>
      item.verdict === 'fail' && fixed.has(item.id)
        ? { ...item, verdict: 'pass' as const, findings: [], hits: 0, owner: null }
        : item,
    )
    const { score, counts, gate } = judgeResult({ items, package: result.package }, isSuppressed, task.strategy.gate)
    return { data: { score, counts, gate } }
  })

  mount(resultItems, async ({ query, caller }) => {
    const { judged, suppressionOf } = await openResult(deps, caller, query.id)
    const words = query.search.toLowerCase()
    const found = judged.items.filter((item) => {
      const verdict = item.muted ? 'suppressed' : item.verdict
      return (
        (query.verdict === '' || query.verdict === verdict) &&
        (query.level === '' || query.level === item.level) &&
        (query.category === '' || query.category === item.category) &&
        (query.owner === '' || query.owner === item.owner) &&
        (words === '' || `${item.id}\n${item.name.zh}\n${item.name.en}`.toLowerCase().includes(words))
      )
    })
    const sorted = found.toSorted((a, b) => rank(a) - rank(b)) // stable: the order of the rule pack within a rank
    return {
      data: sorted
        .slice(query.offset, query.offset + query.limit)
        .map((item) => toLine(item, suppressionOf(item.id, ''))),
      total: found.length,
    }
  })

  mount(resultItem, async ({ query, caller }) => {
    const { judged, suppressionOf } = await openResult(deps, caller, query.id)
    const item = judged.items.find(({ id }) => id === query.item)
    if (!item) throw new ProductError('data.missing')
    return {
      data: toLine(item, suppressionOf(item.id, '')),
      findings: item.findings
        .slice(query.offset, query.offset + query.limit)
        .map((finding) => ({ ...finding, suppression: suppressionOf(item.id, finding.fingerprint) })),
      total: item.findings.length,
    }
  })

  mountParts(mount, (caller, id) => openResult(deps, caller, id).then(({ result }) => result))

  mount(resultScreenshot, async ({ query, caller, reply }) => {
    const { result } = await openResult(deps, caller, query.id)
    const picture = result.dynamic?.screenshots.find(({ file }) => file === query.file)
    if (!picture || !(await deps.files.has(picture.file))) throw new ProductError('data.missing')
    const file = await deps.files.open(picture.file)
    reply.header('content-type', 'image/png')
    reply.header('content-length', file.size)
    reply.header('x-content-type-options', 'nosniff')
    reply.header('content-security-policy', 'sandbox')
    reply.header('cache-control', 'private, max-age=31536000, immutable')
    return file.stream()
  })

  mount(downloadResult, async ({ query, caller, reply }) => {
    const { task, result, isSuppressed, suppressionOf } = await openResult(deps, caller, query.id)
    reply.header('content-type', query.format === 'sarif' ? 'application/sarif+json' : 'application/json')
    reply.header('content-disposition', attachment(`${task.name}-${task.version}.${query.format}`))
    reply.header('x-content-type-options', 'nosniff')
    if (query.format === 'json') return JSON.stringify(result)
    const reasonOf = (item: string, fingerprint: string | null) => suppressionOf(item, fingerprint ?? '')?.reason
    return JSON.stringify(sarifOf(result, { language: caller.language, isSuppressed, reasonOf }))
  })
}

const LEVEL_RANK: Record<FindingLevel, number> = { high: 0, middle: 1, low: 2, info: 3 }
const VERDICT_RANK = { fail: 0, suppressed: 1, not_assessed: 2, pass: 3, not_applicable: 4 }
const rank = (item: JudgedItem) => VERDICT_RANK[item.muted ? 'suppressed' : item.verdict] * 10 + LEVEL_RANK[item.level]

function toLine({ findings: _, ...item }: JudgedItem, suppression: Suppression | null): ItemLine {
  return { ...item, suppression }
}

function categoriesOf(items: readonly JudgedItem[]) {
  const found = new Map<string, { category: string; items: number; failed: Record<FindingLevel, number> }>()
  for (const { category, level, verdict, muted } of items) {
    const line = found.get(category) ?? { category, items: 0, failed: { high: 0, middle: 0, low: 0, info: 0 } }
    line.items++
    if (verdict === 'fail' && !muted) line.failed[level]++
    found.set(category, line)
  }
  return [...found.values()]
}
