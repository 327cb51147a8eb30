import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CheckOutcome } from '#contracts/http/maintenance/checks.ts'
import { CHECK_IDS, CHECKS, type CheckId, FOUND } from '#contracts/maintenance-checks.ts'
import { toTuple } from '#contracts/telemetry/stored-event.ts'
import { readConfig } from '#server/config.ts'
import { openDuckFile } from '#storage/events/duckdb/duck-file.ts'
import { connectEventStore, type RemoteEventStore } from '#storage/events/serve/connect-event-store.ts'
import { type ManagedStore, manageStore } from '#storage/events/serve/managed-store.ts'
import { serveEventStore } from '#storage/events/serve/serve-event-store.ts'
import { openLocalFiles } from '#storage/files/local-files.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { type DiskJournal, openJournal } from '#storage/journal/open-journal.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import type { BundledPostgres } from '#storage/postgres/bundled.ts'
import { type MetaStore, openDatabase } from '#storage/postgres/database.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { startTestPostgres } from '#tests/support/test-postgres.ts'
import { makeAudit } from '../../platform/audit/audit-trail.ts'
import { makeCheckpoint } from '../../platform/audit/checkpoints.ts'
import { ALL_CHECKS } from './checks/all-checks.ts'
import type { CheckDeps } from './checks/check.ts'
import { findDamage, repairDamage } from './run-checks.ts'

/** Each kind of damage is injected into a running installation; repair removes it, or the check says what is lost. */

const root = mkdtempSync(join(tmpdir(), 'appwarden-damage-'))
const config = readConfig({ APPWARDEN_DATA: join(root, 'data') }, '1.5.3')
const { paths } = config
const backup = join(root, 'backups/backup-20261124T020000Z')
const signal = new AbortController().signal
const noProgress = async () => {}
const secrets = new Map<string, Buffer>()
const now = Date.now()
let postgres: BundledPostgres
let meta: MetaStore
let journal: DiskJournal
let managed: ManagedStore
let store: RemoteEventStore
let deps: CheckDeps
const closing: (() => Promise<unknown>)[] = []
const lines: string[] = []

beforeAll(async () => {
  mkdirSync(join(config.dataFolder, 'run'), { recursive: true })
  postgres = await startTestPostgres(paths.postgres)
  meta = await openDatabase(postgres.address, { migrate: true, connections: 4 })
  journal = await openJournal(paths.journal, { maxBacklogBytes: 1e9, segmentBytes: 4000, log: () => {} })
  const journalServer = await serveJournal(journal, paths.journalSocket)
  await openStore()
  store = connectEventStore(paths.storeSocket)
  await store.ready(10_000)
  const files = await openLocalFiles(paths.files)
  deps = {
    ...{ config, meta, database: postgres.address, files, store },
    secret: (name) => secrets.get(name) ?? Buffer.alloc(32, 7),
    backups: async () => (existsSync(backup) ? [backup] : []),
    now: () => now,
  }
  closing.push(
    () => store.close(),
    () => journalServer.close(),
  )
}, 120_000)
afterAll(async () => {
  for (const close of closing) await close()
  await managed.close()
  await journal.close()
  await meta.close()
  await postgres.stop()
  rmSync(root, { recursive: true, force: true })
})

let storeServer: Awaited<ReturnType<typeof serveEventStore>>
async function openStore(): Promise<void> {
  managed = manageStore({
    folder: paths.events,
    journalFolder: paths.journal,
    memoryMb: 200,
    threads: 1,
    onFatal: () => {},
  })
  storeServer = await serveEventStore(managed, paths.storeSocket)
  await managed.settled
  managed.follow(journalReader(journal))
}
async function closeStore(): Promise<void> {
  await storeServer.close()
  await managed.close()
}
/** While the store is away, as a fault of the disk would change its file. */
async function whileClosed(change: () => unknown): Promise<void> {
  await closeStore()
  await change()
  await openStore()
  await store.ready(10_000)
}
/** Runs statements on the event store's tables while it is closed. */
const inEvents = (...statements: string[]) =>
  whileClosed(async () => {
    const file = await openDuckFile({ folder: paths.events, memoryMb: 200, threads: 1 })
    await file.write(async (connection) => {
      for (const one of statements) await connection.run(one)
    })
    await file.checkpoint()
    await file.close()
  })

