import type { Selectable, Updateable } from 'kysely'
import type { TaskState } from '#contracts/detection/kinds.ts'
import { ERRORS, type ErrorKey, errorText, type Language } from '#contracts/errors.ts'
import { type DetectionTask, PRIORITIES } from '#contracts/http/detection/tasks.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import { demandAll } from '../../http/demand-all.ts'
import type { Caller } from '../../http/module.ts'
import { notify } from '../../platform/notify.ts'
import { failureText } from './failure-text.ts'

/**
 * The `detection_tasks` table is the truth about tasks: waiting -> detecting -> detected | failed, and stopped from the first two. Every
 * change is one guarded update, so that a stop and an end cannot both win, and is announced on CHANNELS.detection.
 */
export type TaskRow = Selectable<Database['detection_tasks']>
export type ListedTask = TaskRow & { app_name: string | null; username: string | null; icon: string | null }
/** What a task is listed with beside its own row. */
export const LISTED = ['applications.name as app_name', 'users.username', 'app_files.icon'] as const

export const LIVE: readonly TaskState[] = ['waiting', 'detecting']

/** Tasks that the caller may see: of his applications, and those without one whose file he uploaded. */
export function tasksOf(meta: MetaStore, caller: Pick<Caller, 'scope' | 'userId'>) {
  const { apps } = caller.scope
  const select = meta.db
    .selectFrom('detection_tasks as task')
    .leftJoin('applications', 'applications.id', 'task.application_id')
    .leftJoin('users', 'users.id', 'task.by_user')
    .leftJoin('app_files', 'app_files.id', 'task.file_id')
  if (apps === 'all') return select
  return select.where((where) =>
    where.or([
      where('task.application_id', '=', where.fn.any(where.val([...apps]))),
      where.and([where('task.application_id', 'is', null), where('task.owner_id', '=', caller.userId)]),
    ]),
  )
}

/** The tasks of these ids; throws data.missing where one does not exist for the caller. */
export async function findTasks(
  meta: MetaStore,
  caller: Pick<Caller, 'scope' | 'userId'>,
  ids: readonly string[],
): Promise<ListedTask[]> {
  const rows = tasksOf(meta, caller)
    .selectAll('task')
    .select(LISTED)
    .where('task.id', 'in', ids)
    .orderBy('task.created_at', 'desc')
  return demandAll(ids, await rows.execute())
}

export async function findTask(
  meta: MetaStore,
  caller: Pick<Caller, 'scope' | 'userId'>,
  id: string,
): Promise<ListedTask> {
  const [row] = await findTasks(meta, caller, [id])
  return row as ListedTask
}

/** Changes a task that still is in one of `from`; undefined where it is not (stopped meanwhile, ended, gone). */
export async function changeTask(
  meta: MetaStore,
  id: string,
  from: readonly TaskState[],
  set: Updateable<Database['detection_tasks']>,
): Promise<TaskRow | undefined> {
  const row = await meta.db
    .updateTable('detection_tasks')
    .set(set)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (row) {
    await tellTask(meta, row)
    await tellEnd(meta, row)
  }
  return row
}

/** Notifies who started the task how it ended, unless he stopped it. */
async function tellEnd(meta: MetaStore, row: TaskRow): Promise<void> {
  if (row.by_user === null || (row.state !== 'detected' && row.state !== 'failed')) return
  const isDone = row.state === 'detected'
  const of = `${row.name} ${row.version}`.trim()
  const score = isDone && row.score !== null ? Math.round(row.score) : null
  await notify(
    meta,
    {
      to: { users: [row.by_user] },
      kind: 'detection',
      key: `detection:${row.id}:${row.attempt}`,
      state: !isDone ? 'bad' : row.gate === 'fail' ? 'warn' : 'good',
      title: { zh: isDone ? '检测完成' : '检测失败', en: isDone ? 'Detection done' : 'Detection failed' },
      note: {
        zh: [of, score !== null ? `${score} 分` : '', isDone ? '' : noteText(row, 'zh')].filter(Boolean).join('，'),
        en: [of, score !== null ? `${score} points` : '', isDone ? '' : noteText(row, 'en')].filter(Boolean).join(', '),
      },
      path: `/detection/tasks/${row.id}/`,
      facts: { task: row.id, state: row.state, gate: row.gate, score, package: row.package_id, version: row.version },
    },
    row.ended_at ?? row.created_at,
  )
}

export async function tellTask(meta: MetaStore, { id, state }: Pick<TaskRow, 'id' | 'state'>): Promise<void> {
  await meta.notify(CHANNELS.detection, { id, state })
}

const PRIORITY_NAMES = Object.fromEntries(Object.entries(PRIORITIES).map(([name, value]) => [value, name]))

/** The row in the form of the contract. */
export function toTask(row: ListedTask, language: Language): DetectionTask {
  const done = row.state === 'detected'
  return {
    id: row.id,
    appid: row.application_id === null ? '' : String(row.application_id),
    app_name: row.app_name ?? '',
    file: row.file_id === null ? '' : String(row.file_id),
    has_file: row.file_id !== null,
    name: row.name,
    icon: row.icon === null ? null : `/api/media/${row.icon}.png`,
    package_id: row.package_id,
    version: row.version,
    package_kind: row.package_kind,
    platform: row.platform,
    size: row.size,
    md5: row.md5,
    application_type: row.application_type === '' ? null : row.application_type,
    kinds: row.kinds,
    strategy: { id: row.strategy_id, name: row.strategy_name },
    priority: (PRIORITY_NAMES[row.priority] ?? 'normal') as DetectionTask['priority'],
    phone: row.phone,
    state: row.state,
    stage: row.stage,
    progress: row.progress,
    note: noteText(row, language),
    score: done ? row.score : null,
    counts: done ? row.counts : null,
    gate: done ? row.gate : null,
    suppressed: row.suppressed,
    not_assessed: row.not_assessed,
    packer: row.packer,
    privacy: row.privacy as DetectionTask['privacy'],
    by: row.username ?? '',
    created_at: row.created_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
  }
}

function noteText({ note, note_detail }: Pick<TaskRow, 'note' | 'note_detail'>, language: Language): string {
  if (!(note in ERRORS)) return note
  const detail = failureText(note, note_detail)
  // The text of the key alone would say nothing of a detection.
  return note === 'data.missing' ? detail[language] : errorText(note as ErrorKey, language, { detail })
}
