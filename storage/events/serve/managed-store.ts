import { existsSync } from 'node:fs'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProductError } from '#contracts/errors.ts'
import { log } from '#runtime/log.ts'
import type { JournalLink } from '../../journal/journal-reader.ts'
import { isCorruption, isLocked, isRefusedBySystem, messageOf } from '../duckdb/duck-errors.ts'
import { openDuckFile } from '../duckdb/duck-file.ts'
import type { QueryContext } from '../duckdb/reader-pool.ts'
import type { EventStore, StoreProblem, StoreStatus } from '../port.ts'
import { type MendedTables, mendTables, type TableFindings } from './examine-tables.ts'
import { type DuckStore, type DuckStoreOptions, openDuckStore } from './open-duck-store.ts'
import { DAMAGE_MARK, type RepairReport, repairEventStore } from './repair-store.ts'

export type ManagedStoreOptions = DuckStoreOptions & {
  journalFolder: string
  /** Called once with the reason when the process must end: another process opens the file afresh. */
  onFatal(error: Error): void
}

/** The event store of the store process: also answers while its file cannot be opened, and says why. */
export type ManagedStore = {
  /** The open store for a caller; throws ProductError server.store_damaged or server.store_down while no store is open. */
  within(context: QueryContext): EventStore
  status(): Promise<StoreStatus>
  /** Resolves at the first outcome: open, or a problem that may last. */
  settled: Promise<void>
  /** Stores what the journal holds, now or once the file is open. */
  follow(journal: JournalLink): void
  /** Replaces a damaged store (repair-store.ts). Throws Error where the store is not damaged. */
  repair(restored?: string): Promise<RepairReport>
  /** Reads every block and compares the tables; throws while no store is open, and where a block is damaged. */
  examine(): Promise<TableFindings>
  /** Closes the store for as long as it takes to mend its tables (mendTables) and opens it again. */
  mend(what: readonly MendedTables[]): Promise<void>
  close(): Promise<void>
}

/** A full disk, missing rights and the like are tried again so often. */
const RETRY_MS = 2000
const WITHOUT_FILE: StoreStatus = {
  state: 'down',
  rows: 0,
  positions: {},
  storedTo: null,
  backlogEvents: 0,
  lagSeconds: 0,
  bytes: 0,
}

/**
 * Opens the store in the background. Rejects through `settled` where another process has the file open. A system that refuses (no space)
 * is tried again; a damaged file waits for repair(), since a new process would find the same damage.
 */
export function manageStore(options: ManagedStoreOptions): ManagedStore {
  const now = options.now ?? Date.now
  const mark = join(options.folder, DAMAGE_MARK)
  let store: DuckStore | undefined
  let journal: JournalLink | undefined
  let problem: StoreProblem | undefined = { kind: 'opening', detail: 'reads the file', since: now() }
  let closed = false
  let wake = () => {}
  let repairing = false

  const onFatal = async (error: Error) => {
    log.fatal({ err: error }, 'event store: the open database cannot be used any more, the process starts again')
    // A damaged block in an open file: the next start reads all of the file before it trusts it.
    if (isCorruption(error))
      await writeFile(mark, JSON.stringify({ at: now(), reason: error.message }), { mode: 0o600 }).catch(
        (err: unknown) =>
          log.error({ err }, 'event store: cannot note the damage, the next start does not look for it'),
      )
    options.onFatal(error)
  }

  async function openOnce(): Promise<void> {
    const opened = await openDuckStore({
      ...options,
      onFatal: (error) => void onFatal(error),
      onProgress({ from, to, rows, total }) {
        problem = {
          kind: 'converting',
          detail: `converts the file from format ${from} to ${to}: ${rows} of ${total} events`,
          since: problem?.since ?? now(),
          progress: total === 0 ? 1 : rows / total,
        }
        settle()
      },
    })
    try {
      if (existsSync(mark)) await opened.verify()
      await rm(mark, { force: true })
    } catch (error) {
      await opened.close().catch(() => {}) // the error that is thrown came first
      throw error
    }
    store = opened
    problem = undefined
    if (journal) store.follow(journal)
  }

  let settle = () => {}
  let fail = (_error: unknown) => {}
  const settled = new Promise<void>((resolve, reject) => {
    settle = resolve
    fail = reject
  })

  async function keepOpening(): Promise<void> {
    while (!closed && !store) {
      try {
        await openOnce()
      } catch (error) {
        if (closed) return
        if (isLocked(error)) return fail(error)
        const kind = isRefusedBySystem(error) ? 'unavailable' : 'damaged'
        const since = problem?.kind === kind ? problem.since : now()
        if (problem?.kind !== kind) log.error({ err: error }, `event store: ${kind}`)
        const reason = await readFile(mark, 'utf8').catch(() => '') // it exists only where damage was found before
        const found = kind === 'damaged' && reason ? ` (first found: ${reason})` : ''
        problem = { kind, detail: `${messageOf(error)}${found}`.slice(0, 500), since }
        settle()
        await new Promise<void>((resolve) => {
          wake = resolve
          if (kind === 'unavailable') setTimeout(resolve, RETRY_MS)
        })
      }
      settle()
    }
  }
  let opening = keepOpening()

  const unavailable = () =>
    problem?.kind === 'damaged'
      ? new ProductError('server.store_damaged', { detail: problem.detail })
      : new ProductError('server.store_down')

  return {
    within(context) {
      if (!store) throw unavailable()
      return store.within(context)
    },
    status: async () => (store ? store.status() : { ...WITHOUT_FILE, ...(problem && { problem }) }),
    settled,
    follow(link) {
      journal = link
      store?.follow(link)
    },
    async repair(restored) {
      if (problem?.kind !== 'damaged' || repairing) throw new Error('the event store is not damaged')
      repairing = true
      try {
        const report = await repairEventStore({
          folder: options.folder,
          journalFolder: options.journalFolder,
          ...(restored !== undefined && { restored }),
          now,
        })
        log.warn({ report }, 'event store: repaired')
        wake()
        await opening
        return report
      } finally {
        repairing = false
      }
    },
    async examine() {
      if (!store) throw unavailable()
      return store.examine()
    },
    async mend(what) {
      if (!store || repairing) throw unavailable()
      repairing = true
      try {
        const open = store
        problem = { kind: 'opening', detail: 'its tables are being repaired', since: now() }
        store = undefined
        await open.close()
        const file = await openDuckFile({ folder: options.folder, memoryMb: options.memoryMb ?? 288, threads: 2 })
        try {
          await mendTables(file, what)
          log.warn({ what }, 'event store: tables repaired')
        } finally {
          await file.close()
        }
      } finally {
        repairing = false
        opening = keepOpening()
        await opening
      }
    },
    async close() {
      closed = true
      wake()
      await opening
      await store?.close()
    },
  }
}
