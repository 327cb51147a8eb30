import { ProductError } from '#contracts/errors.ts'
import type { ExportFormat, Job } from '#contracts/jobs.ts'
import type { Caller, ServerDeps } from '../../http/module.ts'
import { mayReveal } from '../../query/personal.ts'
import { createJob, type Exported, type ExportInput, LIVE_STATES, toJob } from './job-rows.ts'

/** Makes the job of an export, unless the caller waits for the same already. */
export async function startExport(
  deps: Pick<ServerDeps, 'meta' | 'now'>,
  caller: Caller,
  what: Exported,
  { title, format }: { title: string; format: ExportFormat },
): Promise<{ job: Job }> {
  const input: ExportInput = {
    ...what,
    format,
    scope: caller.scope,
    language: caller.language,
    personal: mayReveal(caller),
    monitoring: caller.auth.includes('monitor.view'),
    now: deps.now(),
  }
  const waiting = await deps.meta.db
    .selectFrom('jobs')
    .select('input')
    .where('user_id', '=', caller.userId)
    .where('kind', '=', 'export')
    .where('state', 'in', LIVE_STATES)
    .execute()
  const same = waiting.some((row) => question(row.input as ExportInput) === question(input))
  if (same) throw new ProductError('task.exists')
  return { job: toJob(await createJob(deps.meta, caller.userId, title, input, deps.now()), caller.language) }
}

/** What makes two exports the same; keys sorted, since jsonb keeps no order. */
function question(input: ExportInput): string {
  const { scope: _scope, personal: _personal, monitoring: _monitoring, now: _now, ...what } = input
  return JSON.stringify(what, (_key, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}
