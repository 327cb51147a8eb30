import { type Judged, judgeResult } from '#engines/detect/judge-result.ts'
import type { ScanResult } from '#engines/detect/scan-result.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { type ListedSuppression, suppressionCheck } from './suppression-rows.ts'
import type { TaskRow } from './task-rows.ts'

/** What a task's result says with the suppressions of its package and the gate of its strategy. */
export function judgeTask(
  task: Pick<TaskRow, 'strategy'>,
  result: ScanResult,
  suppressions: readonly ListedSuppression[],
  now: number,
): Judged {
  return judgeResult(result, suppressionCheck(suppressions, now), task.strategy.gate)
}

/** Figures of a result as lists and analysis read them. */
export function verdictColumns(result: ScanResult, judged: Judged) {
  return {
    score: judged.score.value,
    counts: JSON.stringify(judged.counts),
    gate: judged.gate.verdict,
    suppressed: judged.suppressedFindings,
    not_assessed: result.notAssessed.length,
    packer: result.package.packer,
    privacy: result.kinds.includes('privacy') ? JSON.stringify(privacyCounts(result)) : null,
  }
}

function privacyCounts(result: ScanResult): Record<string, number> {
  const counts: Record<string, number> = { fail: 0, manual: 0, pass: 0, not_assessed: 0, not_applicable: 0 }
  for (const { verdict } of result.privacy) counts[verdict] = (counts[verdict] ?? 0) + 1
  return counts
}

/** Writes the figures of a detected task and its failed items. */
export async function keepVerdict(meta: MetaStore, id: string, result: ScanResult, judged: Judged): Promise<void> {
  const failures = judged.items
    .filter((item) => item.verdict === 'fail')
    .map(({ id: item, level, category, hits, owner, muted }) => ({
      task_id: id,
      item,
      level,
      category,
      hits,
      owner,
      muted,
    }))
  await meta.db.transaction().execute(async (tx) => {
    const { numUpdatedRows } = await tx
      .updateTable('detection_tasks')
      .set(verdictColumns(result, judged))
      .where('id', '=', id)
      .where('state', '=', 'detected')
      .executeTakeFirst()
    if (numUpdatedRows === 0n) return
    await tx.deleteFrom('detection_failures').where('task_id', '=', id).execute()
    if (failures.length > 0) await tx.insertInto('detection_failures').values(failures).execute()
  })
}
