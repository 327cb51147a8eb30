import { ProductError } from '#contracts/errors.ts'
import type { ServerDeps } from '../../http/module.ts'
import { createJob, type JobRow, LIVE_STATES, type ReportInput, type ReportSubject } from '../jobs/job-rows.ts'
import { type Asking, nameReport } from './report-sources.ts'

export type Wanted = ReportSubject & Pick<ReportInput, 'format' | 'reader' | 'language'>

/**
 * Makes the job of a report, with the scope that the caller has now. Throws permission.missing, data.missing and detection.no_result where
 * he cannot read what it is about, task.exists where he waits for the same already.
 */
export async function requestReport(
  deps: Pick<ServerDeps, 'meta' | 'files' | 'settings' | 'now'>,
  caller: Asking,
  wanted: Wanted,
): Promise<JobRow> {
  const { title, apps } = await nameReport(deps, caller, wanted, wanted)
  const waiting = await deps.meta.db
    .selectFrom('jobs')
    .select('input')
    .where('user_id', '=', caller.userId)
    .where('kind', '=', 'report')
    .where('state', 'in', LIVE_STATES)
    .execute()
  if (waiting.some(({ input }) => question(input as ReportInput) === question(wanted)))
    throw new ProductError('task.exists')
  const input = { ...wanted, scope: caller.scope, apps } as ReportInput
  return await createJob(deps.meta, caller.userId, title, input, deps.now(), 'report')
}

/** What was wanted by the row of a report, to be wanted again. */
export function wantedBy({ scope: _scope, apps: _apps, ...wanted }: ReportInput): Wanted {
  return { ...wanted, of: wanted.of ?? 'detection' } as Wanted
}

/** What makes two reports the same; keys sorted, since jsonb keeps no order. */
function question(input: Wanted | ReportInput): string {
  return JSON.stringify(wantedBy(input as ReportInput), (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
