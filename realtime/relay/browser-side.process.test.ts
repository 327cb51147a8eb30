import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Filter } from '#domain/query.ts'
import { contradictions } from '#src/shared/live/known-totals.ts'
import { createLiveConnection, type LiveConnection } from '#src/shared/live/live-connection.ts'
import { createStreamFeed } from '#src/shared/live/stream-feed.ts'
import { createWallFeed } from '#src/shared/live/wall-feed.ts'
import type { WallSource } from '#src/shared/live/wall-view.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import { hashKey, madeEvent, memoryJournal } from '#tests/support/made-events.ts'
import { type RelayBed, relayBed } from '#tests/support/relay-bed.ts'

/** The browser's live library against a real relay. */
let bed: RelayBed
beforeAll(async () => {
  bed = await relayBed()
}, 30_000)
afterAll(() => bed.close())

const onlyApp = (app: number): Filter[] => [{ field: 'app', op: 'is', values: [String(app)] }]
const nowEvent = (app: number) => madeEvent({ app, receivedAt: Date.now(), device: hashKey(app) })
async function eventually(check: () => void, milliseconds = 8000): Promise<void> {
  for (const end = Date.now() + milliseconds; ; await delay(30)) {
    try {
      return check()
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}
function opened(connection: LiveConnection, app: number): WallSource {
  const feed = createWallFeed(connection, onlyApp(app))
  feed.open()
  return feed
}

describe('[OBS-01] the browser side of a wall', () => {
  test('one connection, several views of one topic, one subscription on the server', async () => {
    const { url, journal, relay } = await bed.relay()
    const connection = createLiveConnection({ url, getTicket: () => bed.ticket() })
    const [one, two] = [opened(connection, 31), opened(connection, 31)]
    const drawn: string[] = []
    one.onArcs((arcs) => drawn.push(...arcs.map((arc) => arc[0])))
    await eventually(() => expect([one.view().ready, two.view().ready]).toEqual([true, true]))
    expect(connection.state.getState()).toMatchObject({ state: 'live', missed: null, status: { demo: false } })
    const events = [nowEvent(31), nowEvent(31)]
    journal.appendEvents(events, Date.now())
    await eventually(() => {
      for (const feed of [one, two]) expect(feed.view().counters.attacksToday).toBe(2)
    })
    expect(drawn.sort()).toEqual(events.map((e) => e.id).sort())
    const view = one.view()
    expect(view.hour).toHaveLength(60)
    expect(view.day).toHaveLength(144)
    // A minute may begin between sending the events and checking them.
    expect(view.hour.slice(-2).reduce((sum, bar) => sum + bar[2], 0)).toBe(2)
    expect(view.day.reduce((sum, bar) => sum + bar[2], 0)).toBe(2)
    expect(view.drawn).toEqual({ n: 2, of: 2 })
    expect(view.totals).toEqual({ kind: 'whole' })
    expect(contradictions(view)).toEqual([])
    expect(view.feed.map((row) => row.id)).toEqual(events.map((e) => e.id).reverse())
    expect(one.liveArcs()).toHaveLength(2)
    expect(relay.status()).toMatchObject({ clients: 1, topics: 1 })
    expect(connection.state.getState().dataAge).toBeLessThan(3000)
    one.close()
    await delay(100)
    expect(relay.status().topics).toBe(1)
    two.close()
    await eventually(() => expect(relay.status().topics).toBe(0))
    connection.close()
  })

  test('after a reconnect the browser uses a fresh ticket, shows complete numbers and reports what was missed', async () => {
    const journal = memoryJournal('j-lost')
    const first = await bed.relay({ reader: journal })
    let url = first.url
    let tickets = 0
    const connection = createLiveConnection({
      get url() {
        return url
      },
      getTicket: () => {
        tickets++
        return bed.ticket()
      },
    })
    const feed = opened(connection, 32)
    journal.appendEvents([nowEvent(32)], Date.now())
    await eventually(() => expect(feed.view().counters.attacksToday).toBe(1))
    await first.close()
    journal.appendEvents([nowEvent(32), nowEvent(32)], Date.now())
    await eventually(() => expect(connection.state.getState().state).toBe('connecting'))
    const second = await bed.relay({ reader: journal })
    url = second.url
    await eventually(() => expect(feed.view().counters.attacksToday).toBe(3))
    expect(tickets).toBeGreaterThan(1)
    expect(feed.view().missed).toMatchObject({ attacks: 2 })
    expect(connection.state.getState().missed).toEqual(feed.view().missed)
    feed.close()
    connection.close()
  }, 15_000)

  test('a revoked connection stops with its reason; after a changed scope it reconnects', async () => {
    const { url } = await bed.relay()
    const connection = createLiveConnection({ url, getTicket: () => bed.ticket({ id: 'gone' }) })
    const feed = opened(connection, 33)
    await eventually(() => expect(feed.view().ready).toBe(true))
    await bed.meta.notify(CHANNELS.revoked, { kind: 'session', id: 'gone', reason: 'scope_changed' })
    await eventually(() => expect(connection.state.getState().state).toBe('connecting'))
    await eventually(() => expect(connection.state.getState().state).toBe('live'))
    await bed.meta.notify(CHANNELS.revoked, { kind: 'session', id: 'gone', reason: 'replaced' })
    await eventually(() => expect(connection.state.getState()).toMatchObject({ state: 'revoked', reason: 'replaced' }))
    connection.reconnect()
    await eventually(() => expect(connection.state.getState()).toMatchObject({ state: 'live', reason: null }))
    connection.close()
  })

  test('a display token that no longer gets tickets is revoked; other refusals are retried', async () => {
    let answer: () => Promise<string> = () => Promise.reject(new Error('offline'))
    const { url } = await bed.relay()
    const connection = createLiveConnection({ url, getTicket: () => answer() })
    await delay(50)
    expect(connection.state.getState().state).toBe('connecting')
    answer = () => Promise.reject(Object.assign(new Error('revoked'), { code: 500502 }))
    await eventually(() =>
      expect(connection.state.getState()).toMatchObject({ state: 'revoked', reason: 'token_revoked' }),
    )
    connection.close()
  })
})

test('[RT-01] a paused stream counts new events and resumes', async () => {
  const { url, journal } = await bed.relay()
  const connection = createLiveConnection({ url, getTicket: () => bed.ticket() })
  const stream = createStreamFeed(connection, onlyApp(34))
  stream.open()
  await eventually(() => expect(stream.view().ready).toBe(true))
  journal.appendEvents([nowEvent(34)], Date.now())
  await eventually(() => expect(stream.view()).toMatchObject({ counted: 1, listed: 1 }))
  stream.pause()
  const events = Array.from({ length: 300 }, () => nowEvent(34))
  journal.appendEvents(events, Date.now())
  await eventually(() =>
    expect(stream.view().paused).toMatchObject({ counted: 300, counts: { high: 200 }, overflow: false }),
  )
  expect(stream.view().rows).toHaveLength(1)
  stream.resume()
  expect(stream.view().rows).toHaveLength(201)
  expect(stream.view().rows[0]?.id).toBe(events.at(-1)?.id)
  expect(stream.view()).toMatchObject({ counted: 301, listed: 201, paused: null })
  stream.close()
  connection.close()
})
