import { type ErrorKey, ProductError } from '#contracts/errors.ts'
import { log } from '#runtime/log.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { eraseFromCases } from '../investigation/case-store.ts'
import { changeJob, type ErasedInput, type EraseInput, type JobRow } from '../jobs/job-rows.ts'
import { dropExports } from './drop-exports.ts'
import { type RewriteOptions, removeOldRows } from './remove-old-rows.ts'

/** Between two looks at whether the store has taken everything, and at whether the journal has let go of it. */
const POLL_MS = 500
/** A store that is away or behind is waited for this long; then the job fails and may be asked for again. */
const PATIENCE_MS = 6 * 3_600_000
/** Tables that are locked, or have no space for their copy, are tried again for this long after the request. */
const REWRITE_MS = 24 * 3_600_000
/** The store may answer again later. */
const AWAY: readonly ErrorKey[] = ['server.store_down', 'server.store_damaged']

/** What is erased: within the applications of `scope`. */
export type EraseTarget = Pick<EraseInput, 'kind' | 'subject' | 'scope'>

export type EraseDeps = Pick<RewriteOptions, 'freeBytes'> & {
  meta: MetaStore
  store: EventStore
  files: FileStore
  now(): number
  sleep(milliseconds: number): Promise<void>
  /** Writes to the ledger of erasures that a restore applies again. */
  record(erased: EraseTarget, at: number): Promise<void>
}

/**
 * Deletes the data of one device or user: stored events, quarantine, installs, verdicts and their history, saved views that name it, and
 * results of exports that may hold rows of it (drop-exports.ts); then counts what was deleted and keeps no more of the hash than its first
 * characters. Complete means that everything accepted before the job began was stored first and deleted, and that neither the journal nor
 * PostgreSQL's files hold it any longer. A process that died in between begins again: deleting twice deletes once. Where PostgreSQL's files
 * cannot be rewritten now, the job stays `running` with a note that says why, and the reconciliation of the queue runs it again.
 */
export async function runErasure(deps: EraseDeps, id: string, signal: AbortSignal): Promise<void> {
  const { meta } = deps
  const job = await changeJob(meta, id, ['waiting', 'running'], { state: 'running', started_at: deps.now() })
  if (!job) return
  try {
    // Without a subject: it was deleted before this process died, or before the files could be rewritten.
    const input = job.input as EraseInput | ErasedInput
    const erased = 'subject' in input ? await eraseEverywhere(deps, id, input, signal) : input
    // Walls count what was deleted until they count again.
    await meta.notify(CHANNELS.changed, { what: 'erased' })
    await rewriteTables(deps, job, erased)
  } catch (error) {
    if (signal.aborted) return
    const note: ErrorKey = error instanceof ProductError ? error.key : 'server.internal'
    if (!(error instanceof ProductError)) log.error({ err: error }, `erasure ${id} failed`)
    await changeJob(meta, id, ['running'], { state: 'failed', note, ended_at: deps.now() })
  }
}

async function rewriteTables(deps: EraseDeps, job: JobRow, erased: ErasedInput): Promise<void> {
  const { meta, freeBytes } = deps
  const { id } = job
  const { tables, blocked } = await removeOldRows(meta, { freeBytes, rewritten: erased.rewritten ?? [] })
  if (!blocked) {
    const note = erased.exports ? 'erase.exports' : ''
    await changeJob(meta, id, ['running'], { state: 'done', note, progress: 1, ended_at: deps.now() })
    return
  }
  const isLate = deps.now() - job.created_at >= REWRITE_MS
  if (isLate) {
    log.error(
      { blocked },
      `erasure ${id}: old rows remain in PostgreSQL's files, tables could not be rewritten for a day`,
    )
    await changeJob(meta, id, ['running'], { state: 'failed', note: 'erase.left', ended_at: deps.now() })
    return
  }
  if (job.note !== blocked)
    log.warn({ blocked }, `erasure ${id}: tables are locked or have no space for a copy, they are rewritten later`)
  await keepInput(meta, id, { ...erased, rewritten: tables })
  await changeJob(meta, id, ['running'], { note: blocked })
}

async function keepInput(meta: MetaStore, id: string, input: ErasedInput): Promise<void> {
  await meta.db
    .updateTable('jobs')
    .set({ input: JSON.stringify(input) })
    .where('id', '=', id)
    .execute()
}

