import { hash as digest } from 'node:crypto'
import type { MetaStore } from '#storage/postgres/database.ts'
import { refreshOnChange } from '#storage/postgres/refresh-on-change.ts'

export type IngestKey = {
  id: string
  app: number
  /** sites.id of the application, 0 for none. */
  site: number
  kind: 'server' | 'enrolment'
  scopes: readonly string[]
}

export type IngestKeys = {
  /** The valid key with this text, or undefined. An unknown one reloads the table, READS_PER_SECOND times at most. */
  byText(text: string): Promise<IngestKey | undefined>
  byId(id: string): IngestKey | undefined
  /** Incremented when keys or installs may have been revoked. */
  generation(): number
  /** Notes that a key was used; written at most once a minute. */
  used(key: IngestKey): void
  close(): void
}

const REFRESH_MS = 30_000
/**
 * A key that was just made is sent before its change notification arrives: its first use must not be refused. Unknown keys are not worth more
 * reads than these.
 */
const READS_PER_SECOND = 5
const USED_MS = 60_000

/** Valid keys of existing applications, held in memory and reloaded after a change notification. */
export async function openIngestKeys(meta: MetaStore, now: () => number): Promise<IngestKeys> {
  let byHash = new Map<string, IngestKey>()
  let byId = new Map<string, IngestKey>()
  let generation = 0
  let second = 0
  let readsInSecond = 0
  const usedAt = new Map<string, number>()

  async function read(): Promise<void> {
    const rows = await meta.db
      .selectFrom('ingest_keys as k')
      .innerJoin('applications as a', 'a.id', 'k.application_id')
      .select(['k.id', 'k.application_id', 'k.kind', 'k.hash', 'k.scopes', 'a.site_id'])
      .where('k.revoked_at', 'is', null)
      .where('a.deleted_at', 'is', null)
      .execute()
    byHash = new Map()
    byId = new Map()
    for (const row of rows) {
      const key = { id: row.id, app: row.application_id, site: row.site_id ?? 0, kind: row.kind, scopes: row.scopes }
      byHash.set(row.hash, key)
      byId.set(row.id, key)
    }
    generation++
  }
  function mayRead(): boolean {
    const current = Math.floor(now() / 1000)
    if (current !== second) {
      second = current
      readsInSecond = 0
    }
    return ++readsInSecond <= READS_PER_SECOND
  }
  // A lost notification must not keep a revoked key alive for long.
  const kept = await refreshOnChange(meta, read, {
    changes: ['ingest_keys', 'applications', 'sites'],
    everyMs: REFRESH_MS,
  })

  return {
    async byText(text) {
      const hash = digest('sha256', text)
      const known = byHash.get(hash)
      if (known) return known
      if (kept.isReading() || mayRead()) await kept.refresh()
      return byHash.get(hash)
    },
    byId: (id) => byId.get(id),
    generation: () => generation,
    used(key) {
      const time = now()
      if (time - (usedAt.get(key.id) ?? Number.NEGATIVE_INFINITY) < USED_MS) return
      usedAt.set(key.id, time)
      meta.db
        .updateTable('ingest_keys')
        .set({ last_used_at: time })
        .where('id', '=', key.id)
        .execute()
        .catch(() => usedAt.delete(key.id)) // the time of the next use is written instead
    },
    close: kept.close,
  }
}
