import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DuckDBInstance } from '@duckdb/node-api'
import { afterAll, describe, expect, test } from 'vitest'
import {
  EVENT_FLAGS,
  type JournalPendingDecisions,
  type StoredEvent,
  toTuple,
} from '#contracts/telemetry/stored-event.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { type DiskJournal, openJournal } from '#storage/journal/open-journal.ts'
import type { PositionedEntry } from '#storage/journal/port.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { eventId } from './random-events.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-flusher-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0

const NOW = Date.UTC(2026, 5, 1, 4)
const EVERYTHING: StoreQuery = {
  span: { from: NOW - 1e10, to: NOW + 1e10 },
  basis: 'received',
  filters: [],
  scope: { apps: 'all' },
  zone: 'Asia/Shanghai',
}
const { pending } = EVENT_FLAGS

async function openBoth() {
  const folder = join(root, String(++folders))
  const journal = await openJournal(join(folder, 'journal'), { maxBacklogBytes: 1e9 })
  const entries: PositionedEntry[] = []
  journal.follow((placed) => entries.push(placed.copy()))
  const store = await openDuckStore({ folder: join(folder, 'events') })
  store.follow(journalReader(journal))
  const post = (events: StoredEvent[]) => journal.append({ kind: 'batch', at: NOW, events: events.map(toTuple) })
  const decisions = () =>
    entries.map(({ entry }) => entry).filter((entry): entry is JournalPendingDecisions => entry.kind === 'verdicts')
  return { folder, journal, store, post, decisions }
}

/** Waits until the store holds the journal to its end and has nothing left to say about it. */
async function settled(store: EventStore, journal: DiskJournal): Promise<void> {
  const until = Date.now() + 15_000
  for (let still = 0; still < 3; ) {
    const { positions, backlogEvents } = await store.status()
    still = positions[journal.name] === journal.durable() && backlogEvents === 0 ? still + 1 : 0
    if (Date.now() > until) throw new Error(`store at ${positions[journal.name]}, journal at ${journal.durable()}`)
    await sleep(20)
  }
}

async function allIds(store: EventStore): Promise<string[]> {
  const ids: string[] = []
  for await (const rows of store.stream(EVERYTHING, new AbortController().signal))
    ids.push(...rows.map(({ id, app }) => `${app} ${id}`))
  return ids.sort()
}

