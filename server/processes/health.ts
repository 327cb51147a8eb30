import type { EventStore, StoreStatus } from '#storage/events/port.ts'
import type { DiskJournal } from '#storage/journal/open-journal.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../config.ts'
import type { Health } from '../http/http-deps.ts'
import { within } from '../platform/within.ts'
import type { Forwarder } from '../public/forward.ts'

const STATUS_EVERY_MS = 500
/** A process or database that is stopped, not ended, answers nothing at all. */
const ANSWER_MS = 2000
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
  /** Newest known state of the event store: at most half a second old. While it is down, `known` is false: its numbers say nothing. */
  store(): StoreStatus & { known: boolean }
  close(): void
}

/** Asks the stores twice a second, so that /healthz, /metrics and the walls' status cost nothing more. */
export function watchHealth(parts: {
  config: Config
  meta: MetaStore
  store: EventStore
  journal: DiskJournal
  back: { console?: Forwarder | undefined; relay?: Forwarder | undefined }
  /** Whether the collector takes events; undefined where this node has not the role. */
  ingestReady(): boolean | undefined
  /** Metrics whose alert is open. */
  alerts(): Health['alerts']
  startedAt: number
  now(): number
  onStored(positions: StoreStatus['positions']): void
}): HealthWatch {
  const { config, meta, store, journal, back, startedAt, now } = parts
  let status = DOWN
  /** When the store last answered that everything before was stored. */
  let storedTo: number | null = null
  let asking = false
  const ask = async () => {
    if (asking) return
    asking = true
    status = await within(ANSWER_MS, store.status()).catch(() => DOWN) // health says so
    asking = false
    if (status.state === 'down') return
    storedTo = status.lagSeconds > 0 ? now() - status.lagSeconds * 1000 : now()
    parts.onStored(status.positions)
  }
  void ask()
  const timer = setInterval(() => void ask(), STATUS_EVERY_MS)

  // No answer is an answer here.
  async function stateOf(forwarder: Forwarder | undefined): Promise<'ok' | 'down' | 'off'> {
    if (!forwarder) return 'off'
    // Health says so.
    return (await within(ANSWER_MS, forwarder.isUp()).catch(() => false)) ? 'ok' : 'down'
  }
  function backlog(): Health['backlog'] {
    const bytes = journal.backlogBytes()
    if (status.state !== 'down') return { events: status.backlogEvents, seconds: Math.round(status.lagSeconds), bytes }
    // Nothing waits, or it is not known how many: bytes and time are.
    return {
      events: bytes === 0 ? 0 : null,
      seconds: bytes === 0 ? 0 : Math.max(0, Math.round((now() - (storedTo ?? startedAt)) / 1000)),
      bytes,
    }
  }

  return {
    store: () => ({ ...status, known: status.state !== 'down' }),
    close: () => clearInterval(timer),
    async health() {
      const query = meta.db.selectFrom('roles').select('key').limit(1).execute()
      const [metadata, console, relay] = await Promise.all([
        within(ANSWER_MS, query).then(
          () => 'ok' as const,
          () => 'down' as const,
        ),
        stateOf(back.console),
        stateOf(back.relay),
      ])
      const stores = { metadata, events: status.state, journal: journal.state() }
      const ok =
        metadata === 'ok' &&
        status.state !== 'down' &&
        stores.journal === 'ok' &&
        console !== 'down' &&
        relay !== 'down' &&
        parts.ingestReady() !== false
      return {
        version: config.version,
        roles: [...config.roles],
        state: ok ? 'ok' : 'degraded',
        stores,
        // Public: the kind alone; the sentence with paths is in the log and in what a signed-in user reads.
        problem: status.problem ? { kind: status.problem.kind, progress: status.problem.progress ?? null } : null,
        backlog: backlog(),
        alerts: parts.alerts(),
        journal_incidents: journal.incidents(),
        processes: { console, relay },
        uptime_seconds: Math.round(process.uptime()),
        demo: config.demo,
        simulated_markets: [...config.marketOrigins],
      }
    },
  }
}
