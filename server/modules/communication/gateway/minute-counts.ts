import { sql } from 'kysely'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

const MINUTE_MS = 60_000
/** Different SDKs of one flush at most; more are counted under OTHER. */
const MOST_SDKS = 200
/** Rows that wait for the database: beyond half of it SDKs are counted together, beyond it only rows that are there go on counting. */
const MOST_ROWS = 20_000
export const OTHER_SDK = 'other'

export type Counted = { applicationId: number; kid: number; outcome: string; sdk: string; micros: number }

/** What a gateway counted, by minute, key, outcome and SDK; written to the shared table every few seconds. */
export type MinuteCounts = {
  add(one: Counted): void
  /** Writes what was counted since the last call; what cannot be written is kept for the next call. */
  flush(): Promise<void>
}

export function makeMinuteCounts(meta: Pick<MetaStore, 'db'>, now: () => number): MinuteCounts {
  type Row = Counted & { minute: number; count: number }
  let rows = new Map<string, Row>()
  let sdks = new Set<string>()
  /** Requests that found no room while the database was away. */
  let lost = 0

  function add(one: Omit<Row, 'minute' | 'count'>, minute: number, count: number): void {
    if ((!sdks.has(one.sdk) && sdks.size >= MOST_SDKS) || rows.size >= MOST_ROWS / 2) one = { ...one, sdk: OTHER_SDK }
    sdks.add(one.sdk)
    const key = [minute, one.applicationId, one.kid, one.outcome, one.sdk].join(' ')
    const row = rows.get(key)
    if (row) {
      row.count += count
      row.micros += one.micros
    } else if (rows.size < MOST_ROWS) rows.set(key, { ...one, minute, count })
    else lost += count
  }

  return {
    add: (one) => add(one, Math.floor(now() / MINUTE_MS) * MINUTE_MS, 1),
    async flush() {
      if (rows.size === 0) return
      const taken = [...rows.values()]
      rows = new Map()
      sdks = new Set()
      try {
        await write(meta, taken)
      } catch (error) {
        for (const { minute, count, ...one } of taken) add(one, minute, count)
        throw error
      }
      if (lost > 0) log.warn({ lost }, 'gateway: requests were not counted while the database was away')
      lost = 0
    },
  }

  async function write({ db }: Pick<MetaStore, 'db'>, taken: readonly Row[]): Promise<void> {
    const column = (name: 'minute' | 'applicationId' | 'kid' | 'outcome' | 'sdk' | 'count') =>
      sql.val(taken.map((row) => row[name]))
    const micros = sql.val(taken.map((row) => Math.round(row.micros)))
    await db.transaction().execute(async (tx) => {
      await sql`insert into communication_minutes as old
        (minute, application_id, kid, outcome, sdk, count, micros)
        select * from unnest(${column('minute')}::int8[], ${column('applicationId')}::int4[], ${column('kid')}::int4[],
          ${column('outcome')}::text[], ${column('sdk')}::text[], ${column('count')}::int8[], ${micros}::int8[])
        on conflict (minute, application_id, kid, outcome, sdk)
        do update set count = old.count + excluded.count, micros = old.micros + excluded.micros`.execute(tx)
      const seen = [...new Set(taken.filter(({ outcome }) => outcome === 'accepted').map(({ kid }) => kid))]
      if (seen.length > 0)
        await sql`update communication_keys set last_seen_at = ${now()} where kid = any(${sql.val(seen)}::int4[])`.execute(
          tx,
        )
    })
  }
}
