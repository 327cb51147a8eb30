import { randomUUID } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import { ERRORS, type ErrorKey, errorText, type Language } from '#contracts/errors.ts'
import type { exportFiles } from '#contracts/http/assets.ts'
import type { AuditFilters, NetworkFilters } from '#contracts/http/audit-log.ts'
import type { exportSuppressions } from '#contracts/http/detection/result.ts'
import type { exportTasks } from '#contracts/http/detection/tasks.ts'
import type { BodyOf } from '#contracts/http/endpoint.ts'
import type { ExportedList as AskedList } from '#contracts/http/exports.ts'
import { downloadJob } from '#contracts/http/jobs.ts'
import type { TakedownFilters } from '#contracts/http/monitoring/takedowns.ts'
import type { ReportFormat, ReportReader } from '#contracts/http/reports/task-reports.ts'
import { type ExportFormat, JOB_KINDS, JOB_NOTES, type Job, type JobNote, type JobState } from '#contracts/jobs.ts'
import type { Part, Query, Scope } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import { notify } from '../../platform/notify.ts'

/**
 * The `jobs` table is the truth about long work: waiting -> running -> done | failed, and stopped from the first two.
 * Every change is one guarded update, so that a cancel and a finish cannot both win, and is announced on CHANNELS.job.
 */
export type JobRow = Selectable<Database['jobs']>

/** A list of files belongs to who asked for it, beside his scope. */
export type ExportedList =
  | AskedList
  | { of: 'files'; filters: BodyOf<typeof exportFiles>['list'] }
  | { of: 'self_check'; app: number }
  | { of: 'suppressions'; filters: BodyOf<typeof exportSuppressions>['list'] }
  | { of: 'detection_tasks'; filters: BodyOf<typeof exportTasks>['list'] }
  | { of: 'takedowns'; filters: TakedownFilters }
  | { of: 'audit_log'; filters: AuditFilters }
  | { of: 'network_log'; filters: NetworkFilters }

/** What is exported: a part of a query, or a list. */
export type Exported = { query: Query; part: Part } | { list: ExportedList }

/** What an export needs to run later without its caller: times are fixed, scope and rights are those of the moment it was asked for. */
export type ExportInput = Exported & {
  /** Absent in jobs of before there was a choice: CSV. */
  format?: ExportFormat
  scope: Scope
  language: Language
  /** The caller may read full addresses. */
  personal: boolean
  /** The caller may read channel monitoring, so alerts about its runs too; absent in older jobs: not. */
  monitoring?: boolean
  /** Epoch ms against which the range was meant. */
  now: number
}

/** What a deletion of personal data needs; the row keeps an ErasedInput instead once the data is deleted. */
export type EraseInput = { erasure: string; kind: 'device' | 'user'; subject: string; scope: Scope }
/** `exports`: how many results were deleted; `rewritten`: tables whose files hold no old row any more. */
export type ErasedInput = { kind: EraseInput['kind']; exports?: number; rewritten?: readonly string[] }

/** What a report is about: a detected task, a case, the self-check of an application, an encrypted script, figures of a query, an article, the monitoring of an application, or a pirated copy. */
export type ReportSubject =
  | { of: 'detection'; task: string }
  | { of: 'case'; case: string }
  | { of: 'self_check'; app: number }
  | { of: 'script'; script: string }
  | { of: 'reinforcement'; task: string }
  | { of: 'statistics'; query: Query }
  | { of: 'monitoring'; monitor: string }
  | { of: 'takedown'; copy: string; market: string }
  | { of: 'article'; article: string }

/** What a report needs; scope and rights are those of the moment it was asked for. */
export type ReportInput = ReportSubject & {
  format: ReportFormat
  /** Of detections alone. */
  reader: ReportReader
  language: Language
  scope: Scope
  /** Applications that it is about; without one, it is visible to who asked and to those who see everything. */
  apps: readonly number[] | 'all'
}

export const LIVE_STATES = ['waiting', 'running'] as const satisfies readonly JobState[]

/** The row in the form of the contract; `note` holds an error key until here. */
export function toJob(row: JobRow, language: Language): Job {
  return {
    id: row.id,
    kind: row.kind as Job['kind'],
    title: row.title,
    state: row.state as JobState,
    progress: row.progress,
    note: noteText(row.note, language),
    rows: row.rows,
    bytes: row.bytes,
    created_at: row.created_at,
    started_at: row.started_at,
    ended_at: row.ended_at,
    download: row.state === 'done' && row.file ? `${downloadJob.path}?id=${row.id}` : null,
  }
}

function noteText(note: string, language: Language): string {
  if (note in JOB_NOTES) return JOB_NOTES[note as JobNote][language]
  return note in ERRORS ? errorText(note as ErrorKey, language) : note
}

/** @param also what is made together with the job: both or none of them */
export async function createJob(
  meta: MetaStore,
  userId: number,
  title: string,
  input: ExportInput | EraseInput | ReportInput,
  now: number,
  kind: Job['kind'] = 'export',
  also?: (meta: MetaStore) => Promise<void>,
): Promise<JobRow> {
  const values: Insertable<Database['jobs']> = {
    id: randomUUID(),
    user_id: userId,
    kind,
    title,
    state: 'waiting',
    progress: null,
    note: '',
    rows: 0,
    bytes: 0,
    input: JSON.stringify(input),
    file: null,
    file_name: null,
    created_at: now,
    started_at: null,
    ended_at: null,
  }
  const row = await meta.db.transaction().execute(async (tx) => {
    await also?.({ ...meta, db: tx })
    return tx.insertInto('jobs').values(values).returningAll().executeTakeFirstOrThrow()
  })
  await tell(meta, row)
  return row
}

/** Changes a job that still is in one of `from`; undefined where it is not (cancelled meanwhile, finished, gone). */
export async function changeJob(
  meta: MetaStore,
  id: string,
  from: readonly JobState[],
  set: Partial<
    Pick<
      JobRow,
      'state' | 'progress' | 'note' | 'rows' | 'bytes' | 'file' | 'file_name' | 'document' | 'started_at' | 'ended_at'
    >
  >,
): Promise<JobRow | undefined> {
  const row = await meta.db
    .updateTable('jobs')
    .set(set)
    .where('id', '=', id)
    .where('state', 'in', from)
    .returningAll()
    .executeTakeFirst()
  if (row) {
    await tell(meta, row)
    if (row.state === 'done' || row.state === 'failed') await tellEnd(meta, row)
  }
  return row
}

/** Of a deletion of personal data, nothing says whose it was. */
async function tellEnd(meta: MetaStore, row: JobRow): Promise<void> {
  const isDone = row.state === 'done'
  await notify(
    meta,
    {
      to: { users: [row.user_id] },
      kind: 'job',
      key: `job:${row.id}`,
      state: isDone ? 'good' : 'bad',
      title: {
        zh: `${JOB_KINDS[row.kind as Job['kind']].zh}${isDone ? '完成' : '失败'}`,
        en: `${JOB_KINDS[row.kind as Job['kind']].en} ${isDone ? 'done' : 'failed'}`,
      },
      note: {
        zh: [row.title, noteText(row.note, 'zh')].filter(Boolean).join('，'),
        en: [row.title, noteText(row.note, 'en')].filter(Boolean).join(', '),
      },
      path: isDone && row.file ? `${downloadJob.path}?id=${row.id}` : '',
      facts: { job: row.id, of: row.kind, state: row.state },
    },
    row.ended_at ?? row.created_at,
  )
}

async function tell(meta: MetaStore, row: JobRow): Promise<void> {
  await meta.notify(CHANNELS.job, { id: row.id, userId: row.user_id })
}
