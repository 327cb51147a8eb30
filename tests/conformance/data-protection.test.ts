import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, expect, test } from 'vitest'
import { type QuarantinedEvent, toTuple } from '#contracts/telemetry/stored-event.ts'
import type { EventStore } from '#storage/events/port.ts'
import { openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { type DiskJournal, openJournal } from '#storage/journal/open-journal.ts'
import { madeEvent } from '#tests/support/made-events.ts'

const root = mkdtempSync(join(tmpdir(), 'appwarden-data-protection-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const ADDRESS = '203.0.113.77'
const DETAIL = 'MARKER-OF-THE-RAW-PAYLOAD'
const DEVICE = 'c0ffee11c0ffee22c0ffee33c0ffee44'
const DAY = 86_400_000

/** Files below the folder whose bytes hold one of the texts, as UTF-8 or UTF-16, or the words of a key as the key table holds them. */
function filesWith(folder: string, texts: readonly string[]): string[] {
  const found: string[] = []
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue
    const bytes = readFileSync(join(entry.parentPath, entry.name))
    for (const text of texts)
      if (bytes.includes(text) || bytes.includes(Buffer.from(text, 'utf16le'))) found.push(`${entry.name}: ${text}`)
  }
  return found
}

async function stored(store: EventStore, journal: DiskJournal): Promise<void> {
  while ((await store.status()).positions[journal.name] !== journal.durable()) await sleep(20)
}

async function opened(name: string, now: () => number) {
  const folder = join(root, name)
  mkdirSync(folder)
  const journal = await openJournal(join(folder, 'journal'), { maxBacklogBytes: 1e9, now, log: () => {} })
  const store = await openDuckStore({ folder: join(folder, 'events'), now })
  store.follow(journalReader(journal))
  const filled = async () => {
    const events = Array.from({ length: 400 }, (_, i) =>
      madeEvent({ address: `198.51.100.${i % 250}`, receivedAt: now() }),
    )
    const personal = { address: ADDRESS, extra: JSON.stringify({ detail: DETAIL }), device: DEVICE, receivedAt: now() }
    for (const at of [0, 199, 399]) events[at] = madeEvent(personal)
    const quarantined: QuarantinedEvent[] = [
      {
        receivedAt: now(),
        app: 1,
        reason: 'implausible',
        eventId: 'e',
        device: DEVICE,
        note: 'x',
        raw: JSON.stringify({ DEVICE, DETAIL }),
      },
    ]
    await journal.append({ kind: 'batch', at: now(), events: events.map(toTuple), quarantined })
    await stored(store, journal)
  }
  return { folder, journal, store, filled }
}

test('[RET-01] after the erasure of a device no file of journal and event store holds its address, hash or payload', async () => {
  const { folder, journal, store, filled } = await opened('erasure', Date.now)
  await filled()
  expect(filesWith(folder, [ADDRESS, DETAIL, DEVICE]).length).toBeGreaterThan(0)
  const accepted = await store.journalEnd()
  while (!(await store.dropJournal(accepted))) await sleep(100)
  const erased = await store.erase({ kind: 'device', subject: DEVICE, scope: { apps: 'all' } })
  expect(erased).toEqual({ events: 3, quarantined: 1 })
  expect(filesWith(folder, [ADDRESS, DETAIL, DEVICE])).toEqual([])
  expect((await store.status()).rows).toBe(397)
  await store.close()
  await journal.close()
  expect(filesWith(folder, [ADDRESS, DETAIL, DEVICE])).toEqual([])
}, 60_000)

test('[RET-01] after the days for personal data no file of journal and event store holds a full address or payload', async () => {
  let clock = Date.now()
  const { folder, journal, store, filled } = await opened('retention', () => clock)
  await filled()
  await store.close() // writes the log into the file, as a quiet hour does
  clock += 31 * DAY
  const again = await openDuckStore({ folder: join(folder, 'events'), now: () => clock })
  again.follow(journalReader(journal))
  const { truncated, deleted } = await again.retain(clock - 184 * DAY, clock - 30 * DAY)
  expect({ truncated, deleted }).toEqual({ truncated: 400, deleted: 0 })
  for (const until = Date.now() + 10_000; filesWith(folder, [ADDRESS]).length > 0 && Date.now() < until; )
    await sleep(100)
  expect(filesWith(folder, [ADDRESS, DETAIL])).toEqual([])
  expect((await again.status()).rows).toBe(400)
  await again.close()
  await journal.close()
}, 60_000)
