import { quarantine } from '#contracts/http/ingest.ts'
import type { Module } from '../../http/module.ts'
import { mayReveal, redactRaw } from '../../query/personal.ts'

/** Quarantined events; raw payloads are redacted unless the caller may reveal personal data. */
export const quarantineModule: Module = (mount, deps) => {
  mount(quarantine, async ({ query, caller }) => {
    const { rows, counts, nextCursor } = await deps.store.quarantined({
      scope: caller.scope,
      limit: query.limit,
      ...(query.reason ? { reason: query.reason } : {}),
      ...(query.cursor ? { cursor: query.cursor } : {}),
    })
    const data = rows.map((row) => ({
      received_at: row.receivedAt,
      app: String(row.app),
      reason: row.reason,
      event_id: row.eventId,
      device: row.device,
      note: row.note,
      raw: mayReveal(caller) ? row.raw : redactRaw(row.raw),
    }))
    return { data, counts, next_cursor: nextCursor ?? null }
  })
}
