import type { Updateable } from 'kysely'
import type { TaskState } from '#contracts/detection/kinds.ts'
import { type Judged, judgeResult } from '#engines/detect/result/judge-result.ts'
import type { ScanResult } from '#engines/detect/result/scan-result.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import { keepComponents } from './keep-components.ts'
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
function resultColumns(result: ScanResult, judged: Judged) {
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

/**
 * Writes the figures of a task, its failed items and its components, with what else is set in it; undefined where the task is not in `from` any more
 * (stopped, deleted).
 */
export async function keepResult(
  meta: MetaStore,
  { id, from }: { id: string; from: TaskState },
  result: ScanResult,
  judged: Judged,
  set: Updateable<Database['detection_tasks']> = {},
): Promise<{ id: string; state: TaskState } | undefined> {
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
  return meta.db.transaction().execute(async (tx) => {
    const row = await tx
      .updateTable('detection_tasks')
      .set({ ...resultColumns(result, judged), components_kept: true, ...set })
      .where('id', '=', id)
      .where('state', '=', from)
      .returning(['id', 'state'])
      .executeTakeFirst()
    if (!row) return undefined
    await tx.deleteFrom('detection_failures').where('task_id', '=', id).execute()
    if (failures.length > 0) await tx.insertInto('detection_failures').values(failures).execute()
    await keepComponents(tx, id, result)
    return row
  })
}
