import fc from 'fast-check'
import { EVENT_FLAGS, type JournalEntry, type StoredEvent, toTuple } from '#contracts/telemetry/stored-event.ts'
import type { JournalReader, PositionedEntry } from '#storage/journal/port.ts'

/** Stored events and a journal in memory, for tests of what reads the journal. */

let made = 0
export const hashKey = (n: number): string =>
  (n * 2_654_435_761 + 7).toString(16).padStart(16, '0').slice(-16).repeat(2)

export function madeEvent(fields: Partial<StoredEvent> = {}): StoredEvent {
  made++
  const receivedAt = fields.receivedAt ?? Date.UTC(2026, 5, 1, 4)
  return {
    id: `00000000-0000-4000-8000-${String(made).padStart(12, '0')}`,
    app: 1,
    type: 2,
    risk: 1,
    level: 4,
    action: 1,
    platform: 1,
    occurredAt: receivedAt,
    receivedAt,
    reportedAt: receivedAt,
    device: hashKey(1),
    user: null,
    version: '1.0.0',
    channel: 'store',
    os: 'Android 14',
    model: 'P1',
    brand: 'B',
    network: 'wifi',
    sdk: '1.0',
    country: 'CN',
    province: 330000,
    city: 330100,
    placeSource: 1,
    placePrecision: 3,
    lon: 120.15,
    lat: 30.28,
    site: 0,
    flags: 0,
    address: '203.0.113.7',
    extra: '',
    group: '',
    ...fields,
  }
}

/** Arbitrary events whose fields collide often, received between `from` and `to`. */
export function arbitraryEvent(from: number, to: number): fc.Arbitrary<StoredEvent> {
  const place = fc.constantFrom(
    { country: 'CN', province: 330000, city: 330100, placeSource: 1, placePrecision: 3, lon: 120.15, lat: 30.28 },
    { country: 'CN', province: 440000, city: 0, placeSource: 2, placePrecision: 2, lon: 113.27, lat: 23.13 },
    { country: 'US', province: 0, city: 0, placeSource: 2, placePrecision: 1, lon: -98, lat: 39 },
    { country: '', province: 0, city: 0, placeSource: 0, placePrecision: 0, lon: null, lat: null },
  )
  return fc
    .record({
      receivedAt: fc.integer({ min: from, max: to }),
      app: fc.integer({ min: 1, max: 3 }),
      type: fc.constantFrom(1, 2, 2, 2, 3, 7),
      risk: fc.integer({ min: 1, max: 19 }),
      level: fc.integer({ min: 1, max: 5 }),
      action: fc.integer({ min: 0, max: 4 }),
      platform: fc.integer({ min: 0, max: 3 }),
      device: fc.integer({ min: 1, max: 30 }).map(hashKey),
      user: fc.option(fc.integer({ min: 100, max: 120 }).map(hashKey)),
      version: fc.constantFrom('', '1.0.0', '1.2.0', '2.0.0'),
      site: fc.integer({ min: 0, max: 2 }),
      group: fc.constantFrom('', '', '0123456789abcdef', 'longtask'),
      flags: fc.constantFrom(
        0,
        0,
        0,
        EVENT_FLAGS.imported,
        EVENT_FLAGS.pending,
        EVENT_FLAGS.pending | EVENT_FLAGS.imported,
      ),
      place,
    })
    .map(({ place, ...rest }) => {
      const attack = rest.type === 2
      return madeEvent({ ...rest, ...place, ...(attack ? {} : { risk: 0, level: 0, action: 0 }) })
    })
}

/** A journal whose disk is memory: entries are durable at once and read back by position. */
export type MemoryJournal = JournalReader & {
  append(entry: JournalEntry): PositionedEntry
  appendEvents(events: readonly StoredEvent[], at: number): PositionedEntry
  entries(): readonly PositionedEntry[]
}

export function memoryJournal(name = 'j1'): MemoryJournal {
  const entries: PositionedEntry[] = []
  let end = 0
  const wake = new Set<() => void>()
  function append(entry: JournalEntry): PositionedEntry {
    const copy = JSON.parse(JSON.stringify(entry)) as JournalEntry
    const placed = { position: end, end: end + JSON.stringify(entry).length + 8, checksum: 0, entry: copy }
    end = placed.end
    entries.push(placed)
    for (const resume of wake) resume()
    wake.clear()
    return placed
  }
  return {
    name,
    durable: () => end,
    append,
    appendEvents: (events, at) => append({ kind: 'batch', at, events: events.map(toTuple) }),
    entries: () => entries,
    async *read(position, signal) {
      let index = entries.findIndex((one) => one.position >= position)
      if (index < 0) index = entries.length
      let resume = () => {}
      signal?.addEventListener('abort', () => resume(), { once: true })
      while (!signal?.aborted) {
        const next = entries[index]
        if (next) {
          index++
          yield next
        } else
          await new Promise<void>((resolve) => {
            resume = resolve
            wake.add(resolve)
          })
      }
    },
  }
}
