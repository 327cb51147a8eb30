import { randomBytes, randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { EVENT_FLAGS } from '#contracts/telemetry/stored-event.ts'
import { signDeviceRequest } from '#realtime/collect/enrol/installs.ts'
import { collectorBed, type Headers, MINUTE } from '#tests/support/collector-bed.ts'
import { enrolment as provenEnrolment } from '#tests/support/collector-enrolment.ts'

const { bed, attack, post, numbers, expectRefused } = collectorBed()

describe('[OBS-01] an enrolled device', () => {
  const enrolment = (keyText: string, device: string, at = bed.clock) => provenEnrolment(keyText, device, at)
  const enrol = (payload: unknown) => post(payload, { authorization: '' }, bed.collector, '/collect/v1/enrol')
  let sequence = 0
  function signed(
    install: string,
    deviceKeyText: string,
    payload: Buffer,
    change: { tstamp?: number; sequence?: number } = {},
  ) {
    const tstamp = change.tstamp ?? Math.floor(bed.clock / 1000)
    const nonce = randomBytes(16).toString('base64url')
    const mac = signDeviceRequest(Buffer.from(deviceKeyText, 'base64url'), {
      method: 'POST',
      target: '/collect/v1/events',
      tstamp,
      nonce,
      body: payload,
    })
    return {
      'content-type': 'application/json',
      'x-aw-install': install,
      'x-aw-seq': String(change.sequence ?? ++sequence),
      'x-aw-tstamp': String(tstamp),
      'x-aw-signature': `2.${nonce}.${mac.toString('base64url')}`,
    }
  }
  async function send(payload: Buffer, headers: Headers) {
    const answer = await bed.collector.app.inject({
      method: 'POST',
      url: '/collect/v1/events',
      headers,
      payload,
      remoteAddress: '202.96.128.86',
    })
    return { status: answer.statusCode, headers: answer.headers, body: answer.json() }
  }

  test('enrols with a proof, once a proof, and a bounded number an hour and network', async () => {
    const { text } = await bed.database.makeKey(bed.appId, 'enrolment')
    const request = enrolment(text, 'phone-1')
    const { enrolled, refused: earlier } = structuredClone(bed.collector.ingest.status())
    const answer = await enrol(request)
    expect(answer.status).toBe(201)
    expect(Buffer.from(answer.body.device_key, 'base64url')).toHaveLength(32)
    expect(
      await bed.database.meta.db.selectFrom('installs').selectAll().where('id', '=', answer.body.install).execute(),
    ).toMatchObject([{ application_id: bed.appId, revoked_at: null }])
    const before = numbers()
    await expectRefused(await enrol(request), 'collect.replay', before)
    const status = bed.collector.ingest.status()
    expect([status.enrolled - enrolled, status.refused['collect.replay']]).toEqual([
      1,
      (earlier['collect.replay'] ?? 0) + 1,
    ])
    await expectRefused(await enrol({ ...request, device_id: 'phone-2' }), 'collect.proof', before)
    await expectRefused(await enrol(enrolment(text, 'phone-1', bed.clock - 11 * MINUTE)), 'collect.proof', before)
    await expectRefused(await enrol(enrolment(bed.key, 'phone-1')), 'collect.key', before)
    await expectRefused(await enrol({ enrolment_key: text }), 'collect.unreadable', before)
    await expectRefused(await enrol([]), 'collect.unreadable', before)
    bed.collector.settings.enrolments_per_hour = 1
    bed.clock += 60 * MINUTE
    expect((await enrol(enrolment(text, 'phone-3'))).status).toBe(201)
    const refused = await enrol(enrolment(text, 'phone-4'))
    await expectRefused(refused, 'request.rate', before)
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0)
    bed.collector.settings.enrolments_per_hour = 20
  }, 30_000)

  test('a device signs its batches; invalid, late, repeated or too fast ones are refused', async () => {
    const { text, id: keyId } = await bed.database.makeKey(bed.appId, 'enrolment')
    const { install, device_key } = (await enrol(enrolment(text, 'phone-9'))).body
    const body = () => Buffer.from(JSON.stringify([attack({ device_id: 'phone-9' })]))
    const payload = body()
    const headers = signed(install, device_key, payload, { sequence: 100 })
    expect((await send(payload, headers)).body).toMatchObject({ accepted: 1 })
    expect(bed.collector.events.at(-1)).toMatchObject({ flags: 0, province: 440000, city: 440100, site: 1 })

    const before = numbers()
    await expectRefused(await send(payload, headers), 'collect.replay', before)
    await expectRefused(await send(payload, { ...headers, 'x-aw-seq': '101' }), 'collect.replay', before)
    await expectRefused(
      await send(payload, signed(install, device_key, payload, { sequence: 100 })),
      'collect.replay',
      before,
    )
    await expectRefused(
      await send(payload, signed(install, device_key, payload, { sequence: 30 })),
      'collect.replay',
      before,
    )
    await expectRefused(await send(body(), headers), 'collect.signature', before)
    await expectRefused(await send(payload, { ...headers, 'x-aw-signature': '2.a.b' }), 'collect.signature', before)
    await expectRefused(await send(payload, { ...headers, 'x-aw-install': randomUUID() }), 'collect.key', before)
    for (const off of [-601, 601]) {
      const tstamp = Math.floor(bed.clock / 1000) + off
      await expectRefused(
        await send(payload, signed(install, device_key, payload, { tstamp, sequence: 102 })),
        'collect.time',
        before,
      )
    }
    await expectRefused(await send(payload, { 'content-type': 'application/json' }), 'collect.key', before)

    for (let n = 0; n < 4; n++) {
      const more = body()
      expect((await send(more, signed(install, device_key, more, { sequence: 110 - n }))).status).toBe(202)
    }
    const fast = body()
    const now = numbers()
    const tooFast = await send(fast, signed(install, device_key, fast, { sequence: 120 }))
    await expectRefused(tooFast, 'request.rate', now)
    expect(tooFast.headers['retry-after']).toBe('10')
    bed.clock += 10_000
    expect((await send(fast, signed(install, device_key, fast, { sequence: 120 }))).status).toBe(202)

    await bed.database.meta.db.updateTable('ingest_keys').set({ revoked_at: 1 }).where('id', '=', keyId).execute()
    await bed.database.meta.notify('aw_changed', { what: 'ingest_keys' })
    bed.clock += MINUTE
    await expect
      .poll(async () => (await send(body(), signed(install, device_key, body()))).body.key)
      .toBe('collect.key')
  }, 30_000)

  test("a device's clock is corrected and its declared address is ignored", async () => {
    const { text } = await bed.database.makeKey(bed.appId, 'enrolment')
    const { install, device_key } = (await enrol(enrolment(text, 'phone-7'))).body
    const post = async (event: Record<string, unknown>, change: { tstamp?: number } = {}) => {
      bed.clock += MINUTE
      const payload = Buffer.from(JSON.stringify([{ ...event, reported_at: bed.clock }]))
      return send(payload, signed(install, device_key, payload, change))
    }
    const behind = bed.clock + MINUTE - 300_000
    await post(attack({ device_id: 'phone-7', occurred_at: behind - 1000 }), { tstamp: behind / 1000 })
    expect(bed.collector.events.at(-1)).toMatchObject({ occurredAt: bed.clock - 1000, flags: EVENT_FLAGS.corrected })

    const place = { country: 'CN', province: '西藏', city: '拉萨' }
    await post(attack({ device_id: 'phone-7', place, client_ip: '8.8.8.8' }))
    expect(bed.collector.events.at(-1)).toMatchObject({ address: '202.96.128.86', province: 440000, placeSource: 2 })
    await post(attack({ device_id: 'phone-7', place, consent: { location: true } }))
    expect(bed.collector.events.at(-1)).toMatchObject({ province: 540000, city: 540100, placeSource: 1 })
    expect((await post(attack({ device_id: 'phone-8' }))).body).toMatchObject({ quarantined: 1 })
    expect(bed.collector.quarantined.at(-1)).toMatchObject({ reason: 'implausible' })
  }, 30_000)
})
