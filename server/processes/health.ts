import type { EventStore, StoreStatus } from '#storage/events/port.ts'
import type { DiskJournal } from '#storage/journal/open-journal.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../config.ts'
import type { Health } from '../http/http-deps.ts'

const STATUS_EVERY_MS = 500
const DOWN: StoreStatus = {
  state: 'down',
  rows: 0,
  positions: {},
  storedTo: null,
  backlogEvents: 0,
  lagSeconds: 0,
  bytes: 0,
}

export type HealthWatch = {
  health(): Promise<Health>
  /** Newest known state of the event store: at most half a second old. */
  store(): StoreStatus
  close(): void
}

/** Asks the stores twice a second, so that /healthz, /metrics and the walls' status cost nothing more. */
export function watchHealth(parts: {
  config: Config
  meta: MetaStore
  store: EventStore
  journal: DiskJournal
  startedAt: number
  now(): number
  onStored(positions: StoreStatus['positions']): void
}): HealthWatch {
  const { config, meta, store, journal, startedAt, now } = parts
  let status = DOWN
  let asking = false
  const ask = async () => {
    if (asking) return
    asking = true
    status = await store.status().catch(() => DOWN)
    asking = false
    parts.onStored(status.positions)
  }
  void ask()
  const timer = setInterval(() => void ask(), STATUS_EVERY_MS)

  return {
    store: () => status,
    close: () => clearInterval(timer),
    async health() {
      const metadata = await meta.db
        .selectFrom('roles')
        .select('key')
        .limit(1)
        .execute()
        .then(() => 'ok' as const)
        .catch(() => 'down' as const)
      const stores = { metadata, events: status.state, journal: journal.state() }
      return {
        version: config.version,
        roles: [...config.roles],
        state: metadata === 'ok' && status.state !== 'down' && stores.journal === 'ok' ? 'ok' : 'degraded',
        stores,
        backlog: { events: status.backlogEvents, seconds: Math.round(status.lagSeconds) },
        uptime_seconds: Math.round((now() - startedAt) / 1000),
        demo: config.demo,
      }
    },
  }
}