async function post(count: number, at = now): Promise<void> {
  const events = Array.from({ length: count }, (_, i) =>
    madeEvent({ id: crypto.randomUUID(), receivedAt: at, occurredAt: at, device: String(i % 7).padStart(32, 'a') }),
  )
  await journal.append({ kind: 'batch', at, events: events.map(toTuple) })
}
const rows = async () => (await store.status()).rows
async function stored(count: number): Promise<void> {
  await expect.poll(rows, { timeout: 20_000 }).toBe(count)
}
const put = async (text: string) =>
  (
    await deps.files.put(
      (async function* () {
        yield Buffer.from(text)
      })(),
    )
  ).sha256
const fileOf = (sha256: string) => join(paths.files, sha256.slice(0, 2), sha256)
const makeOld = (path: string, days: number) =>
  utimesSync(path, new Date(now - days * 86_400_000), new Date(now - days * 86_400_000))
const copyToBackup = (sha256: string) => {
  const to = join(backup, 'files', sha256.slice(0, 2))
  mkdirSync(to, { recursive: true })
  copyFileSync(fileOf(sha256), join(to, sha256))
}
function overwrite(file: string, from: number, length: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, 0x5a), 0, length, from)
}

async function look(check: CheckId): Promise<CheckOutcome> {
  const [outcome] = await findDamage(deps, [check], signal, noProgress)
  expect(outcome?.reason).toBeNull()
  return outcome as CheckOutcome
}
async function repair(check: CheckId): Promise<CheckOutcome> {
  const [outcome] = await repairDamage(deps, [check], signal, noProgress)
  expect(outcome?.reason).toBeNull()
  lines.push(`${check}: ${outcome?.repaired} repaired`)
  return outcome as CheckOutcome
}
/** The damage is found, a second look finds the same (looking changes nothing), repair removes all of it, and it stays away. */
async function isRepaired(check: CheckId, text: string, count = 1): Promise<void> {
  const found = await look(check)
  expect({ count: found.count, texts: [...new Set(found.items.map((one) => one.text))] }).toEqual({
    count,
    texts: [text],
  })
  expect((await look(check)).items).toEqual(found.items)
  const outcome = await repair(check)
  expect({ repaired: outcome.repaired, reasons: outcome.items.map(({ reason }) => reason).filter(Boolean) }).toEqual({
    repaired: count,
    reasons: [],
  })
  expect((await look(check)).count).toBe(0)
}

test('[MAINT-01] every check has an implementation, a healthy installation has no findings, and looking changes nothing', async () => {
  expect(ALL_CHECKS.map(({ id }) => id).sort()).toEqual([...CHECK_IDS].sort())
  await post(50)
  await stored(50)
  const audit = makeAudit(meta, () => now)
  for (const action of ['one', 'two', 'three'])
    await audit({ account: 'a', role: 'r', action, target: '', result: 'ok', address: '', detail: '' })
  await makeCheckpoint({ ...deps, file: paths.auditCheckpoints })
  const outcomes = await findDamage(deps, CHECK_IDS, signal, noProgress)
  expect(outcomes.filter(({ count, reason }) => count > 0 || reason !== null)).toEqual([])
  expect(outcomes.map(({ check }) => check).sort()).toEqual([...CHECK_IDS].sort())
}, 60_000)

test('a run that is stopped ends between two checks and keeps what it found', async () => {
  const stop = new AbortController()
  const outcomes = await findDamage(deps, CHECK_IDS, stop.signal, async (done) => {
    if (done === 2) stop.abort()
  })
  expect(outcomes.length).toBeLessThan(4)
}, 60_000)

