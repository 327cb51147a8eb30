import { createReport, type Report, taskReports } from '#contracts/http/reports/task-reports.ts'
import type { Module } from '../../http/module.ts'
import { findTask } from '../detection/task-rows.ts'
import { type JobRow, type ReportInput, toJob } from '../jobs/job-rows.ts'
import { requestReport } from './request-report.ts'

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
    return rows.filter(({ input }) => 'task' in (input as object) && (input as { task: string }).task === task)
  }

  mount(createReport, async ({ body, caller, audit }) => {
    const { id, format, reader, language } = body
    const row = await requestReport(deps, caller, { of: 'detection', task: id, format, reader, language })
    audit(`report ${row.title}`, `${format} ${reader} ${language} ${id}`)
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
