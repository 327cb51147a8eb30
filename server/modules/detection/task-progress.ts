import { stagesOf, TASK_STAGES, type TaskStage } from '#contracts/detection/kinds.ts'
import type { Text } from '#contracts/detection/scan-result.ts'
import type { TaskLogLine } from '#contracts/http/detection/tasks.ts'
import { log as processLog } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { TaskRow } from './task-rows.ts'

export type TaskProgress = {
  /** `share` of the stage that is done, 0 to 1. */
  stage(stage: TaskStage, share: number): void
  log(level: TaskLogLine['level'], text: Text): void
  /** Closes the running stage; all that was said before is written once it resolves. */
  end(how: 'detected' | 'failed'): Promise<void>
  close(): Promise<void>
}

/** What a hostile package may make a worker say. */
const MOST_LINES = 2000

/** Writes stages with their times, progress and log of a running task, one after the other. */
export function trackTask({ meta, now }: { meta: MetaStore; now(): number }, task: TaskRow): TaskProgress {
  const order = stagesOf(task.kinds)
  const stages = task.stages.map((one) => ({ ...one }))
  let current: TaskStage = 'queued'
  let lines = 0
  let writing: Promise<unknown> = Promise.resolve()
  const write = (work: () => Promise<unknown>) => {
    writing = writing
      .then(work)
      .catch((error: Error) => processLog.error({ err: error }, `detection ${task.id}: progress could not be written`))
  }
  const closeStage = (at: number) => {
    const last = stages.at(-1)
    if (last && last.to === null) last.to = at
  }
  const save = (progress: number) => {
    const kept = JSON.stringify(stages)
    const stage = current
    write(() =>
      meta.db
        .updateTable('detection_tasks')
        .set({ stage, stages: kept, progress })
        .where('id', '=', task.id)
        .where('state', '=', 'detecting')
        .execute(),
    )
  }
  const log: TaskProgress['log'] = (level, text) => {
    if (++lines > MOST_LINES) return
    const row = {
      task_id: task.id,
      at: now(),
      stage: current,
      level,
      zh: text.zh.slice(0, 2000),
      en: text.en.slice(0, 2000),
    }
    write(() => meta.db.insertInto('detection_log').values(row).execute())
  }

  return {
    stage(stage, share) {
      if (!order.includes(stage)) return
      if (stage !== current) {
        const at = now()
        closeStage(at)
        current = stage
        stages.push({ stage, from: at, to: null })
        log('info', TASK_STAGES[stage])
      }
      save((order.indexOf(stage) + share) / order.length)
    },
    log,
    async end(how) {
      closeStage(now())
      log(
        how === 'failed' ? 'error' : 'info',
        how === 'failed' ? { zh: '检测失败', en: 'Failed' } : { zh: '检测完成', en: 'Done' },
      )
      save(how === 'failed' ? Math.max(0, order.indexOf(current)) / order.length : 1)
      await writing
    },
    async close() {
      await writing
    },
  }
}