describe('event store', () => {
  test('[MAINT-01] a damaged header: the file is set aside and everything comes back from the journal', async () => {
    const before = await rows()
    await whileClosed(() => overwrite(join(paths.events, 'events.duckdb'), 0, 12_288))
    await isRepaired('events.file', 'events_damaged')
    await stored(before)
  }, 60_000)

  test('[MAINT-01] a damaged write-ahead log: the file is kept and the log set aside', async () => {
    // What came before is in the file; the journal may have let go of it.
    await whileClosed(() => {})
    const before = (await rows()) + 30
    await post(30)
    await stored(before)
    // As a killed process leaves them: the log holds what the file does not.
    const names = ['events.duckdb', 'events.duckdb.wal'] as const
    for (const name of names) copyFileSync(join(paths.events, name), join(root, name))
    await closeStore()
    for (const name of names) copyFileSync(join(root, name), join(paths.events, name))
    const log = join(paths.events, 'events.duckdb.wal')
    overwrite(log, Math.floor(statSync(log).size / 2), 500)
    await openStore()
    await store.ready(10_000)
    await isRepaired('events.file', 'events_damaged')
    await stored(before)
  }, 60_000)

  test('[MAINT-01] files that repairs set aside are listed, and removed when that is asked for', async () => {
    const found = await look('events.set_aside')
    expect(found.count).toBeGreaterThanOrEqual(2)
    await isRepaired('events.set_aside', 'set_aside', found.count)
    expect(readdirSync(paths.events).filter((name) => name.includes('damaged'))).toEqual([])
  }, 60_000)

  test('[MAINT-01] an event stored twice: the copy goes', async () => {
    const before = await rows()
    await inEvents('INSERT INTO events SELECT * FROM events LIMIT 3')
    expect(await rows()).toBe(before + 3)
    await isRepaired('events.duplicates', 'duplicate', 3)
    await stored(before)
  }, 60_000)

  test('[MAINT-01] times first seen that are lost are written again from the events', async () => {
    await inEvents('DELETE FROM first_seen', 'DELETE FROM first_seen_anywhere WHERE k = 1 AND kind = 1')
    const { count } = await look('events.first_seen')
    expect(count).toBeGreaterThan(2)
    await isRepaired('events.first_seen', 'first_seen', count)
  }, 60_000)

  test('[MAINT-01] events whose device has no key are counted with their times, and nothing pretends to repair them', async () => {
    await closeStore()
    const healthy = readFileSync(join(paths.events, 'events.duckdb'))
    await openStore()
    await inEvents('UPDATE events SET device = 4000000 WHERE rowid IN (SELECT rowid FROM events LIMIT 2)')
    const { items, repairable } = await repair('events.keys')
    expect({ repairable, text: items[0]?.text, params: items[0]?.params }).toEqual({
      repairable: 0,
      text: 'keyless',
      params: { count: 2 },
    })
    await whileClosed(() => writeFileSync(join(paths.events, 'events.duckdb'), healthy))
  }, 60_000)
})

describe('journal', () => {
  test('[MAINT-01] a flipped byte in an entry: the segment is set aside, its other entries stay, the lost bytes are named', async () => {
    for (let batch = 0; batch < 3; batch++) await post(4)
    await stored(await rows())
    await sleep(300)
    const segments = readdirSync(paths.journal).filter((name) => name.endsWith('.journal'))
    const file = join(
      paths.journal,
      segments.sort().findLast((name) => statSync(join(paths.journal, name)).size > 1000) as string,
    )
    overwrite(file, 40, 8)
    // Behind the damaged entry there must be a valid one: what is at the very end is a write that was cut off.
    await post(4)
    const found = await look('journal.entries')
    if (found.count > 0) {
      expect(found.items[0]).toMatchObject({ text: 'entries_damaged', params: { bytes: expect.any(Number) } })
      await isRepaired('journal.entries', 'entries_damaged', found.count)
    }
    expect(readdirSync(paths.journal).some((name) => name.endsWith('.damaged')) || found.count === 0).toBe(true)
    expect(found.count).toBeGreaterThan(0)
  }, 60_000)

  test('[MAINT-01] a segment that is gone: the lost positions are named', async () => {
    // While the store reads nothing, no segment is released and removed.
    await whileClosed(async () => {
      for (let batch = 0; batch < 12; batch++) {
        await post(10)
        await sleep(5)
      }
      const segments = readdirSync(paths.journal)
        .filter((name) => name.endsWith('.journal'))
        .sort()
      expect(segments.length).toBeGreaterThan(2)
      const gone = segments.at(-2) as string
      const bytes = statSync(join(paths.journal, gone)).size
      rmSync(join(paths.journal, gone))
      const { items, repairable } = await repair('journal.gaps')
      expect(repairable).toBe(0)
      expect(items.at(-1)).toMatchObject({
        text: 'positions_missing',
        params: { from: Number(gone.slice(0, 16)), bytes },
      })
    })
  }, 60_000)

  test('[MAINT-01] the lost name of the journal is written back', async () => {
    rmSync(join(paths.journal, 'name'))
    await isRepaired('journal.name', 'name_missing')
    expect(readFileSync(join(paths.journal, 'name'), 'utf8').trim()).toBe(journal.name)
  })

  test('[MAINT-01] an unreadable record of incidents begins again', async () => {
    writeFileSync(join(paths.journal, 'incidents.json'), '[{"at":1')
    await isRepaired('journal.incidents', 'incidents_unreadable')
  })
})

