import { existsSync } from 'node:fs'
import { copyFile, mkdir, open, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { readJournalSpan } from '../../journal/read-journal-span.ts'
import { openDuckFile } from '../duckdb/duck-file.ts'
import { verifyTables } from '../duckdb/verify-tables.ts'
import { lit } from '../query/dialect.ts'
import { selectPositions } from '../read/seed-wall.ts'

export type RepairOptions = {
  /** Folder of the event store and of the journal; no process may have the store's file open. */
  folder: string
  journalFolder: string
  /** events.duckdb of a backup, without write-ahead log; it is copied. Without it the store starts empty. */
  restored?: string
  now: () => number
}

export type RepairReport = {
  /** Where the damaged files are now. */
  setAside: string[]
  /** Arrival of the newest event of the restored file, or of the file where only its log was damaged (epoch ms); null: starts empty. */
  restoredTo: number | null
  /** Journal positions that are replayed, the end exclusive, and the arrival of the first batch there; null: the journal is empty. */
  replay: { from: number; to: number; at: number | null } | null
  /** Arrival times (epoch ms) of events that neither backup nor journal holds: after `from` (null: unknown start), before `to`; null: none. */
  lost: { from: number | null; to: number } | null
}

const FILE = 'events.duckdb'
/** Left by a process that found a damaged block in the open file. */
export const DAMAGE_MARK = 'damaged.json'

/**
 * Replaces a damaged event store: renames what is damaged (nothing is deleted), puts a restored file in its place or starts an empty one, and
 * sets its position to where the journal can be replayed from. The flusher then stores what the journal holds.
 */
export async function repairEventStore({ folder, journalFolder, restored, now }: RepairOptions): Promise<RepairReport> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const incoming = join(folder, 'restored.duckdb')
  // Copied first: a backup that cannot be read, or does not fit, leaves everything as it is.
  if (restored) await copyFile(restored, incoming)
  const suffix = `damaged-${new Date(now()).toISOString().replaceAll(':', '-')}`
  const setAside: string[] = []
  const moveAway = async (name: string) => {
    if (!existsSync(join(folder, name))) return
    const to = join(folder, `${name}.${suffix}`)
    await rename(join(folder, name), to)
    setAside.push(to)
  }
  for (const name of ['spill', DAMAGE_MARK, 'events.converting.duckdb', 'events.converting.duckdb.wal'])
    await rm(join(folder, name), { recursive: true, force: true })
  await moveAway(`${FILE}.wal`)
  // Where the log alone is damaged, the file holds a consistent older state and the position that belongs to it.
  if (restored || !(await isSound(folder))) {
    await moveAway(FILE)
    await rm(join(folder, `${FILE}.wal`), { force: true })
  }
  if (restored) await rename(incoming, join(folder, FILE))
  await syncFolder(folder)

  const file = await openDuckFile({ folder, memoryMb: 200, threads: 1 })
  try {
    const stored = await file.read(async (select) => {
      const [[newest] = [null]] = await select('SELECT max(received) FROM events')
      return { newest: newest === null ? null : Number(newest), positions: await selectPositions(select) }
    })
    const journal = await readJournalSpan(journalFolder)
    if (!journal) return { setAside, restoredTo: stored.newest, replay: null, lost: null }
    const position = stored.positions[journal.name]
    const isOfJournal = position !== undefined && position <= journal.to
    const contiguous = (isOfJournal && position >= journal.from) || (!isOfJournal && journal.from === 0)
    const from = isOfJournal ? Math.max(position, journal.from) : journal.from
    await file.write(async (connection) => {
      await connection.run(`DELETE FROM positions WHERE journal = ${lit(journal.name)}`)
      await connection.run(`INSERT INTO positions VALUES (${lit(journal.name)}, ${from})`)
    })
    return {
      setAside,
      restoredTo: stored.newest,
      replay: { from, to: journal.to, at: journal.at },
      lost: contiguous ? null : { from: stored.newest, to: journal.at ?? now() },
    }
  } finally {
    await file.close()
  }
}

/** Whether the file without its log can be read completely. */
async function isSound(folder: string): Promise<boolean> {
  if (!existsSync(join(folder, FILE))) return false
  try {
    const file = await openDuckFile({ folder, memoryMb: 200, threads: 2 })
    try {
      await verifyTables(file)
      return true
    } finally {
      await file.close()
    }
  } catch {
    return false // for whatever reason: it is set aside, not deleted
  }
}

/** Lines for operators, in English. */
export function repairLines({ setAside, restoredTo, replay, lost }: RepairReport): string[] {
  const time = (at: number | null) => (at === null ? 'the beginning' : new Date(at).toISOString())
  return [
    ...setAside.map((path) => `Set aside: ${path}`),
    restoredTo === null ? 'Event store: new and empty' : `Event store: newest event received ${time(restoredTo)}`,
    replay
      ? `Replaying the journal from position ${replay.from} to ${replay.to}`
      : 'The journal holds nothing to replay',
    lost ? `Lost: events received after ${time(lost.from)} and before ${time(lost.to)}` : 'No accepted event is lost',
  ]
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  await handle.sync().finally(() => handle.close())
}
