import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import Fastify, { type FastifyInstance } from 'fastify'
import { type Settings, SettingsSchema } from '#contracts/http/settings.ts'
import { fromTuple, type QuarantinedEvent, type StoredEvent } from '#contracts/telemetry/stored-event.ts'
import type { CollectLogLine, Ingest, IngestDeps } from '#realtime/collect/collector.ts'
import { createIngest } from '#realtime/collect/collector.ts'
import { openPlaceLookup } from '#realtime/collect/read/place-lookup.ts'
import { recentEntries } from '#realtime/collect/recent-entries.ts'
import { startThread } from '#server/programs.ts'
import { type DiskJournal, openJournal } from '#storage/journal/open-journal.ts'
import { type MetaStore, openDatabase } from '#storage/postgres/database.ts'
import { startTestPostgres } from './test-postgres.ts'

/** A collector on a real journal and database in a temporary folder, without the rest of the product. */
export type Collector = {
  meta: MetaStore
  journal: DiskJournal
  ingest: Ingest
  app: FastifyInstance
  settings: Settings
  log: CollectLogLine[]
  /** All that the journal took since this collector started. */
  events: StoredEvent[]
  quarantined: QuarantinedEvent[]
  close(): Promise<void>
}

export const PEPPER = Buffer.alloc(32, 1)

export type TestDatabase = {
  meta: MetaStore
  makeApp(site?: boolean): Promise<number>
  makeKey(app: number, kind: 'server' | 'enrolment', scopes?: string[]): Promise<{ id: string; text: string }>
  close(): Promise<void>
}

export async function testDatabase(folder: string): Promise<TestDatabase> {
  const postgres = await startTestPostgres(join(folder, 'postgres'))
  const meta = await openDatabase(postgres.address, { migrate: true, connections: 4 })
  await meta.db
    .insertInto('roles')
    .values({ key: 'r', zh: '', en: '', built_in: true, sees_all: true, auth: [] })
    .execute()
  const { id: owner } = await meta.db
    .insertInto('users')
    .values({
      username: 'a@b.cn',
      password_hash: '',
      password_history: [],
      role: 'r',
      super: true,
      must_change_password: false,
      first_password_until: null,
      expires_at: null,
      disabled: false,
      active_session: null,
      created_at: 0,
      last_login_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    meta,
    async makeApp(withSite = false) {
      const site = withSite
        ? await meta.db
            .insertInto('sites')
            .values({ name: '上海', name_en: 'Shanghai', longitude: 121.4, latitude: 31.2 })
            .returning('id')
            .executeTakeFirstOrThrow()
        : undefined
      const { id } = await meta.db
        .insertInto('applications')
        .values({
          uuid: crypto.randomUUID(),
          name: 'app',
          mime_type: 1,
          protect_type: '0',
          has_file: false,
          owner_id: owner,
          site_id: site?.id ?? null,
          created_at: 0,
          deleted_at: null,
        })
        .returning('id')
        .executeTakeFirstOrThrow()
      return id
    },
    async makeKey(app, kind, scopes = ['events']) {
      const text = `${kind === 'server' ? 'aw_sk_' : 'aw_ek_'}${randomBytes(32).toString('base64url')}`
      const id = crypto.randomUUID()
      await meta.db
        .insertInto('ingest_keys')
        .values({
          id,
          application_id: app,
          kind,
          name: 'key',
          hint: text.slice(-4),
          hash: createHash('sha256').update(text).digest('hex'),
          text: kind === 'enrolment' ? text : null,
          scopes,
          created_at: 0,
          last_used_at: null,
          revoked_at: null,
        })
        .execute()
      return { id, text }
    },
    async close() {
      await meta.close()
      await postgres.stop()
    },
  }
}

export async function openCollector(options: {
  meta: MetaStore
  /** The journal's folder: the same one again is a restart. */
  folder: string
  now(): number
  deps?: Partial<IngestDeps>
  maxBacklogBytes?: number
  /** Keeps what was taken for the test to look at; benchmarks don't. */
  keep?: boolean
}): Promise<Collector> {
  const { meta, now } = options
  const journal = await openJournal(options.folder, { maxBacklogBytes: options.maxBacklogBytes ?? 1e9 })
  const events: StoredEvent[] = []
  const quarantined: QuarantinedEvent[] = []
  journal.follow((placed) => {
    if (options.keep === false) return
    const { entry } = placed
    if (entry.kind !== 'batch') return
    events.push(...entry.events.map(fromTuple))
    quarantined.push(...(entry.quarantined ?? []))
  })
  const settings = SettingsSchema.parse({})
  const log: CollectLogLine[] = []
  const ingest = await createIngest({
    journal,
    recent: (since) => recentEntries(journal, since),
    meta,
    settings: () => settings,
    pepper: PEPPER,
    deviceMaster: Buffer.alloc(32, 2),
    policySecret: Buffer.alloc(32, 3),
    now,
    trustProxy: ['127.0.0.1'],
    retentionDays: () => settings.event_days,
    logRequest: (line) => options.keep !== false && log.push(line),
    lookupPlaces: openPlaceLookup(),
    startReader: (data) => startThread('reading-thread', data),
    ...options.deps,
  })
  const app = Fastify()
  await ingest.routes(app)
  await app.ready()
  return {
    meta,
    journal,
    ingest,
    app,
    settings,
    log,
    events,
    quarantined,
    async close() {
      await app.close()
      await ingest.close()
      await journal.close()
    },
  }
}
