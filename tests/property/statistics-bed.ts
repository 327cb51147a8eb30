import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import type { PermissionItem } from '#contracts/permissions.ts'
import type { StoredEvent } from '#contracts/telemetry/stored-event.ts'
import { createToken } from '#server/modules/tokens/access-tokens.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { type Api, apiWith } from '#tests/support/api.ts'
import { type HttpApp, startHttpApp } from '#tests/support/http-app.ts'
import { arbitraryEvent } from '#tests/support/made-events.ts'

/** The real HTTP application over a real event store with made events of the last days. */
export type StatisticsBed = {
  app: HttpApp
  store: DuckStore
  events: readonly StoredEvent[]
  userId: number
  /** Calls with a token of these scopes. */
  api(scopes: readonly PermissionItem[], userId?: number): Promise<Api>
  close(): Promise<void>
}

const DAY_MS = 86_400_000
export const SPAN_MS = 4 * DAY_MS

export async function statisticsBed(count: number, seed: number): Promise<StatisticsBed> {
  const app = await startHttpApp()
  const folder = join(app.config.dataFolder, 'events')
  mkdirSync(folder, { recursive: true })
  const store = await openDuckStore({ folder, memoryMb: 128 })
  const now = app.deps.now()
  const events = fc
    .sample(arbitraryEvent(now - SPAN_MS, now - 60_000), { numRuns: count, seed })
    .map((event, index) => ({
      ...event,
      // Arrival and occurrence differ, so that the time basis matters.
      occurredAt: event.receivedAt - ((index * 7919) % 5_400_000),
    }))
  await store.load(events)
  app.deps.store = store
  app.deps.files = await openLocalFiles(join(app.config.dataFolder, 'files'))
  const userId = await app.addUser('analyst@example.com', 'administrator')
  return {
    app,
    store,
    events,
    userId,
    async api(scopes, owner = userId) {
      const { token } = await createToken(
        { meta: app.meta, now: app.deps.now },
        { userId: owner, name: 'test', scopes: [...scopes], days: 1 },
      )
      return apiWith(app.url, token)
    },
    async close() {
      await app.close()
      await store.close()
    },
  }
}
