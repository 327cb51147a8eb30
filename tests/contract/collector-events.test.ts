import { createHmac } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { EVENT_FLAGS } from '#contracts/telemetry/stored-event.ts'
import { PEPPER } from '#tests/support/collector.ts'
import { collectorBed, DAY, MINUTE } from '#tests/support/collector-bed.ts'

const { bed, open, attack, post, numbers } = collectorBed()

describe('[OBS-01] an event through the collector', () => {
  test('is stored complete: codes, hashes, place, level, site', async () => {
    const event = attack({
      user_id: 'zhang',
      platform: 'android',
      app_version: '3.1',
      channel: 'huawei',
      os: '14',
      model: 'Mate 60',
      brand: 'HUAWEI',
      network: 'wifi',
      sdk_version: '1.2',
      package_name: 'cn.example',
      signer: 'AB'.repeat(32),
      session_id: 's"1',
      detail: { framework: 'frida' },
      x_own: 'dropped',
    })
    const answer = await post([event])
    expect(answer.body).toEqual({
      accepted: 1,
      pending: 0,
      duplicates: 0,
      quarantined: 0,
      rejected: [],
      server_time: bed.clock,
    })
    expect(answer.status).toBe(202)
    const hash = (text: string) => createHmac('sha256', PEPPER).update(text).digest('hex').slice(0, 32)
    expect(bed.collector.events.at(-1)).toEqual({
      id: event['event_id'],
      app: bed.appId,
      type: 2,
      risk: 2,
      level: 5,
      action: 4,
      platform: 1,
      occurredAt: bed.clock - 1000,
      receivedAt: bed.clock,
      reportedAt: bed.clock,
      device: hash('device-1'),
      user: hash('zhang'),
      version: '3.1',
      channel: 'huawei',
      os: '14',
      model: 'Mate 60',
      brand: 'HUAWEI',
      network: 'wifi',
      sdk: '1.2',
      country: 'CN',
      province: 320000,
      city: 320100,
      placeSource: 2,
      placePrecision: 3,
      lon: expect.closeTo(118.8, 0),
      lat: expect.closeTo(32, 0),
      site: 1,
      flags: EVENT_FLAGS.trusted,
      address: '114.114.114.114',
      extra: JSON.stringify({
        package_name: 'cn.example',
        signer: 'ab'.repeat(32),
        session_id: 's"1',
        detail: { framework: 'frida' },
      }),
      group: '',
    })
  })

  test('a minimal event without times and place is pending, since memory cannot decide it', async () => {
    const answer = await post([{ event_id: 'order.1', type: 'start', device_id: 'd', client_ip: '10.0.0.1' }])
    expect(answer.body).toMatchObject({ accepted: 0, pending: 1 })
    const event = bed.collector.events.at(-1)
    expect(event).toMatchObject({
      occurredAt: bed.clock,
      receivedAt: bed.clock,
      reportedAt: null,
      country: '',
      lon: null,
      lat: null,
      placeSource: 0,
      flags: EVENT_FLAGS.trusted | EVENT_FLAGS.pending,
      extra: '{"id":"order.1"}',
    })
    expect(event?.id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  test('three body formats, gzip or not, give the same result', async () => {
    const batches = [0, 1, 2, 3].map(() => [attack(), attack()])
    const ndjson = `${batches[2]?.map((event) => JSON.stringify(event)).join('\n')}\n\n`
    expect((await post(batches[0])).body.accepted).toBe(2)
    expect((await post({ events: batches[1] })).body.accepted).toBe(2)
    expect((await post(ndjson, { 'content-type': 'application/x-ndjson' })).body.accepted).toBe(2)
    const zipped = gzipSync(JSON.stringify(batches[3]))
    expect((await post(zipped, { 'content-encoding': 'gzip' })).body.accepted).toBe(2)
    expect((await post([])).body).toMatchObject({ accepted: 0, rejected: [] })
  })

  test('a forwarded address counts only behind a trusted proxy', async () => {
    await post([attack()], { 'x-forwarded-for': '8.8.8.8' })
    expect(bed.collector.events.at(-1)).toMatchObject({ address: '114.114.114.114', country: 'CN' })
    const answer = await bed.collector.app.inject({
      method: 'POST',
      url: '/collect/v1/events',
      headers: {
        authorization: `Bearer ${bed.key}`,
        'content-type': 'application/json',
        'x-forwarded-for': '1.2.3.4, 8.8.8.8',
      },
      payload: JSON.stringify([attack()]),
      remoteAddress: '127.0.0.1',
    })
    expect(answer.statusCode).toBe(202)
    expect(bed.collector.events.at(-1)).toMatchObject({ address: '8.8.8.8', country: 'US', placePrecision: 1 })
  })

  test('each request writes one log line, refused ones too', async () => {
    const before = bed.collector.log.length
    await post([attack()])
    await post('{', { authorization: 'Bearer nonsense' })
    expect(bed.collector.log.slice(before)).toMatchObject([
      { applicationId: bed.appId, address: '114.114.114.114', status: 202, path: '/collect/v1/events' },
      { applicationId: null, status: 401 },
    ])
    expect(bed.collector.log.at(-2)?.size).toBeGreaterThan(100)
  })
})

describe('[OBS-01] a replay changes no number', () => {
  test('the same batch again, in one batch twice, and after a restart', async () => {
    const batch = [
      attack(),
      attack({ reported_at: undefined }),
      attack({ occurred_at: bed.clock - 8 * DAY }),
      attack({ event_id: 'text-1' }),
    ]
    const first = await post([...batch, batch[0]])
    expect(first.body).toMatchObject({ accepted: 2, pending: 1, quarantined: 1, duplicates: 1 })
    const before = numbers()
    expect((await post(batch)).body).toMatchObject({ accepted: 0, pending: 0, quarantined: 0, duplicates: 4 })
    expect(numbers()).toEqual(before)

    await bed.collector.close()
    bed.collector = await open('journal')
    await bed.collector.ingest.ready
    const durable = bed.collector.journal.durable()
    expect((await post(batch)).body).toMatchObject({ accepted: 0, pending: 0, quarantined: 0, duplicates: 4 })
    expect(bed.collector.journal.durable()).toBe(durable)
  })

  test('the same id with another reported_at is quarantined, once', async () => {
    const event = attack()
    const other = { ...event, reported_at: bed.clock - 5000 }
    await post([event])
    expect((await post([other])).body).toMatchObject({ quarantined: 1, duplicates: 0 })
    expect(bed.collector.quarantined.at(-1)).toMatchObject({ reason: 'id_conflict', eventId: event['event_id'] })
    const before = numbers()
    expect((await post([other, event])).body).toMatchObject({ quarantined: 0, duplicates: 2 })
    expect(numbers()).toEqual(before)
  })

  test('the same id in two applications is two events', async () => {
    const other = (await bed.database.makeKey(await bed.database.makeApp(), 'server')).text
    const event = attack()
    await post([event])
    expect((await post([event], { authorization: `Bearer ${other}` })).body).toMatchObject({ accepted: 1 })
    expect(bed.collector.events.at(-1)?.site).toBe(0)
  })

  test('events reported before the dedup window are pending, later ones are decided', async () => {
    const answer = await post([
      attack({ reported_at: bed.clock - 17 * MINUTE }),
      attack({ reported_at: bed.clock - 15 * MINUTE }),
    ])
    expect(answer.body).toMatchObject({ accepted: 1, pending: 1 })
  })
})

describe('[OBS-01] two times', () => {
  test('future times are clamped and flagged, old events are quarantined', async () => {
    await post([attack({ occurred_at: bed.clock + 6 * MINUTE }), attack({ occurred_at: bed.clock + 4 * MINUTE })])
    expect(bed.collector.events.slice(-2)).toMatchObject([
      { occurredAt: bed.clock, flags: EVENT_FLAGS.trusted | EVENT_FLAGS.corrected },
      { occurredAt: bed.clock + 4 * MINUTE, flags: EVENT_FLAGS.trusted },
    ])
    const answer = await post([
      attack({ occurred_at: bed.clock - 7 * DAY - 1, user_id: 'secret-user' }),
      attack({ occurred_at: bed.clock - 7 * DAY }),
    ])
    expect(answer.body).toMatchObject({ accepted: 1, quarantined: 1 })
    const last = bed.collector.quarantined.at(-1)
    expect(last).toMatchObject({ reason: 'too_old', receivedAt: bed.clock, app: bed.appId })
    expect(last?.raw).not.toMatch(/secret-user|device-1/)
  })

  test('event times in ISO 8601 with a zone are read', async () => {
    await post([attack({ occurred_at: new Date(bed.clock - 5000).toISOString() })])
    expect(bed.collector.events.at(-1)?.occurredAt).toBe(bed.clock - 5000)
    await post([attack({ occurred_at: '2026-11-21T14:00:00.500+08:00' })])
    expect(bed.collector.events.at(-1)?.occurredAt).toBe(Date.UTC(2026, 10, 21, 6, 0, 0, 500))
  })

  test('imported history is received when it occurred, limited to the retention and marked', async () => {
    const authorization = `Bearer ${(await bed.database.makeKey(bed.appId, 'server', ['import'])).text}`
    const answer = await post(
      [
        attack({ occurred_at: bed.clock - 100 * DAY }),
        attack({ occurred_at: bed.clock - 185 * DAY }),
        attack({ occurred_at: undefined }),
        attack({ occurred_at: bed.clock + 3 * MINUTE }),
      ],
      { authorization },
    )
    expect(answer.body).toMatchObject({ accepted: 2, quarantined: 1, rejected: [{ index: 2 }] })
    expect(bed.collector.quarantined.at(-1)?.reason).toBe('outside_retention')
    expect(bed.collector.events.slice(-2)).toMatchObject([
      {
        occurredAt: bed.clock - 100 * DAY,
        receivedAt: bed.clock - 100 * DAY,
        flags: EVENT_FLAGS.trusted | EVENT_FLAGS.imported,
      },
      { receivedAt: bed.clock },
    ])
    const both = `Bearer ${(await bed.database.makeKey(bed.appId, 'server', ['events', 'import'])).text}`
    await post([attack()], { authorization: both })
    expect(bed.collector.events.at(-1)?.flags).toBe(EVENT_FLAGS.trusted)
    await post([attack()], { authorization: both, 'x-aw-import': '1' })
    expect(bed.collector.events.at(-1)?.flags).toBe(EVENT_FLAGS.trusted | EVENT_FLAGS.imported)
  })

  test('fields that contradict each other are quarantined', async () => {
    expect((await post([attack({ type: 'start' })])).body).toMatchObject({ quarantined: 1 })
    expect(bed.collector.quarantined.at(-1)?.reason).toBe('implausible')
  })
})