describe('files', () => {
  let operator = 0
  beforeAll(async () => {
    await sql`insert into roles (key, zh, en, built_in, sees_all, auth) values ('r', '', '', true, true, '{}')`.execute(
      meta.db,
    )
    const user = await sql<{
      id: number
    }>`insert into users (username, password_hash, password_history, role, super, must_change_password, disabled, created_at)
      values ('a@b.cn', '', '{}', 'r', true, false, false, 0) returning id`.execute(meta.db)
    operator = user.rows[0]?.id as number
  })
  const addPackage = (sha256: string, name: string) =>
    sql`insert into app_files (name, file_name, version, version_code, size, md5, sha256, package_name, kind, file_type, platform, type, protection, packer, signers, signature, facts, uploaded_at)
      values (${name}, ${name}, '1', '1', 1, ${sha256.slice(0, 32)}, ${sha256}, ${name}, 'apk', 'apk', 'android', '', 'unreinforced', '', '{}', 'verified', '{}', 0)`.execute(
      meta.db,
    )

  test('[MAINT-01] a missing package comes back from a backup; one that no backup has is named as lost', async () => {
    const kept = await put('a package in the backup')
    const lost = await put('a package in no backup')
    await addPackage(kept, 'kept.apk')
    await addPackage(lost, 'lost.apk')
    copyToBackup(kept)
    rmSync(fileOf(kept))
    rmSync(fileOf(lost))
    const outcome = await repair('files.missing')
    expect(outcome).toMatchObject({ count: 2, repairable: 1, repaired: 1 })
    expect(outcome.items).toContainEqual(
      expect.objectContaining({
        name: lost,
        text: 'file_missing',
        params: { record: 'package lost.apk' },
        repairable: false,
      }),
    )
    expect(readFileSync(fileOf(kept), 'utf8')).toBe('a package in the backup')
    await sql`delete from app_files where sha256 = ${lost}`.execute(meta.db)
    expect((await look('files.missing')).count).toBe(0)
  })

  test('[MAINT-01] a file with changed contents comes back from a backup, or is moved out and then counts as missing', async () => {
    const kept = await put('contents in the backup')
    const lost = await put('contents in no backup')
    await addPackage(kept, 'kept2.apk')
    await addPackage(lost, 'lost2.apk')
    copyToBackup(kept)
    for (const one of [kept, lost]) overwrite(fileOf(one), 3, 4)
    const outcome = await repair('files.changed')
    expect({ count: outcome.count, repaired: outcome.repaired }).toEqual({ count: 2, repaired: 2 })
    expect(readFileSync(fileOf(kept), 'utf8')).toBe('contents in the backup')
    expect((await look('files.missing')).items).toEqual([expect.objectContaining({ name: lost, text: 'file_missing' })])
    await sql`delete from app_files where sha256 = ${lost}`.execute(meta.db)
  })

  test('[MAINT-01] a file without a record is moved out; one that any record names, and a young one, stay', async () => {
    const orphan = await put('an orphan')
    const young = await put('a young one')
    const named = await put('named in a setting')
    makeOld(fileOf(orphan), 1)
    makeOld(fileOf(named), 1)
    await meta.db
      .insertInto('settings')
      .values({ key: 'logo', value: JSON.stringify({ file: named }) })
      .execute()
    await isRepaired('files.orphans', 'orphan')
    expect([orphan, young, named].map((one) => existsSync(fileOf(one)))).toEqual([false, true, true])
    expect(existsSync(join(paths.files, 'removed', orphan))).toBe(true)
  })

  test('[MAINT-01] an export whose result is gone offers no download any more', async () => {
    const file = await put('rows')
    await sql`insert into jobs (id, user_id, kind, title, state, note, rows, bytes, input, file, file_name, created_at)
      values ('export-1', ${operator}, 'export', 'devices', 'done', '', 1, 4, '{}', ${file}, 'devices.csv', 0)`.execute(
      meta.db,
    )
    rmSync(fileOf(file))
    await isRepaired('files.results', 'result_missing')
    expect(await meta.db.selectFrom('jobs').select('file').executeTakeFirst()).toEqual({ file: null })
  })

  test('[MAINT-01] unfinished files of a day ago and earlier are deleted, younger ones stay', async () => {
    mkdirSync(paths.uploads, { recursive: true })
    const [upload, write, young] = [
      join(paths.uploads, 'u1'),
      join(paths.files, 'unfinished/w1'),
      join(paths.uploads, 'u2'),
    ]
    for (const one of [upload, write, young]) writeFileSync(one, 'part')
    for (const one of [upload, write]) makeOld(one, 2)
    await isRepaired('files.temporary', 'temporary', 2)
    expect([upload, write, young].map((one) => existsSync(one))).toEqual([false, false, true])
  })
})

