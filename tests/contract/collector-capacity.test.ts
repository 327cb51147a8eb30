import { describe, expect, test } from 'vitest'
import { ProductError } from '#contracts/errors.ts'
import { recentEntries } from '#realtime/collect/recent-entries.ts'
import type { PositionedEntry } from '#storage/journal/port.ts'
import { collectorBed, DAY } from '#tests/support/collector-bed.ts'

const { bed, open, attack, post, numbers } = collectorBed()

/** Journal entries that are readable only once the test allows it. */
async function* startedEntries(started: Promise<void>, since: number): AsyncGenerator<PositionedEntry> {
  await started
  yield* recentEntries(bed.collector.journal, since)
}

describe('[OBS-01] when the collector is at capacity', () => {
  test('ceilings of application and platform answer 429 with Retry-After', async () => {
    const before = numbers()
    bed.collector.settings.app_ceiling = 10
    expect((await post([attack(), attack()])).status).toBe(202)
    expect((await post(Array.from({ length: 40 }, () => attack()))).status).toBe(202)
    const answer = await post([attack()])
    expect([answer.status, answer.body.key, answer.headers['retry-after']]).toEqual([429, 'request.rate', '4'])
    bed.clock += 4000
    expect((await post([attack()])).status).toBe(202)
    bed.collector.settings.app_ceiling = 0
    expect(numbers().accepted).toBe(before.accepted + 43)
  })

  test('refuses until dedup is rebuilt, with a full backlog and with a full disk', async () => {
    let start = () => {}
    const started = new Promise<void>((resolve) => {
      start = resolve
    })
    const disk = { fails: false }
    const other = await open('full', {
      maxBacklogBytes: 2000,
      deps: { recent: (since) => startedEntries(started, since) },
    })
    const starting = await post([attack()], {}, other)
    expect([starting.status, starting.body.key, starting.headers['retry-after']]).toEqual([503, 'server.starting', '1'])
    start()
    await other.ingest.ready

    // Simulates a failing disk: an append that fails as the system would.
    const { append } = other.journal
    other.journal.append = (entry) => (disk.fails ? Promise.reject(new ProductError('collect.disk')) : append(entry))
    disk.fails = true
    const event = attack()
    const full = await post([event, event], {}, other)
    expect([full.status, full.body.key, full.headers['retry-after']]).toEqual([503, 'collect.disk', '5'])
    expect(numbers(other)).toMatchObject({ accepted: 0, durable: 0, events: 0 })
    disk.fails = false
    expect((await post([event], {}, other)).body).toMatchObject({ accepted: 1, duplicates: 0 })

    let last = full
    for (let n = 0; n < 20 && last.status !== 429; n++) last = await post([attack()], {}, other)
    expect([last.status, last.body.key]).toEqual([429, 'collect.busy'])
    expect(Number(last.headers['retry-after'])).toBeGreaterThan(0)
    const before = numbers(other)
    await post([attack()], {}, other)
    expect(numbers(other)).toMatchObject({ accepted: before.accepted, durable: before.durable })
    other.journal.release(other.journal.durable())
    expect((await post([attack()], {}, other)).status).toBe(202)
    await other.close()
  })

  test('a duplicate of a copy whose write fails is not acknowledged', async () => {
    const other = await open('failing')
    await other.ingest.ready
    let fail = () => {}
    const failing = new Promise<never>((_resolve, reject) => {
      fail = () => reject(new Error('I/O error'))
    })
    const { append } = other.journal
    other.journal.append = () => failing
    other.journal.barrier = () => failing
    const event = attack()
    const first = post([event], {}, other)
    await expect.poll(() => other.ingest.status().dedup.entries).toBe(1)
    other.journal.append = append
    const second = post([event, attack()], {}, other)
    await expect.poll(() => other.events.length).toBe(1)
    fail()
    expect((await first).body.key).toBe('collect.journal')
    expect((await second).body.key).toBe('collect.journal')
    expect((await post([event], {}, other)).body).toMatchObject({ accepted: 1 })
    await other.close()
  })

  test('status counts what was refused and why', async () => {
    const before = structuredClone(bed.collector.ingest.status())
    await post([], { authorization: 'Bearer nonsense' })
    await post([attack({ occurred_at: bed.clock - 8 * DAY })])
    const after = bed.collector.ingest.status()
    expect(after).toMatchObject({ ready: true, geo: 'ok', dedup: { window_seconds: 960 } })
    expect((after.refused['collect.key'] ?? 0) - (before.refused['collect.key'] ?? 0)).toBe(1)
    expect((after.quarantined.too_old ?? 0) - (before.quarantined.too_old ?? 0)).toBe(1)
  })
})
