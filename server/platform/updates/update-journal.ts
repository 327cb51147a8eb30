import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { UpdateRecordSchema } from '#contracts/http/updates.ts'
import { syncFolder } from './installation.ts'

/**
 * The journal of updates in `<data>/updates`: one file for each, written before and after every step by a rename of a file that was
 * flushed to disk. A start after a crash reads where the update stood.
 */
const JournalRecordSchema = UpdateRecordSchema.extend({
  /** Bytes of the uploaded package, an id of the uploads; empty for a rollback. */
  upload: z.string(),
  /** Migrations that the older version knows: what else was run is undone when it comes back. */
  migrations: z.array(z.string()),
  /** The update whose copies a rollback uses: its own id for an update. */
  point: z.string(),
  /** How often the version that was switched to was started. */
  attempts: z.number(),
})
export type JournalRecord = z.infer<typeof JournalRecordSchema>

const LOG_LINES = 400
const ID = /^u-[\da-z-]{1,60}$/

export type UpdateJournal = {
  /** All records, newest first. */
  all(): JournalRecord[]
  /** The one that has not ended. */
  active(): JournalRecord | undefined
  read(id: string): JournalRecord | undefined
  /** Durable when it returns. */
  write(record: JournalRecord): void
  /** An administrator asks to go back while it runs: a file of its own, since the record has another writer then. */
  cancel(id: string): void
  isCancelled(id: string): boolean
  /** How many of its steps are in the audit trail. */
  audited(id: string): number
  setAudited(id: string, count: number): void
  /** Where the copies lie that undo an update. */
  pointFolder(id: string): string
  /**
   * Informs the launcher that the next version is unproved, and which version it starts if that one ends by itself. Undefined: the
   * current version is proved.
   */
  setUnproved(fallback: string | undefined): void
}

export function openUpdateJournal(folder: string): UpdateJournal {
  const records = join(folder, 'records')
  const path = (id: string) => join(records, `${id}.json`)
  const read = (id: string): JournalRecord | undefined => {
    if (!ID.test(id)) return undefined
    try {
      return JournalRecordSchema.parse(JSON.parse(readFileSync(path(id), 'utf8')))
    } catch {
      return undefined // no such record, or one of a later version: it has ended, or that version would run
    }
  }
  const all = () => {
    let names: string[]
    try {
      names = readdirSync(records)
    } catch {
      return [] // made with the first update
    }
    return names
      .filter((name) => name.endsWith('.json'))
      .map((name) => read(name.slice(0, -5)))
      .filter((one) => one !== undefined)
      .sort((a, b) => b.began_at - a.began_at || (a.id < b.id ? 1 : -1))
  }
  return {
    all,
    active: () => all().find(({ ended_at }) => ended_at === null),
    read,
    write(record) {
      mkdirSync(records, { recursive: true, mode: 0o700 })
      writeDurably(records, `${record.id}.json`, JSON.stringify({ ...record, log: record.log.slice(-LOG_LINES) }))
    },
    cancel(id) {
      if (ID.test(id)) writeDurably(records, `${id}.cancelled`, '')
    },
    isCancelled: (id) => existsSync(join(records, `${id}.cancelled`)),
    audited(id) {
      try {
        return Number(readFileSync(join(records, `${id}.audited`), 'utf8'))
      } catch {
        return 0 // none yet
      }
    },
    setAudited: (id, count) => writeDurably(records, `${id}.audited`, String(count)),
    pointFolder: (id) => join(folder, 'points', id),
    setUnproved(fallback) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      if (fallback === undefined) rmSync(join(folder, 'unproved'), { force: true })
      else writeDurably(folder, 'unproved', `${fallback}\n`)
      syncFolder(folder)
    },
  }
}

/** A new file in place of the old one: either is whole, whatever ends this process. */
function writeDurably(folder: string, name: string, text: string): void {
  const draft = join(folder, `.${name}.new`)
  const handle = openSync(draft, 'w', 0o600)
  try {
    writeSync(handle, text)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  renameSync(draft, join(folder, name))
  syncFolder(folder)
}