describe('database', () => {
  test('[MAINT-01] an index that does not match its table is built again', async () => {
    // PostgreSQL writes all pages out first; the damage is in the file, and the server reads it after a restart.
    await meta.db
      .insertInto('settings')
      .values(Array.from({ length: 300 }, (_, i) => ({ key: `filler-${i}`, value: '{}' })))
      .execute()
    const at = await sql<{
      path: string
      name: string
    }>`select pg_relation_filepath(c.oid) as path, c.relname as name from pg_class c where relname = 'settings_pkey'`.execute(
      meta.db,
    )
    const { path } = at.rows[0] as { path: string }
    await sql`checkpoint`.execute(meta.db)
    // The second page is a leaf: its entries no longer lead to the rows.
    overwrite(join(paths.postgres, 'data', path), 8192 + 7000, 600)
    // A table of half of memory pushes the pages of the index out of the cache.
    await restartPostgres()
    await isRepaired('database.indexes', 'index_damaged')
    expect((await meta.db.selectFrom('settings').select('key').where('key', '=', 'filler-7').execute()).length).toBe(1)
  }, 60_000)

  test('[MAINT-01] an invalid index is built again', async () => {
    await sql`update pg_index set indisvalid = false where indexrelid = 'maintenance_runs_newest'::regclass`.execute(
      meta.db,
    )
    await isRepaired('database.indexes', 'index_invalid')
  })

  test('[MAINT-01] an index, a constraint and a trigger that are missing are made again as this version has them', async () => {
    await sql`drop index maintenance_runs_newest`.execute(meta.db)
    const trigger = await sql<{
      name: string
      of: string
    }>`select tgname as name, tgrelid::regclass::text as of from pg_trigger where not tgisinternal limit 1`.execute(
      meta.db,
    )
    const constraint = await sql<{
      name: string
      of: string
    }>`select conname as name, conrelid::regclass::text as of from pg_constraint where contype = 'f' limit 1`.execute(
      meta.db,
    )
    for (const { name, of } of trigger.rows) await sql.raw(`drop trigger ${name} on ${of}`).execute(meta.db)
    for (const { name, of } of constraint.rows)
      await sql.raw(`alter table ${of} drop constraint ${name}`).execute(meta.db)
    await isRepaired('database.schema', 'object_missing', 1 + trigger.rows.length + constraint.rows.length)
  }, 60_000)

  test('[MAINT-01] a missing column is named as lost', async () => {
    await sql`alter table maintenance_runs rename column error to error_gone`.execute(meta.db)
    const { items, repairable } = await repair('database.schema')
    expect({ repairable, found: items.map(({ name, text }) => [name, text]) }).toEqual({
      repairable: 0,
      found: [['column maintenance_runs.error', 'table_missing']],
    })
    await sql`alter table maintenance_runs rename column error_gone to error`.execute(meta.db)
  }, 60_000)

  test('[MAINT-01] a sequence behind its table is moved on', async () => {
    await sql`select setval(pg_get_serial_sequence('users', 'id'), 1, false)`.execute(meta.db)
    await isRepaired('database.sequences', 'sequence_behind')
  })

  test('[MAINT-01] a damaged page of a table is named with its block, and not repaired', async () => {
    const at = await sql<{ path: string }>`select pg_relation_filepath('sites') as path`.execute(meta.db)
    await sql`insert into sites (name, name_en, longitude, latitude) values ('a', 'a', 1, 1)`.execute(meta.db)
    await sql`checkpoint`.execute(meta.db)
    const path = join(paths.postgres, 'data', at.rows[0]?.path as string)
    const healthy = readFileSync(path)
    // The pointer to the first row leads outside the page.
    overwrite(path, 24, 4)
    await restartPostgres()
    const { items, repairable } = await repair('database.pages')
    expect({ repairable, name: items[0]?.name, text: items[0]?.text }).toEqual({
      repairable: 0,
      name: 'sites',
      text: 'page_damaged',
    })
    await meta.close()
    await postgres.stop()
    writeFileSync(path, healthy)
    await openPostgres()
  }, 60_000)

  async function restartPostgres(): Promise<void> {
    await meta.close()
    await postgres.stop()
    await openPostgres()
  }
  async function openPostgres(): Promise<void> {
    const { startBundledPostgres } = await import('#storage/postgres/bundled.ts')
    postgres = await startBundledPostgres(paths.postgres)
    meta = await openDatabase(postgres.address, { migrate: false, connections: 4 })
    deps = { ...deps, meta, database: postgres.address }
  }
})

