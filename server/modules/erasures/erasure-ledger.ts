import { createHash } from 'node:crypto'
import { appendFile, mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import type { EventStore } from '#storage/events/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { type EraseTarget, eraseMetadata } from './erase-job.ts'

/**
 * The ledger of erasures: one JSON line each in a file beside the stores, which a restore applies again before it serves. It holds a digest
 * of the subject and never the subject itself, which the erasure removed; a restored subject is found by the digest of each key that the
 * backup holds (keys are 128-bit hashes, so a digest cannot be reversed by trying).
 */
const EntrySchema = z.object({
  /** Epoch milliseconds. */
  at: z.number(),
  kind: z.enum(['device', 'user']),
  digest: z.string().length(64),
  apps: z.union([z.literal('all'), z.array(z.number())]),
})
export type LedgerEntry = z.infer<typeof EntrySchema>

export function digestOf(kind: LedgerEntry['kind'], subject: string): string {
  return createHash('sha256').update(`appwarden-erasure ${kind} ${subject}`).digest('hex')
}

/** Answers a function that adds an erasure to the ledger and resolves once it is on disk. */
export const recordIn =
  (file: string) =>
  async ({ kind, subject, scope }: EraseTarget, at: number): Promise<void> => {
    const apps = scope.apps === 'all' ? 'all' : [...scope.apps]
    const entry: LedgerEntry = { at, kind, digest: digestOf(kind, subject), apps }
    await mkdir(dirname(file), { recursive: true, mode: 0o700 })
    await appendFile(file, `${JSON.stringify(entry)}\n`, { mode: 0o600, flush: true })
  }

/** Entries of every ledger that exists, each once. A line torn by a crash is left out: its erasure had not begun. */
export async function readLedgers(files: readonly string[]): Promise<LedgerEntry[]> {
  const entries = new Map<string, LedgerEntry>()
  for (const file of files) {
    const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return ''
      throw error
    })
    for (const line of text.split('\n')) {
      const entry = parseLine(line)
      if (entry) entries.set(JSON.stringify(entry), entry)
    }
  }
  return [...entries.values()].sort((a, b) => a.at - b.at)
}

/**
 * Erases again what the ledger names and the stores hold. `keys` yields every device and user key of the event store. Answers how many
 * subjects were found and how many events were deleted.
 */
export async function reapplyErasures(
  { meta, store, keys }: { meta: MetaStore; store: Pick<EventStore, 'erase'>; keys: Iterable<string> },
  entries: readonly LedgerEntry[],
): Promise<{ subjects: number; events: number }> {
  const byDigest = new Map<string, LedgerEntry[]>()
  for (const entry of entries) byDigest.set(entry.digest, [...(byDigest.get(entry.digest) ?? []), entry])
  if (byDigest.size === 0) return { subjects: 0, events: 0 }
  const candidates = new Set([...keys, ...(await metadataKeys(meta))])
  const done = { subjects: 0, events: 0 }
  for (const subject of candidates)
    for (const kind of ['device', 'user'] as const)
      for (const { apps } of byDigest.get(digestOf(kind, subject)) ?? []) {
        const target: EraseTarget = { kind, subject, scope: { apps } }
        await eraseMetadata(meta, target)
        done.subjects++
        done.events += (await store.erase(target)).events
      }
  return done
}

async function metadataKeys({ db }: MetaStore): Promise<string[]> {
  const tables = ['installs', 'device_verdicts', 'device_verdict_changes', 'policy_fetches'] as const
  const found = await Promise.all(tables.map((table) => db.selectFrom(table).select('device').distinct().execute()))
  const cases = await db.selectFrom('case_entries').select(['device', 'person']).distinct().execute()
  return [
    ...found.flat().map(({ device }) => device),
    ...cases.flatMap(({ device, person }) => [device, person]),
  ].filter((key): key is string => typeof key === 'string')
}

function parseLine(line: string): LedgerEntry | undefined {
  try {
    return EntrySchema.safeParse(JSON.parse(line)).data
  } catch {
    return undefined // torn by a crash: its erasure had not begun
  }
}
