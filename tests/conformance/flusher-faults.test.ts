import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test } from 'vitest'
import { EVENT_FLAGS, type StoredEvent, toTuple } from '#contracts/telemetry/stored-event.ts'
import { openDuckFile } from '#storage/events/duckdb/duck-file.ts'
import type { EventStore } from '#storage/events/port.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { startFlusher } from '#storage/events/write/flusher.ts'
import { openRowWriter } from '#storage/events/write/row-writer.ts'
import { connectJournal } from '#storage/journal/connect-journal.ts'
import { type JournalLink, journalReader } from '#storage/journal/journal-reader.ts'
import { type DiskJournal, openJournal } from '#storage/journal/open-journal.ts'
import { segmentFile } from '#storage/journal/segments.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import { madeEvent } from '#tests/support/made-events.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-flusher-faults-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))
let folders = 0
const newFolder = () => join(root, String(++folders))
const quiet = { maxBacklogBytes: 1e9, log: () => {} }

function post(
  journal: DiskJournal,
  count: number,
  change: Partial<StoredEvent> = {},
): Promise<{ position: number; end: number }> {
  const events = Array.from({ length: count }, () => toTuple(madeEvent(change)))
  return journal.append({ kind: 'batch', at: Date.now(), events })
}

async function settled(store: EventStore, journal: DiskJournal): Promise<void> {
  const until = Date.now() + 20_000
  for (;;) {
    const { positions, backlogEvents, state } = await store.status()
    if (state === 'ok' && positions[journal.name] === journal.durable() && backlogEvents === 0) return
    if (Date.now() > until) throw new Error(`store at ${positions[journal.name]}, journal at ${journal.durable()}`)
    await sleep(20)
  }
}

/** A wall can start from the store whenever the store does not say that it is behind; resolves once it was so. */
async function seedableWhenOk(store: EventStore): Promise<void> {
  while ((await store.status()).state !== 'ok') await sleep(5)
  await store.seed([], { apps: 'all' }, Date.now(), 'UTC')
}