describe('flusher', { timeout: 60_000 }, () => {
  test('stores what the journal holds and says how far it is', async () => {
    const { journal, store, post } = await openBoth()
    await post([madeEvent(), madeEvent()])
    await settled(store, journal)
    expect(await store.status()).toMatchObject({ state: 'ok', rows: 2, storedTo: NOW, lagSeconds: 0 })
    expect((await store.seed([], { apps: 'all' }, NOW, 'Asia/Shanghai')).positions).toEqual({
      [journal.name]: journal.durable(),
    })
    expect(journal.backlogBytes()).toBe(0)
    await store.close()
    await journal.close()
  })

  test('decides pending events once: stored earlier, in the same block, in a later one, under another first sending time', async () => {
    const { journal, store, post, decisions } = await openBoth()
    const [a, b, c, d] = [1, 2, 3, 4].map((n) => eventId(9000 + n)) as [string, string, string, string]
    await post([madeEvent({ id: a, reportedAt: 100 }), madeEvent({ id: b, reportedAt: null })])
    await settled(store, journal)
    const second = await post([
      madeEvent({ id: a, reportedAt: 100, flags: pending }), // 0: stored
      madeEvent({ id: a, reportedAt: 200, flags: pending }), // 1: stored with another time
      madeEvent({ id: b, reportedAt: 300, flags: pending }), // 2: stored without a time
      madeEvent({ id: c, reportedAt: 300, flags: pending }), // 3: new
      madeEvent({ id: c, reportedAt: 300, flags: pending }), // 4: again
      madeEvent({ id: a, app: 2, reportedAt: 100, flags: pending }), // 5: another application's
      madeEvent({ id: d, reportedAt: null }), // not pending
    ])
    const third = await post([madeEvent({ id: d, reportedAt: null, flags: pending })])
    await settled(store, journal)
    expect(decisions()).toEqual([
      expect.objectContaining({
        position: second.position,
        accepted: [3, 5],
        duplicates: [0, 2, 4],
        quarantined: [{ index: 1, reason: 'id_conflict' }],
      }),
      expect.objectContaining({ position: third.position, accepted: [], duplicates: [0], quarantined: [] }),
    ])
    expect(await allIds(store)).toEqual([`1 ${a}`, `1 ${b}`, `1 ${c}`, `1 ${d}`, `2 ${a}`].sort())
    const page = await store.quarantined({ scope: { apps: 'all' }, limit: 10 })
    expect(page.counts).toEqual([{ reason: 'id_conflict', count: 1 }])
    expect(page.rows[0]).toMatchObject({ app: 1, eventId: a, receivedAt: NOW })
    expect(await store.event(1, c)).toMatchObject({ id: c })
    await store.close()
    await journal.close()
  })

  test('quarantine: pages newest first, narrowed by reason and scope', async () => {
    const { journal, store } = await openBoth()
    const one = (n: number, reason: 'too_old' | 'implausible') => ({
      receivedAt: NOW + (n >> 1),
      app: 1 + (n % 2),
      reason,
      eventId: `e${n}`,
      device: '',
      note: "it's",
      raw: '{}',
    })
    const quarantined = Array.from({ length: 25 }, (_, n) => one(n, n % 5 === 0 ? 'implausible' : 'too_old'))
    await journal.append({ kind: 'batch', at: NOW, events: [], quarantined })
    await settled(store, journal)
    const seen: string[] = []
    for (let cursor: string | undefined, first = true; first || cursor; first = false) {
      const page = await store.quarantined({ scope: { apps: 'all' }, limit: 7, ...(cursor && { cursor }) })
      seen.push(...page.rows.map(({ eventId }) => eventId))
      cursor = page.nextCursor
    }
    expect(seen).toEqual(quarantined.map(({ eventId }) => eventId).reverse())
    const narrow = await store.quarantined({ scope: { apps: [2] }, reason: 'implausible', limit: 100 })
    expect(narrow.rows.map(({ eventId }) => eventId)).toEqual(['e15', 'e5'])
    await store.close()
    await journal.close()
  })

  test('an event that no row can hold is quarantined and holds nothing up', async () => {
    const { journal, store, decisions } = await openBoth()
    const broken = (field: keyof StoredEvent, value: unknown, flags = 0) =>
      toTuple({ ...madeEvent({ flags }), [field]: value } as StoredEvent)
    const events = [
      toTuple(madeEvent()),
      broken('model', null),
      broken('id', 'nonsense'),
      broken('device', ''),
      broken('user', 7),
      broken('app', -1),
      broken('level', 256),
      broken('occurredAt', null),
      broken('lon', 'x'),
      broken('os', null, pending),
      [],
      toTuple(madeEvent({ flags: pending })),
    ]
    await journal.append({ kind: 'batch', at: NOW, events })
    await settled(store, journal)
    expect(await store.status()).toMatchObject({ state: 'ok', rows: 2 })
    const { counts, rows } = await store.quarantined({ scope: { apps: 'all' }, limit: 20 })
    expect(counts).toEqual([{ reason: 'implausible', count: 10 }])
    expect(rows.map(({ note }) => note).sort()).toEqual(
      ['app', 'device', 'id', 'id', 'level', 'lon', 'model', 'occurredAt', 'os', 'user'].map(
        (field) => `cannot be stored: ${field}`,
      ),
    )
    expect(decisions()).toEqual([
      expect.objectContaining({ accepted: [11], quarantined: [{ index: 9, reason: 'implausible' }] }),
    ])
    await store.close()
    await journal.close()
  })

  test('a file of a newer format is refused with both formats in the message', async () => {
    const folder = join(root, String(++folders))
    await (await openDuckStore({ folder })).close()
    const instance = await DuckDBInstance.create(join(folder, 'events.duckdb'))
    const connection = await instance.connect()
    await connection.run('UPDATE format SET version = 99')
    connection.closeSync()
    instance.closeSync()
    await expect(openDuckStore({ folder })).rejects.toThrow('has format 99; this version reads formats up to 2')
  })

  test('a decision that did not reach the journal is sent by the next start', async () => {
    const { folder, journal, post, store, decisions } = await openBoth()
    await store.close()
    const cut = await openDuckStore({ folder: join(folder, 'events') })
    cut.follow({ ...journalReader(journal), appendDecisions: () => Promise.reject(new Error('the journal is away')) })
    const { position } = await post([madeEvent({ flags: pending })])
    while ((await cut.status()).rows === 0) await sleep(20)
    await cut.close()
    expect(decisions()).toEqual([])
    const again = await openDuckStore({ folder: join(folder, 'events') })
    again.follow(journalReader(journal))
    while (decisions().length === 0) await sleep(20)
    await settled(again, journal)
    expect(decisions()).toEqual([expect.objectContaining({ position, accepted: [0] })])
    expect((await again.status()).rows).toBe(1)
    await again.close()
    await journal.close()
  })
})

