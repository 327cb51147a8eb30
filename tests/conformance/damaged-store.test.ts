import { existsSync, mkdtempSync, openSync, readdirSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { toTuple } from '#contracts/telemetry/stored-event.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { manageStore } from '#storage/events/serve/managed-store.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { repairEventStore } from '#storage/events/serve/repair-store.ts'
import { serveEventStore } from '#storage/events/serve/serve-event-store.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { eventId } from './random-events.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-damaged-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

const NOW = Date.UTC(2026, 4, 1)
const EVERYTHING: StoreQuery = {
  span: { from: 0, to: NOW * 2 },
  basis: 'received',
  filters: [],
  scope: { apps: 'all' },
  zone: 'UTC',
}

/** A store of 3,000 events that followed a journal, closed; `backup` is its file after the first 1,000. */
async function storedEvents() {
  const folder = join(root, String(++folders))
  const events = join(folder, 'events')
  const journal = await openJournal(join(folder, 'journal'), { maxBacklogBytes: 1e9, segmentBytes: 1e9 })
  const post = async (from: number, count: number) => {
    const batch = Array.from({ length: count }, (_, i) =>
      madeEvent({ id: eventId(from + i), receivedAt: NOW + from + i }),
    )
    await journal.append({ kind: 'batch', at: NOW + from, events: batch.map(toTuple) })
  }
  const store = await openDuckStore({ folder: events })
  store.follow(journalReader(journal))
  const stored = async (rows: number) => {
    while ((await store.status()).rows < rows) await sleep(20)
  }
  await post(0, 1000)
  await stored(1000)
  await store.close()
  const backup = join(folder, 'backup.duckdb')
  await copyFile(join(events, 'events.duckdb'), backup)
  const again = await openDuckStore({ folder: events })
  again.follow(journalReader(journal))
  await post(1000, 2000)
  while ((await again.status()).rows < 3000) await sleep(20)
  // As a killed process leaves them: the log holds what the file does not.
  for (const name of ['events.duckdb', 'events.duckdb.wal']) await copyFile(join(events, name), join(folder, name))
  await again.close()
  return { folder, events, journal, post, backup }
}

function overwrite(file: string, from: number, length: number): void {
  const handle = openSync(file, 'r+')
  writeSync(handle, Buffer.alloc(length, 0x5a), 0, length, from)
}

const managed = (events: string, folder: string, onFatal = (_error: Error) => {}) =>
  manageStore({ folder: events, journalFolder: join(folder, 'journal'), memoryMb: 200, threads: 1, onFatal })

for (const [what, damage] of [
  ['header', async (events: string) => overwrite(join(events, 'events.duckdb'), 0, 12_288)],
  [
    'write-ahead log',
    async (events: string) => {
      for (const name of ['events.duckdb', 'events.duckdb.wal'])
        await copyFile(join(events, '..', name), join(events, name))
      const log = join(events, 'events.duckdb.wal')
      overwrite(log, Math.floor(statSync(log).size / 2), 500)
    },
  ],
] as const)
  test(`a damaged ${what} of the event store: the process answers with the reason, the journal still accepts, repair stores everything again`, {
    timeout: 60_000,
  }, async () => {
    const { folder, events, journal, post } = await storedEvents()
    await damage(events)
    const store = managed(events, folder)
    const server = await serveEventStore(store, join(folder, 's.sock'))
    const client = connectEventStore(join(folder, 's.sock'))
    await client.ready(5000)
    await store.settled
    store.follow(journalReader(journal))
    const { state, problem } = await client.status()
    expect([state, problem?.kind]).toEqual(['down', 'damaged'])
    await expect(client.count(EVERYTHING)).rejects.toMatchObject({ key: 'server.store_damaged' })
    await post(3000, 500)
    const report = await client.repair()
    expect(report.lost).toBeNull()
    // Without a sound file everything comes from the journal; with a sound file only what the damaged log held.
    expect(report.restoredTo).toBe(what === 'header' ? null : NOW + 999)
    expect(report.replay?.from === 0).toBe(what === 'header')
    expect(report.setAside.every((path) => existsSync(path))).toBe(true)
    while ((await client.status()).rows < 3500) await sleep(20)
    expect(await client.count(EVERYTHING)).toBe(3500)
    await expect(client.repair()).rejects.toThrow('not damaged')
    await client.close()
    await server.close()
    await store.close()
    await journal.close()
  })

test('a damaged block that a query meets ends the process once; the next start reports the damage and repair uses the backup', {
  timeout: 60_000,
}, async () => {
  const { folder, events, journal, backup } = await storedEvents()
  const file = join(events, 'events.duckdb')
  // Blocks of 256 KB follow three headers of 4 KB: the data of the table, not what opening reads.
  let fatal: Error | undefined
  let found = false
  for (let block = 0; !found && 12_288 + block * 262_144 < statSync(file).size; block++) {
    await copyFile(file, `${file}.sound`)
    overwrite(file, 12_288 + block * 262_144 + 9000, 2000)
    const store = managed(events, folder, (error) => (fatal = error))
    await store.settled
    const opened = (await store.status()).problem === undefined
    if (opened) {
      await store
        .within({})
        .answer(EVERYTHING, { kind: 'rows', limit: 50, order: 'asc', and: [] })
        .catch(() => {})
      await store
        .within({})
        .count({ ...EVERYTHING, filters: [{ field: 'version', op: 'is', values: ['1'] }] })
        .catch(() => {})
      await sleep(100)
      found = fatal !== undefined
    }
    await store.close().catch(() => {})
    if (!found) await copyFile(`${file}.sound`, file)
  }
  expect(found).toBe(true)
  expect(existsSync(join(events, 'damaged.json'))).toBe(true)
  const next = managed(events, folder)
  await next.settled
  expect((await next.status()).problem?.kind).toBe('damaged')
  next.follow(journalReader(journal))
  const report = await next.repair(backup)
  expect(report).toMatchObject({ restoredTo: NOW + 999, lost: null })
  expect(report.replay?.from).toBeGreaterThan(0)
  while ((await next.status()).rows < 3000) await sleep(20)
  expect(await next.within({}).count(EVERYTHING)).toBe(3000)
  expect(existsSync(join(events, 'damaged.json'))).toBe(false)
  await next.close()
  await journal.close()
})

test('repair names the span that neither the backup nor the journal holds', { timeout: 60_000 }, async () => {
  const { folder, events, journal, backup } = await storedEvents()
  await journal.close()
  // The journal as it is after it dropped what the store had: its first segment begins later.
  rmSync(join(folder, 'journal'), { recursive: true })
  const later = await openJournal(join(folder, 'journal'), {
    name: journal.name,
    maxBacklogBytes: 1e9,
    segmentBytes: 20_000,
  })
  for (let from = 0; from < 3000; from += 100) {
    const batch = Array.from({ length: 100 }, (_, i) =>
      madeEvent({ id: eventId(from + i), receivedAt: NOW + from + i }),
    )
    await later.append({ kind: 'batch', at: NOW + from, events: batch.map(toTuple) })
  }
  writeFileSync(join(folder, 'journal', 'name'), `${journal.name}\n`)
  await later.close()
  const segments = readdirSync(join(folder, 'journal'))
    .filter((name) => name.endsWith('.journal'))
    .sort()
  for (const name of segments.slice(0, -1)) rmSync(join(folder, 'journal', name))
  overwrite(join(events, 'events.duckdb'), 0, 12_288)
  const options = { folder: events, journalFolder: join(folder, 'journal'), now: () => NOW + 9000 }
  const report = await repairEventStore({ ...options, restored: backup })
  expect(report.restoredTo).toBe(NOW + 999)
  expect(report.replay?.from).toBe(Number(segments.at(-1)?.slice(0, 16)))
  expect(report.lost).toEqual({ from: NOW + 999, to: report.replay?.at })
  expect(report.lost?.to).toBeGreaterThan(NOW + 1000)
})
