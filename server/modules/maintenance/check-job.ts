import { log } from '#runtime/log.ts'
import type { BackupJobDeps } from './backups/backup-job.ts'
import type { CheckDeps } from './checks/check.ts'
import { findDamage, repairDamage } from './run-checks.ts'
import { type CheckInput, changeRun, LIVE_RUNS, type RunRow } from './run-rows.ts'

export type CheckJobDeps = BackupJobDeps & CheckDeps

/**
 * Does a run of checks or a repair. A stopped run keeps what it found until then. A process that ends (`quit`) leaves the run as it is, and the
 * next one begins again: looking changes nothing, and a repair looks first.
 */
export async function runChecks(
  deps: CheckJobDeps,
  row: RunRow,
  signals: { stop: AbortSignal; quit: AbortSignal },
): Promise<void> {
  const { meta, now } = deps
  const { id, kind } = row
  const signal = AbortSignal.any([signals.stop, signals.quit])
  if (!(await changeRun(meta, id, LIVE_RUNS, { state: 'running', started_at: now(), progress: 0 }))) return
  const work = kind === 'repair' ? repairDamage : findDamage
  const { checks } = row.input as CheckInput
  try {
    const outcomes = await work(deps, checks, signal, async (done, total, step) => {
      await changeRun(meta, id, ['running'], { progress: done / total, step })
    })
    if (signals.quit.aborted) return
    const isStopped = signals.stop.aborted
    const set = { result: { outcomes }, step: null }
    if (isStopped) await changeRun(meta, id, ['stopped'], set)
    else await changeRun(meta, id, ['running'], { ...set, state: 'done', progress: 1, ended_at: now() })
    if (kind === 'repair') {
      const repaired = outcomes.reduce((sum, one) => sum + one.repaired, 0)
      const left = outcomes.reduce((sum, one) => sum + one.count - one.repaired, 0)
      await deps.audit({
        ...{ account: row.account, role: '', action: 'maintenance.repaired', target: checks.join(' ') },
        ...{ result: left === 0 ? 'ok' : 'incomplete', address: '', detail: `${repaired} repaired, ${left} left` },
      })
    }
  } catch (err) {
    log.error({ err, run: id }, 'maintenance: a run failed')
    const error = (err as Error).message.slice(0, 500)
    await changeRun(meta, id, LIVE_RUNS, { state: 'failed', error, ended_at: now() })
  }
}