async function eraseEverywhere(
  deps: EraseDeps,
  id: string,
  input: EraseInput,
  signal: AbortSignal,
): Promise<ErasedInput> {
  const { meta, store } = deps
  const { kind, subject, scope } = input
  // First, so that a restore in the middle of this erasure applies it too.
  await deps.record({ kind, subject, scope }, deps.now())
  const accepted = await whenReachable(deps, signal, () => store.journalEnd())
  await waitUntil(deps, signal, async () => {
    const { positions } = await store.status()
    return Object.entries(accepted).every(([journal, end]) => (positions[journal] ?? 0) >= end)
  })
  await waitUntil(deps, signal, () => store.dropJournal(accepted))
  const records = await eraseMetadata(meta, { kind, subject, scope })
  const { events, quarantined } = await store.erase({ kind, subject, scope })
  const exports = await dropExports(deps, { subject, scope }, deps.now())
  await addCounts(meta, input, { events, quarantined, ...records }, deps.now())
  const erased = { kind, exports }
  await meta.db
    .updateTable('jobs')
    .set({ input: JSON.stringify(erased), rows: events + quarantined })
    .where('id', '=', id)
    .execute()
  return erased
}

/** What PostgreSQL holds of the subject. Answers how many installs and verdicts were deleted. */
export async function eraseMetadata(meta: MetaStore, { kind, subject, scope }: EraseTarget) {
  await eraseFromCases(meta.db, kind, subject, scope.apps)
  if (scope.apps === 'all') await meta.db.deleteFrom('saved_views').where('search', 'like', `%${subject}%`).execute()
  return kind === 'device' ? eraseRecords(meta, subject, scope.apps) : { installs: 0, verdicts: 0 }
}

/** Asks again while the store is away. */
async function whenReachable<T>(deps: EraseDeps, signal: AbortSignal, ask: () => Promise<T>): Promise<T> {
  let answer: { value: T } | undefined
  await waitUntil(deps, signal, async () => {
    answer = { value: await ask() }
    return true
  })
  return (answer as { value: T }).value
}

/** Resolves once the condition holds. Throws ProductError server.store_down after PATIENCE_MS, the signal's reason when it aborts. */
async function waitUntil(deps: EraseDeps, signal: AbortSignal, holds: () => Promise<boolean>): Promise<void> {
  const end = deps.now() + PATIENCE_MS
  for (;;) {
    signal.throwIfAborted()
    try {
      if (await holds()) return
    } catch (error) {
      if (!(error instanceof ProductError && AWAY.includes(error.key))) throw error
    }
    if (deps.now() >= end) throw new ProductError('server.store_down')
    await deps.sleep(POLL_MS)
  }
}

/** Installs and verdicts of a device: it must enrol again, and counts as never judged. */
async function eraseRecords(meta: MetaStore, device: string, apps: EraseInput['scope']['apps']) {
  const { db } = meta
  const known = apps === 'all' ? undefined : [...apps]
  const counted = async (table: 'installs' | 'device_verdicts' | 'device_verdict_changes' | 'policy_fetches') => {
    let query = db.deleteFrom(table).where('device', '=', device)
    if (known) query = query.where('application_id', 'in', known)
    const [result] = await query.execute()
    return Number(result?.numDeletedRows ?? 0)
  }
  if (known?.length === 0) return { installs: 0, verdicts: 0 }
  const judged = await db.selectFrom('device_verdicts').select('application_id').where('device', '=', device).execute()
  const installs = await counted('installs')
  const verdicts = await counted('device_verdicts')
  await counted('device_verdict_changes')
  await counted('policy_fetches')
  if (installs > 0) await meta.notify(CHANNELS.changed, { what: 'ingest_keys' })
  for (const { application_id: app } of judged) await meta.notify(CHANNELS.changed, { what: 'verdicts', app, device })
  return { installs, verdicts }
}

async function addCounts(
  meta: MetaStore,
  { erasure, subject }: EraseInput,
  counts: { events: number; quarantined: number; installs: number; verdicts: number },
  now: number,
): Promise<void> {
  await meta.db
    .updateTable('erasures')
    .set((eb) => ({
      subject: subject.slice(0, 8),
      done_at: now,
      events: eb('events', '+', counts.events),
      quarantined: eb('quarantined', '+', counts.quarantined),
      installs: eb('installs', '+', counts.installs),
      verdicts: eb('verdicts', '+', counts.verdicts),
    }))
    .where('id', '=', erasure)
    .execute()
}