describe('audit chain', () => {
  const allow = (statement: ReturnType<typeof sql>) =>
    meta.db.transaction().execute(async (tx) => {
      await sql`set local session_replication_role = replica`.execute(tx)
      await statement.execute(tx)
    })

  test('[MAINT-01] checkpoints and their copies outside the database restore each other', async () => {
    const copies = readFileSync(paths.auditCheckpoints, 'utf8')
    rmSync(paths.auditCheckpoints)
    await isRepaired('audit.checkpoints', 'checkpoint_uncopied')
    expect(readFileSync(paths.auditCheckpoints, 'utf8')).toBe(copies)
    await allow(sql`delete from audit_checkpoints`)
    await isRepaired('audit.checkpoints', 'checkpoint_unstored')
    writeFileSync(paths.auditCheckpoints, `${copies}{"id":99,"at`)
    await isRepaired('audit.checkpoints', 'copies_torn')
    expect(readFileSync(paths.auditCheckpoints, 'utf8')).toBe(copies)
  })

  test('[MAINT-01] a changed entry is named, and repair leaves the chain as it is', async () => {
    const row = await meta.db
      .selectFrom('audit_log')
      .select(['id', 'target'])
      .orderBy('id')
      .limit(1)
      .executeTakeFirstOrThrow()
    await allow(sql`update audit_log set target = 'other' where id = ${row.id}`)
    const { items, repairable } = await repair('audit.chain')
    expect({ repairable, text: items[0]?.text, params: items[0]?.params }).toEqual({
      repairable: 0,
      text: 'chain_broken',
      params: { id: row.id },
    })
    await allow(sql`update audit_log set target = ${row.target} where id = ${row.id}`)
    expect((await look('audit.chain')).count).toBe(0)
  })

  test('[MAINT-01] entries cut off behind a checkpoint are named by number, and not repaired', async () => {
    await allow(sql`delete from audit_log where id >= 2`)
    const { items, repairable } = await repair('audit.tail')
    expect({ repairable, text: items[0]?.text, params: items[0]?.params }).toEqual({
      repairable: 0,
      text: 'tail_missing',
      params: { from: 2, to: 3 },
    })
  })
})

test('every check and every finding has words in both languages, and no text names a parameter that is not given', () => {
  for (const { zh, en } of [...Object.values(CHECKS), ...Object.values(FOUND)]) {
    const named = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort()
    expect(named(zh)).toEqual(named(en))
  }
})