describe('flusher under faults', { timeout: 60_000 }, () => {
  test('holds at most two blocks in memory while the store cannot write, and stores everything once it can', async () => {
    const folder = newFolder()
    const journal = await openJournal(join(folder, 'journal'), quiet)
    const file = await openDuckFile({ folder: join(folder, 'events'), memoryMb: 200, threads: 2 })
    const writer = await openRowWriter(file, 0)
    await file.write((connection) => connection.run('ALTER TABLE positions RENAME TO positions_away'))
    let taken = 0
    const reader = journalReader(journal)
    const counted: JournalLink = {
      ...reader,
      async *read(...args) {
        for await (const placed of reader.read(...args)) {
          if (placed.entry.kind === 'batch') taken += placed.entry.events.length
          yield placed
        }
      },
    }
    const flusher = startFlusher(file, writer, counted, 0, Date.now, () => {})
    // As a steady stream of small batches brings them, slower than a block fills.
    for (let i = 0; i < 120; i++) {
      await post(journal, 500)
      if (i % 10 === 0) await sleep(100)
    }
    await sleep(1000)
    expect(flusher.failure()?.message).toContain('positions')
    const held = taken
    expect(held).toBeLessThanOrEqual(2 * (8192 + 500))
    expect(flusher.waiting().events).toBeGreaterThan(50_000) // health still names the whole backlog
    expect(journal.backlogBytes()).toBe(journal.durable()) // which is what turns senders away
    await file.write((connection) => connection.run('ALTER TABLE positions_away RENAME TO positions'))
    for (const until = Date.now() + 20_000; journal.backlogBytes() > 0 && Date.now() < until; ) await sleep(50)
    expect(journal.backlogBytes()).toBe(0)
    expect(flusher.failure()).toBeUndefined()
    const rows = await file.read((select) => select('SELECT count(*), count(DISTINCT id) FROM events'))
    expect(rows[0]?.map(Number)).toEqual([60_000, 60_000])
    await flusher.close()
    writer.ids.close()
    await file.close()
    await journal.close()
  })

  for (const { when, died, accepted } of [
    { when: '', died: false, accepted: 1 },
    { when: ', also where the store died while it compared them', died: true, accepted: 1 },
    { when: ', also where more was accepted since than it had lost', died: false, accepted: 3 },
    { when: ', also where both is the case', died: true, accepted: 3 },
  ])
    test(`a journal older than the store loses and doubles nothing${when}`, async () => {
      const folder = newFolder()
      const journalFolder = join(folder, 'journal')
      const backup = join(folder, 'backup')
      let journal = await openJournal(journalFolder, quiet)
      let store = await openDuckStore({ folder: join(folder, 'events') })
      store.follow(journalReader(journal))
      await post(journal, 2000)
      await settled(store, journal)
      await journal.close()
      cpSync(journalFolder, backup, { recursive: true })
      await store.close()

      journal = await openJournal(journalFolder, quiet)
      store = await openDuckStore({ folder: join(folder, 'events') })
      store.follow(journalReader(journal))
      await post(journal, 2000)
      await settled(store, journal)
      const stored = (await store.status()).positions[journal.name] as number
      await store.close()
      await journal.close()

      rmSync(journalFolder, { recursive: true })
      cpSync(backup, journalFolder, { recursive: true })
      const lines: string[] = []
      journal = await openJournal(journalFolder, { ...quiet, log: (_level, message) => lines.push(message) })
      expect(journal.durable()).toBeLessThan(stored)
      for (let i = 0; i < accepted; i++) await post(journal, 1000) // before the store is there: at positions that it has passed
      expect(journal.durable() > stored).toBe(accepted > 1)
      if (died) await journal.startBeyond(Math.max(stored, journal.durable() + 1))
      store = await openDuckStore({ folder: join(folder, 'events') })
      store.follow(journalReader(journal))
      const seeded = seedableWhenOk(store)
      await post(journal, 3000, { flags: EVENT_FLAGS.pending })
      await seeded
      await settled(store, journal)
      expect((await store.status()).rows).toBe(7000 + accepted * 1000)
      expect(journal.durable()).toBeGreaterThan(stored)
      // Where only the checksum shows it, a restart cannot know that the journal went on already.
      const times = died && accepted > 1 ? 2 : 1
      expect(journal.incidents()).toEqual(Array(times).fill(expect.objectContaining({ reason: 'renumbered' })))
      expect(lines).toContain('journal: older than the event store, goes on beyond the position of the store')
      expect(journal.state()).toBe('ok')
      expect(journal.backlogBytes()).toBe(0)
      await store.close()
      await journal.close()

      // Nothing is compared or counted again at the next start.
      journal = await openJournal(journalFolder, quiet)
      store = await openDuckStore({ folder: join(folder, 'events') })
      store.follow(journalReader(journal))
      await post(journal, 10)
      await settled(store, journal)
      expect((await store.status()).rows).toBe(7010 + accepted * 1000)
      await store.close()
      await journal.close()
    })

  /** A journal with its socket, as the collector has it: closing it and opening it again is a collector that was killed. */
  async function owner(folder: string) {
    const journal = await openJournal(join(folder, 'journal'), quiet)
    const server = await serveJournal(journal, join(folder, 'journal.sock'))
    return {
      journal,
      async end() {
        await server.close()
        await journal.close()
      },
    }
  }
  const linkTo = (folder: string) => connectJournal(join(folder, 'journal'), join(folder, 'journal.sock'))

  for (const { what, lost, accepted, behind } of [
    { what: 'the same journal', lost: false, accepted: 1, behind: false },
    { what: 'an older journal', lost: true, accepted: 1, behind: false },
    { what: 'an older journal that accepted more since than it had lost', lost: true, accepted: 3, behind: false },
    { what: 'an older journal, and the store had not written all it had read', lost: true, accepted: 3, behind: true },
  ])
    test(`[A5] the collector comes back with ${what} while the store lives: nothing is lost or stored twice`, async () => {
      const folder = newFolder()
      const journalFolder = join(folder, 'journal')
      const backup = join(folder, 'backup')
      let collector = await owner(folder)
      const store = await openDuckStore({ folder: join(folder, 'events') })
      const link = await linkTo(folder)
      store.follow(link)
      await post(collector.journal, 2000)
      await settled(store, collector.journal)
      cpSync(journalFolder, backup, { recursive: true })
      await post(collector.journal, 1500)
      await settled(store, collector.journal)
      if (behind) {
        await post(collector.journal, 500)
        for (const until = Date.now() + 10_000; (await store.status()).backlogEvents === 0 && Date.now() < until; )
          await sleep(1)
        for (const until = Date.now() + 10_000; link.durable() !== collector.journal.durable() && Date.now() < until; )
          await sleep(1)
        await sleep(50) // it has been read, and waits to be written with what follows
      } else await post(collector.journal, 500).then(() => settled(store, collector.journal))
      await collector.end()
      if (lost) {
        rmSync(journalFolder, { recursive: true })
        cpSync(backup, journalFolder, { recursive: true })
      }
      collector = await owner(folder)
      for (let i = 0; i < accepted; i++) await post(collector.journal, 1000)
      await settled(store, collector.journal)
      await post(collector.journal, 300, { flags: EVENT_FLAGS.pending })
      await settled(store, collector.journal)
      expect((await store.status()).rows).toBe(4300 + accepted * 1000)
      expect(collector.journal.incidents().map(({ reason }) => reason)).toEqual(lost ? ['renumbered'] : [])
      expect(collector.journal.backlogBytes()).toBe(0)
      await store.close()
      link.close()
      await collector.end()
    })

  for (const kind of ['an older', 'a newer'] as const)
    test(`[A5] the file of the store is exchanged for ${kind} one while the collector lives: nothing is lost or stored twice`, async () => {
      const folder = newFolder()
      const events = join(folder, 'events')
      let collector = await owner(folder)
      const opened = async () => {
        const store = await openDuckStore({ folder: events })
        const link = await linkTo(folder)
        store.follow(link)
        return {
          store,
          async end() {
            await store.close()
            link.close()
          },
        }
      }
      let { store, end } = await opened()
      const add = async (count: number) => {
        await post(collector.journal, count)
        await settled(store, collector.journal)
      }
      await add(1000)
      await end()
      const early = { events: join(folder, 'early-events'), journal: join(folder, 'early-journal') }
      cpSync(events, early.events, { recursive: true })
      cpSync(join(folder, 'journal'), early.journal, { recursive: true })
      ;({ store, end } = await opened())
      await add(2000)
      await end()
      if (kind === 'a newer') {
        // Everything is restored from the early copy and goes on; then the newer store is put back.
        const newer = join(folder, 'newer-events')
        cpSync(events, newer, { recursive: true })
        await collector.end()
        for (const [name, copy] of [
          ['events', early.events],
          ['journal', early.journal],
        ] as const) {
          rmSync(join(folder, name), { recursive: true })
          cpSync(copy, join(folder, name), { recursive: true })
        }
        collector = await owner(folder)
        ;({ store, end } = await opened())
        await add(1000)
        await end()
        rmSync(events, { recursive: true })
        cpSync(newer, events, { recursive: true })
      } else {
        rmSync(events, { recursive: true })
        cpSync(early.events, events, { recursive: true })
      }
      await post(collector.journal, 500) // before the store is there
      ;({ store, end } = await opened())
      await settled(store, collector.journal)
      await add(100)
      expect((await store.status()).rows).toBe(kind === 'a newer' ? 4600 : 3600)
      const renumbered = collector.journal.incidents().map(({ reason }) => reason)
      expect(renumbered).toEqual(kind === 'a newer' ? ['renumbered'] : [])
      await end()
      await collector.end()
    })

  test('[A5] a store whose file was exchanged for an older one keeps what it reads again in the journal until it is stored', async () => {
    const folder = newFolder()
    const journal = await openJournal(join(folder, 'journal'), { ...quiet, segmentBytes: 20_000, keptMs: 500 })
    const places: { position: number }[] = []
    for (let i = 0; i < 12; i++) places.push(await post(journal, 100))
    journal.release(places[8]?.position as number)
    const oldest = journal.oldest()
    expect(oldest).toBeGreaterThan(0)
    journal.release(oldest) // the older store begins here
    expect(journal.backlogBytes()).toBe(journal.durable() - oldest)
    await sleep(1700) // older than what is kept of stored segments
    expect(journal.oldest()).toBe(oldest)
    await journal.close()
  })

  test('a journal that went on while the store was away, and removed what was stored, is not taken for an older one', async () => {
    const folder = newFolder()
    const options = { ...quiet, segmentBytes: 20_000 }
    let journal = await openJournal(join(folder, 'journal'), options)
    let store = await openDuckStore({ folder: join(folder, 'events') })
    let rows = 0
    const postSome = async () => {
      for (let i = 0; i < 10; i++) await post(journal, 50)
      rows += 500
    }
    const restart = async () => {
      await store.close()
      await postSome()
      await journal.close()
      journal = await openJournal(join(folder, 'journal'), options)
      store = await openDuckStore({ folder: join(folder, 'events') })
    }
    store.follow(journalReader(journal))
    await postSome()
    await settled(store, journal)
    await restart() // the segment of the last stored entry is still there
    expect(journal.oldest()).toBeGreaterThan(0)
    store.follow(journalReader(journal))
    await settled(store, journal)
    const stored = journal.durable()
    for (const until = Date.now() + 10_000; !(await journal.dropBefore(stored)) && Date.now() < until; )
      await sleep(100)
    expect(journal.oldest()).toBe(stored)
    await restart()
    store.follow(journalReader(journal))
    await settled(store, journal)
    expect((await store.status()).rows).toBe(rows)
    expect(journal.incidents()).toEqual([])
    await store.close()
    await journal.close()
  })

  test('damage in entries that are not stored yet costs these entries alone: the flusher steps over and health names the span', async () => {
    const folder = newFolder()
    const options = { ...quiet, segmentBytes: 60_000 }
    let journal = await openJournal(join(folder, 'journal'), options)
    const spans = []
    for (let i = 0; i < 30; i++) spans.push(await post(journal, 50))
    await journal.close()
    for (const index of [3, 29]) {
      const { position } = spans[index] as (typeof spans)[number]
      const start = spans.findLast(
        ({ position: at }) => at <= position && isFile(segmentFile(join(folder, 'journal'), at)),
      )
      const file = segmentFile(join(folder, 'journal'), (start as { position: number }).position)
      const bytes = readFileSync(file)
      const at = position - (start as { position: number }).position + 60
      bytes[at] = (bytes[at] as number) ^ 0xff
      writeFileSync(file, bytes)
    }
    journal = await openJournal(join(folder, 'journal'), options)
    const store = await openDuckStore({ folder: join(folder, 'events') })
    store.follow(journalReader(journal))
    await settled(store, journal)
    expect((await store.status()).rows).toBe(28 * 50) // the last entry counts as an interrupted write
    expect(journal.incidents()).toEqual([
      expect.objectContaining({ from: spans[3]?.position, to: spans[3]?.end, reason: 'damaged' }),
    ])
    await store.close()
    await journal.close()
  })

  test('a journal that no longer holds the position of the store is read from its oldest entry, and health names the span', async () => {
    const folder = newFolder()
    const journal = await openJournal(join(folder, 'journal'), { ...quiet, segmentBytes: 20_000 })
    for (let i = 0; i < 20; i++) await post(journal, 50)
    journal.release(journal.durable()) // stored by a store that was replaced by an empty one
    await sleep(50)
    expect(journal.oldest()).toBeGreaterThan(0)
    const store = await openDuckStore({ folder: join(folder, 'events') })
    store.follow(journalReader(journal))
    await post(journal, 7)
    await settled(store, journal)
    expect((await store.status()).rows).toBeGreaterThanOrEqual(57)
    expect(journal.incidents()).toEqual([expect.objectContaining({ from: 0, to: journal.oldest(), reason: 'missing' })])
    await store.close()
    await journal.close()
  })
})

function isFile(path: string): boolean {
  try {
    return readFileSync(path).length > 0
  } catch {
    return false
  }
}
