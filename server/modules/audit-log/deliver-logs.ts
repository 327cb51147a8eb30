import type { MetaStore } from '#storage/postgres/database.ts'
import { type CheckpointDeps, makeCheckpoint } from '../../platform/audit/checkpoints.ts'
import { aloneInCluster } from '../../platform/queue/alone-in-cluster.ts'
import { type Loop, repeat } from '../../platform/queue/repeat.ts'
import type { OutputRow } from './log-output.ts'
import { type SendDeps, sendLog } from './send-log.ts'

/** Entries of one message to a webhook, or of one connection to a syslog server. */
const BLOCK = 200
/** Blocks that an output may take in one round, so that one with a long history does not hold the others up. */
const BLOCKS_A_ROUND = 20
const RETRY_MS = [5000, 30_000, 120_000, 600_000] as const
const ROUND_MS = 5000

export type DeliverLogsDeps = CheckpointDeps & SendDeps

/** Signs checkpoints and copies the audit trail to its outputs; one process in a cluster at a time. */
export function startLogOutputs(deps: DeliverLogsDeps, roundMs = ROUND_MS): Loop {
  return repeat('audit log', roundMs, () =>
    aloneInCluster(deps.meta, 'audit-log', async () => {
      const ended = await Promise.allSettled([makeCheckpoint(deps), deliverLogs(deps)])
      const problems = ended.flatMap((one) => (one.status === 'rejected' ? [(one.reason as Error).message] : []))
      if (problems.length > 0) throw new Error(problems.join('; '))
    }),
  )
}

/**
 * Sends to each output that is due what it has not got yet, in order and at least once: the position moves after a block was taken.
 * Nothing is queued, so an output that is away for long costs nothing. A failure is tried again after 5 s, 30 s, 2 and 10 minutes,
 * and then every 10 minutes until it is switched off.
 */
export async function deliverLogs(deps: DeliverLogsDeps): Promise<void> {
  const due = await deps.meta.db.selectFrom('log_outputs').selectAll().where('enabled', '=', true).execute()
  const now = deps.now()
  // A next attempt that lies further ahead than any wait was set by a clock that has been set back since.
  const longest = RETRY_MS.at(-1) as number
  await Promise.all(
    due
      .filter(({ next_at }) => next_at === null || next_at <= now || next_at > now + longest)
      .map((output) => deliverTo(deps, output)),
  )
}

async function deliverTo(deps: DeliverLogsDeps, output: OutputRow): Promise<void> {
  let { position, checkpoint_position } = output
  for (let block = 0; block < BLOCKS_A_ROUND; block++) {
    const { entries, checkpoints } = await readBlock(deps.meta, position, checkpoint_position)
    if (entries.length + checkpoints.length === 0) return
    try {
      await sendLog(deps, output, entries, checkpoints)
    } catch (error) {
      const attempts = output.attempts + 1
      const wait = RETRY_MS[Math.min(attempts, RETRY_MS.length) - 1] as number
      await change(deps.meta, output.id, {
        attempts,
        next_at: deps.now() + wait,
        error: (error as Error).message.slice(0, 300),
      })
      return
    }
    position = entries.at(-1)?.id ?? position
    checkpoint_position = checkpoints.at(-1)?.id ?? checkpoint_position
    await change(deps.meta, output.id, {
      position,
      checkpoint_position,
      attempts: 0,
      next_at: null,
      error: '',
      last_sent_at: deps.now(),
    })
  }
}

/** Entries after a position, and checkpoints of entries that have been sent or are in the block. */
async function readBlock({ db }: MetaStore, position: number, checkpoint: number) {
  const entries = await db
    .selectFrom('audit_log')
    .selectAll()
    .where('id', '>', position)
    .orderBy('id')
    .limit(BLOCK)
    .execute()
  const checkpoints = await db
    .selectFrom('audit_checkpoints')
    .selectAll()
    .where('id', '>', checkpoint)
    .where('entry_id', '<=', entries.at(-1)?.id ?? position)
    .orderBy('id')
    .limit(BLOCK)
    .execute()
  return { entries, checkpoints }
}

async function change({ db }: MetaStore, id: string, set: Partial<OutputRow>): Promise<void> {
  await db.updateTable('log_outputs').set(set).where('id', '=', id).execute()
}
