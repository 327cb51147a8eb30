import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { ProductError } from '#contracts/errors.ts'
import { ENROLLED_HEADERS } from '#contracts/telemetry/wire.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { recentCache } from '../read/recent-cache.ts'
import type { IngestKey, IngestKeys } from './ingest-keys.ts'
import { type Bucket, bucketsByKey, waitFor } from './rates.ts'
import { type SequenceWindow, sequenceWindow } from './sequence-window.ts'

/** Part of the derivation of device keys: incrementing it would make every device enrol again. */
const EPOCH = 1
const TSTAMP_SECONDS = 600
/** Wrong signatures of one install from one network; a stranger in another network cannot use them up. */
const FAILED_SIGNATURES = { burst: 20, perSecond: 1 }
/** Database look-ups for installs that are not in memory, of one network: a /24 of phones after a restart. */
const LOOKUPS = { burst: 500, perSecond: 100 }
const NONCE = /^[A-Za-z0-9_-]{22}$/
const MAC = /^[A-Za-z0-9_-]{43}$/
const INSTALL = /^[A-Za-z0-9_-]{16,64}$/

type Install = {
  id: string
  keyId: string
  app: number
  /** Keyed hash of the device that enrolled. */
  device: string
  key: Buffer
  /** Generation of the ingest keys when the row was read. */
  generation: number
  window: SequenceWindow
  /** Batches and policy fetches have separate rates. */
  buckets: Record<RequestKind, Bucket>
}
export type RequestKind = 'batches' | 'fetches'
export type DeviceRate = { device_batch_seconds: number; device_burst: number }

/** A device's request with valid headers whose body is not verified yet. */
export type DeviceRequest = {
  install: Install
  ingestKey: IngestKey
  /** Where it comes from, as networkOf writes it. */
  network: string
  kind: RequestKind
  tstamp: number
  sequence: number
  nonce: string
  mac: Buffer
}

export function deviceKey(master: Buffer, app: number, install: string): Buffer {
  return createHmac('sha256', master).update(`${app}|${install}|${EPOCH}`).digest()
}

/** What an enrolled device signs. `target` is path and query as sent. */
export function signDeviceRequest(
  key: Buffer,
  request: { method: string; target: string; tstamp: number; nonce: string; body: Buffer },
): Buffer {
  const { method, target, tstamp, nonce, body } = request
  const digest = createHash('sha256').update(body).digest('base64url')
  return createHmac('sha256', key).update(`AW2\n${method}\n${target}\n${tstamp}\n${nonce}\n${digest}`).digest()
}

export function openInstalls(deps: {
  meta: MetaStore
  keys: IngestKeys
  master: Buffer
  now(): number
  remembered?: number
}) {
  const { meta, keys, master, now } = deps
  const cache = recentCache<Install>(deps.remembered ?? 50_000)
  const unknown = recentCache<number>(10_000)
  const failures = bucketsByKey(now, FAILED_SIGNATURES)
  const lookups = bucketsByKey(now, LOOKUPS)

  /** Throws request.rate where the network asked for too many unknown ids. */
  async function find(id: string, network: string): Promise<Install | undefined> {
    const known = cache.get(id)
    if (known && known.generation === keys.generation()) return known
    // Guessed ids must not cause one query each.
    if (unknown.get(id) === keys.generation()) return undefined
    const wait = lookups.take(network)
    if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
    const generation = keys.generation()
    const row = await meta.db
      .selectFrom('installs')
      .select(['id', 'ingest_key_id', 'application_id', 'device', 'revoked_at'])
      .where('id', '=', id)
      .executeTakeFirst()
    if (!row || row.revoked_at !== null) {
      unknown.set(id, generation)
      return undefined
    }
    const other = cache.get(id)
    const install: Install = other ?? {
      id,
      keyId: row.ingest_key_id,
      app: row.application_id,
      device: row.device,
      key: deviceKey(master, row.application_id, id),
      generation,
      window: sequenceWindow(),
      buckets: {
        batches: { tokens: Number.MAX_SAFE_INTEGER, at: now() },
        fetches: { tokens: Number.MAX_SAFE_INTEGER, at: now() },
      },
    }
    install.generation = generation
    cache.set(id, install)
    return install
  }
  function rateOf(rate: DeviceRate): { perSecond: number; burst: number } {
    return { perSecond: 1 / rate.device_batch_seconds, burst: rate.device_burst }
  }

  return {
    /** Checks the headers, before the body is read. Throws ProductError collect.key, .signature, .time, request.rate. */
    async begin(
      headers: IncomingHttpHeaders,
      rate: DeviceRate,
      network: string,
      kind: RequestKind = 'batches',
    ): Promise<DeviceRequest> {
      const [id, sequenceText, tstampText, signature] = [
        headers[ENROLLED_HEADERS.install],
        headers[ENROLLED_HEADERS.sequence],
        headers[ENROLLED_HEADERS.tstamp],
        headers[ENROLLED_HEADERS.signature],
      ].map((value) => (typeof value === 'string' ? value : ''))
      const [version, nonce = '', mac = ''] = (signature as string).split('.')
      if (!INSTALL.test(id as string)) throw new ProductError('collect.key')
      if (version !== '2' || !NONCE.test(nonce) || !MAC.test(mac) || !/^\d{1,15}$/.test(sequenceText as string))
        throw new ProductError('collect.signature')
      const tstamp = /^\d{1,12}$/.test(tstampText as string) ? Number(tstampText) : Number.NaN
      if (!(Math.abs(now() / 1000 - tstamp) <= TSTAMP_SECONDS)) throw new ProductError('collect.time')
      const blocked = failures.wait(`${id} ${network}`)
      if (blocked > 0) throw new ProductError('request.rate', {}, { retry_after: blocked })
      const install = await find(id as string, network)
      const ingestKey = install && keys.byId(install.keyId)
      if (!install || !ingestKey) throw new ProductError('collect.key')
      const wait = waitFor(install.buckets[kind], rateOf(rate), 1, now())
      if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
      const sequence = Number(sequenceText)
      return { install, ingestKey, network, kind, tstamp, sequence, nonce, mac: Buffer.from(mac, 'base64url') }
    },
    /**
     * Verifies the signature over the body as sent, then consumes sequence number and rate: only the key's owner can use them up.
     * Throws collect.signature or collect.replay.
     */
    finish(request: DeviceRequest, http: { method: string; target: string; body: Buffer }): void {
      const { install, network, kind, tstamp, nonce, mac, sequence } = request
      const expected = signDeviceRequest(install.key, { ...http, tstamp, nonce })
      if (mac.length !== expected.length || !timingSafeEqual(mac, expected)) {
        failures.take(`${install.id} ${network}`)
        throw new ProductError('collect.signature')
      }
      if (!install.window.take(sequence, nonce, now())) throw new ProductError('collect.replay')
      install.buckets[kind].tokens -= 1
    },
    /** Stores a new install; its device key is derived, never stored. */
    async create(install: { id: string; keyId: string; app: number; device: string }): Promise<Buffer> {
      await meta.db
        .insertInto('installs')
        .values({
          id: install.id,
          ingest_key_id: install.keyId,
          application_id: install.app,
          device: install.device,
          created_at: now(),
          revoked_at: null,
        })
        .execute()
      return deviceKey(master, install.app, install.id)
    },
  }
}
export type Installs = ReturnType<typeof openInstalls>
