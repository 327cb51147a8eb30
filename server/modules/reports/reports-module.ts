import { ProductError } from '#contracts/errors.ts'
import { createReport, REPORT_FORMATS, type Report, taskReports } from '#contracts/http/reports.ts'
import type { Module } from '../../http/module.ts'
import { openResult } from '../detection/result-module.ts'
import { findTask } from '../detection/task-rows.ts'
import { createJob, type JobRow, LIVE_STATES, type ReportInput, toJob } from '../jobs/job-rows.ts'

const KEPT = 200

/** Reports of detected tasks: asking for one, and those that were asked for. The jobs process writes them (server/modules/reports/report-job.ts). */
export const reportsModule: Module = (mount, deps) => {
  const reportsOf = async (userId: number, task: string): Promise<JobRow[]> => {
    const rows = await deps.meta.db
      .selectFrom('jobs')
      .selectAll()
      .where('user_id', '=', userId)
      .where('kind', '=', 'report')
      .orderBy('created_at', 'desc')
      .limit(KEPT)
      .execute()
    return rows.filter((row) => (row.input as ReportInput).task === task)
  }

  mount(createReport, async ({ body, caller, audit }) => {
    const { task } = await openResult(deps, caller, body.id)
    const { format, reader, language } = body
    const input: ReportInput = { task: body.id, format, reader, language, scope: caller.scope }
    const same = (await reportsOf(caller.userId, body.id)).some(
      (row) =>
        (LIVE_STATES as readonly string[]).includes(row.state) && keyOf(row.input as ReportInput) === keyOf(input),
    )
    if (same) throw new ProductError('task.exists')
    const title = `${task.name || task.package_id} ${task.version} ${REPORT_FORMATS[format][language]}`
    const row = await createJob(deps.meta, caller.userId, title, input, deps.now(), 'report')
    audit(`report ${title}`, `${format} ${reader} ${language} ${body.id}`)
    return { data: toReport(row, caller.language) }
  })

  mount(taskReports, async ({ query, caller }) => {
    await findTask(deps.meta, caller, query.id)
    const newest = new Map<string, JobRow>()
    for (const row of await reportsOf(caller.userId, query.id)) {
      const key = keyOf(row.input as ReportInput)
      if (!newest.has(key)) newest.set(key, row)
    }
    return { data: [...newest.values()].map((row) => toReport(row, caller.language)) }
  })
}

function keyOf({ format, reader, language }: ReportInput): string {
  return `${format} ${reader} ${language}`
}

function toReport(row: JobRow, language: 'zh' | 'en'): Report {
  const { format, reader, language: written } = row.input as ReportInput
  return { job: toJob(row, language), format, reader, language: written }
}
