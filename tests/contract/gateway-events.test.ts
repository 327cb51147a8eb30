import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { RISK_TYPES } from '#domain/vocabulary.ts'
import { SESSION_HTTP } from '#engines/session/http-body.ts'
import { hashOf, newSecretText } from '#server/http/session-keys.ts'
import { type Collector, openCollector } from '#tests/support/collector.ts'
import { type GatewayBed, GatewayClient, gatewayBed } from '#tests/support/gateway-bed.ts'
import { waitFor } from '#tests/support/running-server.ts'

/** Refusals of a gateway as events of a real collector. */
let bed: GatewayBed
let collector: Collector
let origin: string
let ingestKey: string
beforeAll(async () => {
  bed = await gatewayBed()
  ingestKey = newSecretText('aw_sk_')
  await bed.meta.db
    .insertInto('ingest_keys')
    .values({
      ...{ id: crypto.randomUUID(), application_id: bed.application, kind: 'server', name: 'gateway' },
      ...{ hint: ingestKey.slice(0, 10), hash: hashOf(ingestKey), text: null, scopes: ['events'] },
      ...{ created_at: 0, last_used_at: null, revoked_at: null },
    })
    .execute()
  collector = await openCollector({ meta: bed.meta, folder: join(bed.folder, 'journal'), now: bed.now })
  await collector.ingest.ready
  origin = await collector.app.listen({ host: '127.0.0.1', port: 0 })
}, 60_000)
afterAll(async () => {
  await collector?.close()
  await bed?.close()
})

const PROXY = '127.0.0.1'

test('[COMM-01] changed, replayed and unknown-key messages become risk events of the application, with the address of the client', async () => {
  const before = collector.events.length
  const gateway = await bed.gateway({
    trustProxy: [PROXY],
    events: { url: origin, ingestKeys: new Map([[bed.application, ingestKey]]) },
  })
  const client = new GatewayClient(gateway.url, bed.now)
  expect(await client.connect(bed.key, 'android/9.4.0')).toBe(200)
  const from = { 'x-forwarded-for': '203.0.113.77' }
  const { message } = client.seal('/a', 'x')
  await client.post('/a', message, from)
  await client.post('/a', message, from)
  const changed = client.seal('/a', 'x').message
  changed[60] = (changed[60] as number) ^ 1
  await client.post('/a', changed, from)
  await client.post(SESSION_HTTP.handshakePath, client.hello({ ...bed.key, kid: 999_999 }).hello, from)
  // A wrong clock is no attack.
  await client.post('/a', client.seal('/a', 'x', { time: 1000 }).message, from)
  // An event is in the collector before its answer is with the gateway, which counts it then.
  await waitFor(() => (gateway.status().events?.sent ?? 0) >= 3, 10_000, 'the answers of the collector')
  const added = collector.events.slice(before)
  const events = added.map((one) => ({ app: one.app, risk: one.risk, extra: JSON.parse(one.extra ?? '{}') }))
  const of = (risk: keyof typeof RISK_TYPES, reason: string, key?: number) => ({
    app: bed.application,
    risk: RISK_TYPES[risk].code,
    extra: { detail: { kind: `gateway.${reason}`, reason, ...(key !== undefined && { key }) } },
  })
  expect(events).toMatchObject([
    of('mitm', 'replayed', bed.key.kid),
    of('integrity', 'tag', bed.key.kid),
    of('custom', 'key_unknown'),
  ])
  for (const one of added) expect(one.address).toBe('203.0.113.77')
  expect(collector.quarantined).toEqual([])
  expect(gateway.status().events).toEqual({ sent: 3, dropped: 0, failed: 0 })
})

test('a refusal that names no application is reported for none where keys of several are given', async () => {
  const before = collector.events.length
  const gateway = await bed.gateway({
    events: {
      url: origin,
      ingestKeys: new Map([
        [bed.application, ingestKey],
        [bed.application + 1, ingestKey],
      ]),
    },
  })
  const client = new GatewayClient(gateway.url, bed.now)
  await client.post(SESSION_HTTP.handshakePath, client.hello({ ...bed.key, kid: 999_999 }).hello)
  expect(await client.connect(bed.key)).toBe(200)
  const { message } = client.seal('/a', 'x')
  await client.post('/a', message)
  await client.post('/a', message)
  await gateway.close()
  expect(gateway.status().events).toEqual({ sent: 1, dropped: 0, failed: 0 })
  await waitFor(() => collector.events.length > before, 10_000, 'the event')
  const added = collector.events.slice(before).map(({ app, risk }) => ({ app, risk }))
  expect(added).toEqual([{ app: bed.application, risk: RISK_TYPES.mitm.code }])
})

test('one address floods the collector with ten events at most, and a collector that is away costs no request', async () => {
  const gateway = await bed.gateway({
    events: { url: 'http://127.0.0.1:1', ingestKeys: new Map([[bed.application, ingestKey]]) },
  })
  const client = new GatewayClient(gateway.url, bed.now)
  expect(await client.connect(bed.key)).toBe(200)
  const { message } = client.seal('/a', 'x')
  await client.post('/a', message)
  for (let at = 0; at < 30; at++) expect((await client.post('/a', message)).status).toBe(400)
  expect(gateway.status().events?.dropped).toBe(20)
  expect((await client.request('/a', 'x')).status).toBe(200)
  await gateway.close()
  expect(gateway.status().events?.sent).toBe(0)
})
