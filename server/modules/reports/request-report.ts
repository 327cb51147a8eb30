import { ProductError } from '#contracts/errors.ts'
import type { ServerDeps } from '../../http/module.ts'
import { createJob, type JobRow, LIVE_STATES, type ReportInput, type ReportSubject } from '../jobs/job-rows.ts'
import { nameReport, type Requester, reportOrdered } from './report-sources.ts'

export type ReportRequest = ReportSubject & Pick<ReportInput, 'format' | 'reader' | 'language'>

/**
 * Makes the job of a report, with the scope that the caller has now. Throws permission.missing, data.missing and detection.no_result where
 * he cannot read what it is about, task.exists where he waits for the same already.
 */
export async function requestReport(
  deps: Pick<ServerDeps, 'meta' | 'files' | 'settings' | 'now'>,
  caller: Requester,
  request: ReportRequest,
): Promise<JobRow> {
  const { title, apps } = await nameReport(deps, caller, request, request)
  const waiting = await deps.meta.db
    .selectFrom('jobs')
    .select('input')
    .where('user_id', '=', caller.userId)
    .where('kind', '=', 'report')
    .where('state', 'in', LIVE_STATES)
    .execute()
  if (waiting.some(({ input }) => requestKey(input as ReportInput) === requestKey(request)))
    throw new ProductError('task.exists')
  const input = { ...request, scope: caller.scope, apps } as ReportInput
  return createJob(deps.meta, caller.userId, title, input, deps.now(), 'report', (meta) =>
    reportOrdered({ meta, now: deps.now }, caller, request),
  )
}

/** The request that a stored report answers, to be made again. */
export function requestOf({ scope: _scope, apps: _apps, ...request }: ReportInput): ReportRequest {
  return { ...request, of: request.of ?? 'detection' } as ReportRequest
}

/** Equal for requests of the same report; keys are sorted, since jsonb keeps no order. */
function requestKey(input: ReportRequest | ReportInput): string {
  return JSON.stringify(requestOf(input as ReportInput), (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
