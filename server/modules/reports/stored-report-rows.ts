import { type SqlBool, sql } from 'kysely'
import type { QueryOf } from '#contracts/http/endpoint.ts'
import type { StoredFormat } from '#contracts/http/reports/make-report.ts'
import type { StoredReport, storedReports } from '#contracts/http/reports/stored-reports.ts'
import type { Settings } from '#contracts/http/settings.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { demandAll } from '../../http/demand-all.ts'
import type { Caller } from '../../http/module.ts'
import { reportEnd } from '../../platform/retention.ts'
import { type ExportInput, type JobRow, type ReportInput, toJob } from '../jobs/job-rows.ts'

/** A row of `jobs` with what a list shows besides. */
export type StoredRow = JobRow & { username: string | null; app_id: number | null; app_name: string | null }

/** The one application that a report is about; null for none, several and all. */
const APP = sql<
  number | null
>`case when jsonb_typeof(jobs.input->'apps') = 'array' and jsonb_array_length(jobs.input->'apps') = 1
  then (jobs.input->'apps'->>0)::int end`

/** Reports and exports that the caller may see: the rule is in contracts/http/reports/stored-reports.ts. */
export function visibleReports(meta: MetaStore, caller: Pick<Caller, 'userId' | 'auth' | 'scope'>) {
  const select = meta.db
    .selectFrom('jobs')
    .leftJoin('users', 'users.id', 'jobs.user_id')
    .leftJoin('applications', (join) => join.on(sql<SqlBool>`applications.id = ${APP}`))
    .where('jobs.kind', 'in', ['report', 'export'])
  const { apps } = caller.scope
  return select.where((where) => {
    const own = where('jobs.user_id', '=', caller.userId)
    if (!caller.auth.includes('report.manage')) return own
    const report = where('jobs.kind', '=', 'report')
    if (apps === 'all') return where.or([own, report])
    const covered = sql<SqlBool>`jsonb_typeof(jobs.input->'apps') = 'array' and jsonb_array_length(jobs.input->'apps') > 0
      and jobs.input->'apps' <@ ${JSON.stringify(apps)}::jsonb`
    return where.or([own, where.and([report, covered])])
  })
}

type Visible = ReturnType<typeof visibleReports>
export type ReportFilters = Omit<
  QueryOf<typeof storedReports>,
  'sort' | 'descending' | 'offset' | 'limit' | 'kind' | 'state'
>

const FORMAT = sql<string>`coalesce(jobs.input->>'format', 'csv')`

/** Narrows a list by everything but kind and state. */
export function filterReports(select: Visible, filters: ReportFilters, userId: number): Visible {
  const { search, format, language, appid, own, from, to } = filters
  let found = select
  if (search) {
    const words = `%${search.replace(/[\\%_]/g, '\\$&')}%`
    found = found.where((where) =>
      where.or([
        where('jobs.title', 'ilike', words),
        where('applications.name', 'ilike', words),
        where('users.username', 'ilike', words),
      ]),
    )
  }
  if (format) found = found.where(FORMAT, '=', format)
  if (language) found = found.where(sql<string>`jobs.input->>'language'`, '=', language)
  if (appid) found = found.where(sql<SqlBool>`${APP} = ${Number(appid)}`)
  if (own) found = found.where('jobs.user_id', '=', userId)
  if (from !== undefined) found = found.where('jobs.created_at', '>=', from)
  if (to !== undefined) found = found.where('jobs.created_at', '<', to)
  return found
}

/** What a report is of, else 'export'. */
export const KIND = sql<string>`case jobs.kind when 'report' then coalesce(jobs.input->>'of', 'detection') else 'export' end`

export const rowsOf = (select: Visible) =>
  select.selectAll('jobs').select(['users.username', 'applications.name as app_name', 'applications.id as app_id'])

/** The reports of these ids; throws data.missing where one does not exist for the caller. */
export async function findReports(meta: MetaStore, caller: Caller, ids: readonly string[]): Promise<StoredRow[]> {
  return demandAll(ids, await rowsOf(visibleReports(meta, caller)).where('jobs.id', 'in', ids).execute())
}

export async function findReport(meta: MetaStore, caller: Caller, id: string): Promise<StoredRow> {
  const [row] = await findReports(meta, caller, [id])
  return row as StoredRow
}

/** What of a stored report a browser can draw. */
export function previewOf(row: JobRow): 'document' | 'sheet' | 'text' | null {
  if (row.document) return 'document'
  if (!row.file || row.state !== 'done') return null
  const format = formatOf(row)
  return format === 'csv' ? 'sheet' : format === 'cyclonedx' ? 'text' : null
}

export const formatOf = (row: JobRow): StoredFormat =>
  ((row.input as Partial<ReportInput | ExportInput>).format ?? 'csv') as StoredFormat

/** The row in the form of the contract. */
export function toStoredReport(row: StoredRow, caller: Caller, settings: Settings): StoredReport {
  const isReport = row.kind === 'report'
  const input = row.input as Partial<ReportInput>
  const format = formatOf(row)
  const { state, progress, note, bytes, created_at, started_at, ended_at } = toJob(row, caller.language)
  const hasFile = state === 'done' && row.file !== null
  return {
    id: row.id,
    kind: isReport ? (input.of ?? 'detection') : 'export',
    title: row.title,
    format,
    reader:
      isReport && (input.of ?? 'detection') === 'detection' && (format === 'pdf' || format === 'docx')
        ? (input.reader ?? null)
        : null,
    language: input.language ?? 'zh',
    appid: row.app_id === null ? '' : String(row.app_id),
    app_name: row.app_name ?? '',
    task: isReport && 'task' in input ? (input.task ?? '') : '',
    by: row.username ?? '',
    own: row.user_id === caller.userId,
    ...{ state, progress, note, bytes, created_at, started_at, ended_at },
    expires_at: hasFile && ended_at !== null ? reportEnd(row.kind, ended_at, settings) : null,
    has_file: hasFile,
    has_preview: hasFile && previewOf(row) !== null,
  }
}
