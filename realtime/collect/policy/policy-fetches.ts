import { sql } from 'kysely'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { recentCache } from '../read/recent-cache.ts'

export type PolicyFetch = {
  app: number
  device: string
  appVersion: string
  policy: string
  version: number
  at: number
}

const WRITE_MS = 2000
const ROWS_AT_ONCE = 500
/** Maximum waiting rows; beyond it a fetch is recorded at the device's next request. */
const MOST_WAITING = 100_000
/** An unchanged fetch is written again after this time. */
const SAME_MS = 10 * 60_000

/** Records which policy each device fetched: batches many fetches into few statements and skips unchanged ones. */
export function policyFetches(meta: MetaStore): { note(fetch: PolicyFetch): void; close(): Promise<void> } {
  const written = recentCache<{ what: string; at: number }>(100_000)
  const waiting = new Map<string, PolicyFetch>()
  let writing: Promise<void> = Promise.resolve()

  async function write(): Promise<void> {
    while (waiting.size > 0) {
      const rows = [...waiting.values()].slice(0, ROWS_AT_ONCE)
      for (const row of rows) waiting.delete(keyOf(row))
      // Joined: an application may be deleted for good while its devices still ask.
      await sql`insert into policy_fetches (application_id, device, app_version, policy_id, version, fetched_at)
        select f.* from jsonb_to_recordset(${JSON.stringify(rows.map(toRow))}::jsonb) as f(application_id int, device text,
          app_version text, policy_id text, version int, fetched_at int8) join applications a on a.id = f.application_id
        on conflict (application_id, device) do update set app_version = excluded.app_version, policy_id = excluded.policy_id,
          version = excluded.version, fetched_at = excluded.fetched_at`.execute(meta.db)
    }
  }
  const flush = () => {
    writing = writing
      .then(write)
      .catch((err: unknown) =>
        log.warn({ err }, 'collector: cannot record fetches of policies, the next fetch of each device does'),
      )
    return writing
  }
  const timer = setInterval(() => waiting.size > 0 && void flush(), WRITE_MS)
  timer.unref()

  return {
    note(fetch) {
      const key = keyOf(fetch)
      const what = `${fetch.policy} ${fetch.version} ${fetch.appVersion}`
      const before = written.get(key)
      if (before && before.what === what && fetch.at - before.at < SAME_MS) return
      if (waiting.size >= MOST_WAITING && !waiting.has(key)) return
      waiting.set(key, fetch)
      written.set(key, { what, at: fetch.at })
    },
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

function keyOf({ app, device }: PolicyFetch): string {
  return `${app} ${device}`
}
function toRow({ app, device, appVersion, policy, version, at }: PolicyFetch) {
  return { application_id: app, device, app_version: appVersion, policy_id: policy, version, fetched_at: at }
}
