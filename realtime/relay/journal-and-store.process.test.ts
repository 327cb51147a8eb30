import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { WallCounters } from '#contracts/live/messages.ts'
import { EVENT_FLAGS, type StoredEvent, toTuple } from '#contracts/telemetry/stored-event.ts'
import { OPTIONS } from '#runtime/start-process.ts'
import { startProgram } from '#server/programs.ts'
import { serveEventStore } from '#storage/events/serve/serve-event-store.ts'
import { journalReader } from '#storage/journal/journal-reader.ts'
import { openJournal } from '#storage/journal/open-journal.ts'
import { serveJournal } from '#storage/journal/serve-journal.ts'
import { hashKey, madeEvent } from '#tests/support/made-events.ts'
import {
  bareClient,
  isFrame,
  isSnapshot,
  isStream,
  type RelayBed,
  relayBed,
  STREAM,
  WALL,
} from '#tests/support/relay-bed.ts'

/** The relay with the real journal and the real flusher. */
let bed: RelayBed
beforeAll(async () => {
  bed = await relayBed()
}, 30_000)
afterAll(() => bed.close())

test("[OBS-01] a wall started at any moment converges to the store's numbers: seeds, pending decisions and journal agree", async () => {
  const journal = await openJournal(join(bed.folder, 'journal'), { maxBacklogBytes: 1e9 })
  const link = journalReader(journal)
  bed.store.follow(link)
  const first = await bed.relay({ reader: link })
  const second = await bed.relay({ reader: link })
  const clients = [await bareClient(first.url, await bed.ticket())]
  await clients[0]?.subscribe(WALL)

  const sent: StoredEvent[] = []
  const append = (events: StoredEvent[]) =>
    journal.append({ kind: 'batch', at: Date.now(), events: events.map(toTuple) })
  for (let round = 0; round < 24; round++) {
    const at = Date.now()
    const fresh = Array.from({ length: 20 }, (_, i) =>
      madeEvent({
        receivedAt: at,
        occurredAt: at,
        reportedAt: at,
        id: crypto.randomUUID(),
        device: hashKey(i),
        user: hashKey(100 + round),
        // Every third comes as pending: the store decides.
        flags: i % 3 ? 0 : EVENT_FLAGS.pending,
      }),
    )
    // Pending copies of what is stored already are duplicates and count nowhere.
    const again = sent.slice(0, 5).map((event) => ({ ...event, flags: EVENT_FLAGS.pending }))
    await append([...fresh, ...again])
    sent.push(...fresh)
    // Walls of both relays start in the middle, with other filters so that each is seeded separately.
    if (round % 6 === 3) {
      const client = await bareClient((round % 12 === 3 ? first : second).url, await bed.ticket())
      clients.push(client)
      await client.subscribe({
        kind: 'wall',
        filters: [{ field: 'risk', op: 'not', values: Array(1 + round).fill('hook') }],
      })
    }
    await delay(60)
  }
  const want = {
    attacksToday: sent.length,
    eventsToday: sent.length,
    attackedUsers: 24,
    onlineDevices: 20,
    levels: { high: sent.length },
  }
  for (const client of clients)
    await client.until((m) => isFrame(m) && m.counters.attacksToday >= sent.length && m.counters.onlineDevices === 20)
  await delay(500)
  for (const client of clients) {
    const counted = client.heard.filter((m) => isFrame(m) || isSnapshot(m)).at(-1) as { counters: WallCounters }
    expect(counted.counters).toMatchObject(want)
  }
  expect((await bed.store.status()).rows).toBe(sent.length)
  for (const { socket } of clients) socket.disconnect()
  await first.close()
  await second.close()

  // The relay as a separate program, over the sockets of journal and store.
  const paths = { journalSocket: join(bed.folder, 'j.sock'), storeSocket: join(bed.folder, 's.sock') }
  const served = [await serveJournal(journal, paths.journalSocket), await serveEventStore(bed.store, paths.storeSocket)]
  const options = {
    ...paths,
    journalFolder: journal.folder,
    database: bed.address,
    listen: { host: '127.0.0.1', port: 0 },
  }
  const program = startProgram('relay-process', [], {
    env: { ...process.env, [OPTIONS]: JSON.stringify(options) },
  })
  try {
    const port = await new Promise<number>((resolve, reject) => {
      program.on('message', (message: { port: number }) => resolve(message.port))
      program.on('exit', (code) => reject(new Error(`the relay ended with ${code}`)))
    })
    const client = await bareClient(`http://127.0.0.1:${port}`, await bed.ticket())
    await client.subscribe(WALL)
    expect((await client.wait(isSnapshot)).counters).toMatchObject(want)
    await append([madeEvent({ receivedAt: Date.now(), id: crypto.randomUUID() })])
    await client.until((m) => isFrame(m) && m.counters.attacksToday === sent.length + 1)
    const health = (await (await fetch(`http://127.0.0.1:${port}/healthz`)).json()) as { relay: { clients: number } }
    expect(health.relay.clients).toBe(1)
    program.removeAllListeners('exit')
    program.kill('SIGTERM')
    await client.disconnected
  } finally {
    program.kill('SIGKILL')
    for (const one of served) await one.close()
    await journal.close()
  }
}, 40_000)

test('[RT-01] a client that stops reading is skipped and gets a snapshot when it reads again', async () => {
  const { url, relay, journal } = await bed.relay()
  const [slow, quick] = [await bareClient(url, await bed.ticket()), await bareClient(url, await bed.ticket())]
  for (const client of [slow, quick]) {
    await client.subscribe(STREAM)
    await client.wait(isStream)
  }
  // The machine behind the socket stops reading; what the kernels hold fills up with rows of the longest texts there are.
  const transport = (slow.socket.io.engine.transport as unknown as { ws: { pause(): void; resume(): void } }).ws
  transport.pause()
  const wide = { version: '版'.repeat(256), model: '机'.repeat(256), os: '系'.repeat(256), channel: '渠'.repeat(256) }
  let last = ''
  for (let i = 0; i < 100 && relay.status().fellBehind === 0; i++) {
    const batch = Array.from({ length: 200 }, () => madeEvent({ receivedAt: Date.now(), ...wide }))
    last = batch.at(-1)?.id ?? ''
    journal.appendEvents(batch, Date.now())
    await delay(100)
  }
  expect(relay.status().fellBehind).toBe(1)
  await quick.until((m) => isStream(m) && m.rows[0]?.id === last)
  transport.resume()
  const again = await slow.until((m) => isStream(m) && m.rows[0]?.id === last)
  expect(again).toMatchObject({ positions: [{ from: journal.durable(), to: journal.durable() }] })
  for (const { socket } of [slow, quick]) socket.disconnect()
}, 30_000)
