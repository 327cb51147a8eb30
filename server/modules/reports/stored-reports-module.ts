import { ProductError } from '#contracts/errors.ts'
import { makeReport } from '#contracts/http/reports/make-report.ts'
import {
  cancelReports,
  deleteReports,
  downloadReport,
  previewReport,
  regenerateReport,
  storedReports,
} from '#contracts/http/reports/stored-reports.ts'
import type { Module } from '../../http/module.ts'
import { dropUnnamed } from '../../platform/file-references.ts'
import { changeJob, LIVE_STATES, type ReportInput, type ReportSubject } from '../jobs/job-rows.ts'
import { sendFile } from '../jobs/send-file.ts'
import { readPreview } from './read-preview.ts'
import { requestOf, requestReport } from './request-report.ts'
import {
  filterReports,
  findReport,
  findReports,
  KIND,
  rowsOf,
  toStoredReport,
  visibleReports,
} from './stored-report-rows.ts'

/** Titles of an audit entry's target; the rest is counted. */
const TITLES = 5

/** Report management: what is kept, its preview and file, and what is done with it. */
export const storedReportsModule: Module = (mount, deps) => {
  const { meta } = deps

  mount(storedReports, async ({ query, caller }) => {
    const settings = deps.settings()
    const { kind, state, sort, descending, offset, limit, ...filters } = query
    const all = filterReports(visibleReports(meta, caller), filters, caller.userId)
    let some = all
    if (kind) some = some.where(KIND, '=', kind)
    if (state) some = some.where('jobs.state', '=', state)
    const [rows, sum, groups] = await Promise.all([
      rowsOf(some)
        .orderBy(`jobs.${sort}`, descending ? 'desc' : 'asc')
        .orderBy('jobs.id')
        .offset(offset)
        .limit(limit)
        .execute(),
      some
        .select(({ fn }) => [fn.countAll<number>().as('total'), fn.sum<string | null>('jobs.bytes').as('bytes')])
        .executeTakeFirstOrThrow(),
      all
        .select(({ fn }) => [KIND.as('of'), 'jobs.state', fn.countAll<number>().as('count')])
        .groupBy([KIND, 'jobs.state'])
        .execute(),
    ])
    const count = (by: 'of' | 'state', other: (group: (typeof groups)[number]) => boolean) => {
      const counts: Record<string, number> = {}
      for (const group of groups) if (other(group)) counts[group[by]] = (counts[group[by]] ?? 0) + Number(group.count)
      return counts
    }
    return {
      data: rows.map((row) => toStoredReport(row, caller, settings)),
      total: Number(sum.total),
      bytes: Number(sum.bytes ?? 0),
      kinds: count('of', (group) => !state || group.state === state),
      states: count('state', (group) => !kind || group.of === kind),
      days: settings.report_days,
      gigabytes: settings.report_gb,
    }
  })

  mount(previewReport, async ({ query, caller }) => ({
    data: await readPreview(deps.files, await findReport(meta, caller, query.id), query.chapter),
  }))

  mount(downloadReport, async ({ query, caller, reply }) =>
    sendFile(deps.files, reply, await findReport(meta, caller, query.id)),
  )

  mount(cancelReports, async ({ body, caller, audit }) => {
    const rows = await findReports(meta, caller, body.ids)
    audit(named(rows))
    let stopped = 0
    for (const { id } of rows)
      if (await changeJob(meta, id, LIVE_STATES, { state: 'stopped', ended_at: deps.now() })) stopped++
    return { stopped }
  })

  mount(regenerateReport, async ({ body, caller, audit }) => {
    const row = await findReport(meta, caller, body.id)
    if (row.kind !== 'report') throw new ProductError('report.not_repeatable')
    audit(`report ${row.title}`)
    return { id: (await requestReport(deps, caller, requestOf(row.input as ReportInput))).id }
  })

  mount(makeReport, async ({ body, caller, audit }) => {
    const { format, language, ...given } = body
    const subject: ReportSubject = given.of === 'self_check' ? { of: given.of, app: Number(given.appid) } : given
    audit(`report ${given.of}`, `${format} ${language}`)
    const row = await requestReport(deps, caller, { ...subject, format, reader: 'developer', language })
    audit(`report ${row.title}`, `${format} ${language}`)
    return { id: row.id }
  })

  mount(deleteReports, async ({ body, caller, audit }) => {
    const rows = await findReports(meta, caller, body.ids)
    audit(named(rows))
    for (const { id, file, document } of rows) {
      await changeJob(meta, id, LIVE_STATES, { state: 'stopped', ended_at: deps.now() })
      await meta.db.deleteFrom('jobs').where('id', '=', id).execute()
      await dropUnnamed(deps, [file, document])
    }
    return { deleted: rows.length }
  })
}

function named(rows: readonly { title: string }[]): string {
  const titles = rows.slice(0, TITLES).map(({ title }) => title)
  return rows.length > TITLES ? `${titles.join(', ')} and ${rows.length - TITLES} more` : titles.join(', ')
}
