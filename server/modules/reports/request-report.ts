import { ProductError } from '#contracts/errors.ts'
import { REPORT_FORMATS } from '#contracts/http/reports/task-reports.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { openResult } from '../detection/result-module.ts'
import { createJob, type JobRow, LIVE_STATES, type ReportInput } from '../jobs/job-rows.ts'

type Wanted = Pick<ReportInput, 'task' | 'format' | 'reader' | 'language'>

/**
 * Makes the job of a report of a detected task, with the scope that the caller has now. Throws data.missing and detection.no_result where he
 * cannot read the task, task.exists where he waits for the same already.
 */
export async function requestReport(
  deps: Pick<ServerDeps, 'meta' | 'files' | 'now'>,
  caller: Pick<Caller, 'userId' | 'scope'>,
  { task: id, format, reader, language }: Wanted,
): Promise<JobRow> {
  const { task } = await openResult(deps, caller, id)
  const waiting = await deps.meta.db
    .selectFrom('jobs')
    .select('input')
    .where('user_id', '=', caller.userId)
    .where('kind', '=', 'report')
    .where('state', 'in', LIVE_STATES)
    .execute()
  const wanted: Wanted = { task: id, format, reader, language }
  if (waiting.some(({ input }) => isSame(input as ReportInput, wanted))) throw new ProductError('task.exists')
  const apps = task.application_id === null ? [] : [task.application_id]
  const input: ReportInput = { of: 'detection', ...wanted, scope: caller.scope, apps }
  const title = `${task.name || task.package_id} ${task.version} ${REPORT_FORMATS[format][language]}`
  return await createJob(deps.meta, caller.userId, title, input, deps.now(), 'report')
}

function isSame(one: Wanted, other: Wanted): boolean {
  return (['task', 'format', 'reader', 'language'] as const).every((key) => one[key] === other[key])
}
