import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { hash } from '@node-rs/argon2'
import { ProductError } from '#contracts/errors.ts'
import { type Config, readConfig } from '#server/config.ts'
import { createHttp } from '#server/http/create-http.ts'
import { openEnvelopeKeys } from '#server/http/envelope-keys.ts'
import type { HttpDeps } from '#server/http/http-deps.ts'
import { openLicence } from '#server/platform/licence/open-licence.ts'
import { HTTP_MODULES } from '#server/processes/http-modules.ts'
import { openFoundation } from '#server/processes/open-foundation.ts'
import type { EventStore } from '#storage/events/port.ts'
import type { FileStore } from '#storage/files/port.ts'
import { type DatabaseAddress, type MetaStore, openDatabase } from '#storage/postgres/database.ts'
import { startTestPostgres } from './test-postgres.ts'

/** The real HTTP application on a port, on a real PostgreSQL of its own; the event store is down, as far as it can tell. */
export type HttpApp = {
  url: string
  config: Config
  meta: MetaStore
  database: DatabaseAddress
  /** Stores may be replaced here: handlers read them at each call. */
  deps: HttpDeps
  unmounted: readonly string[]
  /** Moves the server's clock. */
  clock: { offset: number }
  /** Adds an account; answers its number. */
  addUser(
    username: string,
    role: string,
    more?: { must_change_password?: boolean; expires_at?: number },
  ): Promise<number>
  /** PostgreSQL is away from now on. */
  stopDatabase(): Promise<void>
  close(): Promise<void>
}

export const PASSWORD = 'Granite-Harbour-27'
export const CODE = 'k7wxp'

/** `statementMs`: the longest statement, as openDatabase takes it. */
export async function startHttpApp(env: Record<string, string> = {}, statementMs?: number): Promise<HttpApp> {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-contract-'))
  const config = readConfig(
    { APPWARDEN_DATA: folder, APPWARDEN_CAPTCHA_FIXED: CODE, APPWARDEN_WEB: join(folder, 'web'), ...env },
    '1.5.3',
  )
  const postgres = await startTestPostgres(config.paths.postgres)
  const meta = await openDatabase(postgres.address, {
    migrate: true,
    ...(statementMs !== undefined && { statementMs }),
  })
  const clock = { offset: 0 }
  const now = () => Date.now() + clock.offset
  const foundation = await openFoundation({ config, meta, now })
  const envelopeKeys = await openEnvelopeKeys({ meta, secret: foundation.secret, now })
  const licence = await openLicence({ ...foundation, config, meta, now })
  const deps: HttpDeps = {
    ...foundation,
    envelopeKeys,
    licence,
    config,
    meta,
    now,
    store: absent<EventStore>(),
    files: absent<FileStore>(),
    health: () => ({
      version: config.version,
      roles: [...config.roles],
      state: 'ok',
      stores: { metadata: 'ok', events: 'down', journal: 'ok' },
      problem: null,
      backlog: { events: 0, seconds: 0, bytes: 0 },
      processes: { console: 'ok', relay: 'ok' },
      alerts: [],
      journal_incidents: [],
      uptime_seconds: 1,
      simulated_markets: [],
      demo: false,
    }),
    metrics: () => 'appwarden_up 1\n',
    openDemoAccounts: () => [{ username: 'demo@appwarden.local', password: 'shown', role: 'administrator' }],
  }
  const app = await createHttp(deps, HTTP_MODULES)
  await app.listen({ host: '127.0.0.1', port: 0 })
  const address = app.server.address() as { port: number }
  // What a hash costs is written in it: a cheap one makes every sign-in of a test cheap.
  const passwordHash = await hash(PASSWORD, { memoryCost: 64, timeCost: 1 })
  return {
    url: `http://127.0.0.1:${address.port}`,
    config,
    meta,
    database: postgres.address,
    deps,
    unmounted: app.unmounted,
    clock,
    async addUser(username, role, more = {}) {
      const row = await meta.db
        .insertInto('users')
        .values({
          username,
          password_hash: passwordHash,
          password_history: [passwordHash],
          role,
          super: false,
          must_change_password: false,
          disabled: false,
          created_at: now(),
          ...more,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return row.id
    },
    stopDatabase: () => postgres.stop(),
    async close() {
      await app.close()
      envelopeKeys.close()
      await licence.close()
      foundation.close()
      await meta.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A store that is away: every call of it refuses as the adapters do then. */
function absent<T extends object>(): T {
  return new Proxy({} as T, {
    get: (_, name) =>
      name === 'then'
        ? undefined
        : () => {
            throw new ProductError('server.store_down')
          },
  })
}