describe('store process', () => {
  const start = async (folder: string, journal: DiskJournal): Promise<ChildProcess> => {
    const options = {
      folder: join(folder, 'events'),
      journalFolder: journal.folder,
      storeSocket: join(folder, 's.sock'),
      journalSocket: join(folder, 'j.sock'),
      memoryMb: 200,
      threads: 2,
    }
    const child = spawn(
      process.execPath,
      [
        '--import',
        'tsx',
        join(import.meta.dirname, '../../storage/events/serve/store-process.ts'),
        JSON.stringify(options),
      ],
      { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    )
    await once(child, 'message')
    return child
  }

  test('killed at any moment, every acknowledged event is stored exactly once and each pending one decided once', async () => {
    const folder = join(root, String(++folders))
    const journal = await openJournal(join(folder, 'journal'), { maxBacklogBytes: 1e9, segmentBytes: 300_000 })
    const decided: string[] = []
    journal.follow(({ entry }) => {
      if (entry.kind === 'verdicts') for (const index of entry.accepted) decided.push(`${entry.position} ${index}`)
    })
    const link = await serveJournal(journal, join(folder, 'j.sock'))
    const store = connectEventStore(join(folder, 's.sock'))
    await expect(store.status()).rejects.toMatchObject({ key: 'server.store_down' })

    const expected = new Set<string>()
    let conflicts = 0
    let number = 0
    let on = true
    const posting = (async () => {
      while (on) {
        // Every second event is sent twice as pending, every tenth a third time under another first sending time.
        const events = Array.from({ length: 60 }, (_, i) =>
          madeEvent({ id: eventId(number * 60 + i), reportedAt: 5, flags: i % 2 ? pending : 0 }),
        )
        const doubled = events.filter((_, i) => i % 2).map((event) => ({ ...event }))
        const other = events.filter((_, i) => i % 10 === 1).map((event) => ({ ...event, reportedAt: 6 }))
        conflicts += other.length
        await journal.append({ kind: 'batch', at: NOW, events: [...events, ...doubled, ...other].map(toTuple) })
        for (const { app, id } of events) expected.add(`${app} ${id}`)
        number++
        await sleep(15)
      }
    })()
    for (let round = 0; round < 3; round++) {
      const child = await start(folder, journal)
      await sleep(300 + Math.random() * 900)
      const gone = once(child, 'exit')
      child.kill('SIGKILL')
      await gone
    }
    on = false
    await posting
    const child = await start(folder, journal)
    await store.ready(10_000)
    await settled(store, journal)
    expect(await allIds(store)).toEqual([...expected].sort())
    const { rows } = await store.status()
    expect(rows).toBe(expected.size)
    const { counts } = await store.quarantined({ scope: { apps: 'all' }, limit: 1 })
    expect(counts).toEqual([{ reason: 'id_conflict', count: conflicts }])
    // Decisions may be repeated after a crash, but no pending event is without one.
    expect(new Set(decided).size).toBe(expected.size / 2)
    const gone = once(child, 'exit')
    child.kill('SIGTERM')
    expect(await gone).toEqual([0, null])
    await expect(store.count(EVERYTHING)).rejects.toMatchObject({ key: 'server.store_down' })
    await store.close()
    await link.close()
    await journal.close()
  }, 90_000)

  test('ends in order when its parent goes away', async () => {
    const folder = join(root, String(++folders))
    const journal = await openJournal(join(folder, 'journal'), { maxBacklogBytes: 1e9 })
    const child = await start(folder, journal) // no journal socket: it answers all the same
    const store = connectEventStore(join(folder, 's.sock'))
    await store.ready(10_000)
    expect(await store.count(EVERYTHING)).toBe(0)
    await expect(
      store.answer(EVERYTHING, { kind: 'rows', limit: 1, order: 'desc', cursor: 'x', and: [] }),
    ).rejects.toMatchObject({ key: 'input.invalid' })
    const gone = once(child, 'exit')
    child.disconnect()
    expect(await gone).toEqual([0, null])
    await store.close()
    await journal.close()
  }, 30_000)
})
