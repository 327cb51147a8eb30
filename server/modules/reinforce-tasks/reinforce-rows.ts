import type { Selectable, Updateable } from 'kysely'
import { ERRORS, type ErrorKey, errorText, type Language } from '#contracts/errors.ts'
import {
  REINFORCE_REFUSALS,
  type ReinforceRefusal,
  type ReinforceState,
  type ReinforceTask,
} from '#contracts/http/reinforce-tasks.ts'
import { isLibraryKind } from '#domain/reinforce-kinds.ts'
import { chosenOptions, ReinforceOptionsSchema } from '#domain/reinforce-policy.ts'
import type { OptionState } from '#engines/harden/option-results.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { StoredReport } from '#storage/postgres/reinforce-tables.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import { demandAll } from '../../http/demand-all.ts'
import type { Caller } from '../../http/module.ts'
import { notify } from '../../platform/notify.ts'
import { visibleRows } from '../applications/visible-rows.ts'

/**
 * The `reinforce_tasks` table is the truth about tasks: waiting -> reinforcing -> success | failed, and stopped from the two before; every
 * change is one guarded update and is announced on CHANNELS.reinforce.
 */
export type TaskRow = Selectable<Database['reinforce_tasks']>
export type ListedTask = TaskRow & { app_name: string | null; username: string | null; icon: string | null }

export const LIVE_TASKS: readonly ReinforceState[] = ['waiting', 'reinforcing']

/** Tasks that the caller may see: those of permitted applications, and the caller's own of packages that belong to no application. */
export function tasksOf({ db }: MetaStore, caller: Pick<Caller, 'scope' | 'userId'>) {
  return (
    db
      .selectFrom('reinforce_tasks as task')
      // A deleted application leaves its records behind, as records of no application.
      .leftJoin('applications', (join) =>
        join.onRef('applications.id', '=', 'task.application_id').on('applications.deleted_at', 'is', null),
      )
      .leftJoin('users', 'users.id', 'task.by_user')
      .leftJoin('app_files', 'app_files.id', 'task.file_id')
      .where(visibleRows(caller, 'task.by_user'))
  )
}

/** What a row is listed with. */
export const LISTED = ['applications.name as app_name', 'users.username', 'app_files.icon'] as const

/** The tasks of these ids; data.missing where one does not exist for the caller. */
export async function findTasks(
  meta: MetaStore,
  caller: Pick<Caller, 'scope' | 'userId'>,
  ids: readonly string[],
): Promise<ListedTask[]> {
  const rows = tasksOf(meta, caller).selectAll('task').select(LISTED).where('task.id', 'in', ids)
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
  from: readonly ReinforceState[],
  set: Updateable<Database['reinforce_tasks']>,
): Promise<TaskRow | undefined> {
  const row = await meta.db
    .updateTable('reinforce_tasks')
    .set(set)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (row && set.state) {
    await meta.notify(CHANNELS.reinforce, { id })
    await notifyEnd(meta, row)
  }
  return row
}

/** Notifies who asked for it how it ended, unless it was cancelled. */
async function notifyEnd(meta: MetaStore, row: TaskRow): Promise<void> {
  if (row.by_user === null || (row.state !== 'success' && row.state !== 'failed')) return
  const isDone = row.state === 'success'
  const counts = countStates(row.report)
  const left = counts.skipped + counts.not_built
  const name = `${row.name} ${row.version}`.trim()
  await notify(
    meta,
    {
      to: { users: [row.by_user] },
      kind: 'job',
      key: `reinforce:${row.id}:${row.started_at ?? 0}`,
      state: !isDone ? 'bad' : left > 0 ? 'warn' : 'good',
      title: { zh: isDone ? '加固成功' : '加固失败', en: isDone ? 'Reinforced' : 'Reinforcement failed' },
      note: {
        zh: [name, isDone ? '' : noteOf(row, 'zh'), isDone && left > 0 ? `${left} 个选项未生效` : '']
          .filter(Boolean)
          .join('，'),
        en: [name, isDone ? '' : noteOf(row, 'en'), isDone && left > 0 ? `${left} options without effect` : '']
          .filter(Boolean)
          .join(', '),
      },
      path: `/reinforce/tasks/${row.id}`,
      facts: { task: row.id, state: row.state },
    },
    row.ended_at ?? row.created_at,
  )
}

function countStates(report: StoredReport | null): Record<OptionState, number> {
  const counts = { applied: 0, partial: 0, skipped: 0, not_built: 0 }
  for (const { state } of report?.options ?? []) counts[state]++
  return counts
}

/** The row in the form of the contract. */
export function toTask(row: ListedTask, language: Language): ReinforceTask {
  const isDone = row.state === 'success'
  return {
    id: row.id,
    appid: row.app_name === null || row.application_id === null ? '' : String(row.application_id),
    app_name: row.app_name ?? '',
    file: row.file_id,
    kind: row.kind,
    name: row.name,
    icon: row.icon === null ? null : `/api/media/${row.icon}.png`,
    package_id: row.package_name,
    version: row.version,
    state: row.state,
    stage: row.state === 'reinforcing' || row.state === 'failed' ? row.stage : null,
    progress: isDone ? 1 : row.progress,
    note: row.state === 'failed' ? noteOf(row, language) : '',
    policy_id: row.policy_id,
    policy: row.policy_name,
    policy_rev: row.policy_rev,
    chosen: chosenOptions(ReinforceOptionsSchema.parse(row.options)).length,
    signature: isLibraryKind(row.kind) ? '' : row.signature_name,
    size_before: row.size,
    size_after: isDone ? row.output_size : null,
    results: isDone ? countStates(row.report) : null,
    result_file: isDone ? row.result_file_id : null,
    operator: row.username ?? '',
    created_at: row.created_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
  }
}

function noteOf({ note, note_detail }: Pick<TaskRow, 'note' | 'note_detail'>, language: Language): string {
  if (note in REINFORCE_REFUSALS)
    return errorText('reinforce.failed', language, { detail: REINFORCE_REFUSALS[note as ReinforceRefusal][language] })
  return note in ERRORS ? errorText(note as ErrorKey, language, { detail: note_detail }) : note
}
