import { createHash } from 'node:crypto'
import type { FastifyRequest } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import { POLICY_FETCHES, POLICY_SIGNATURE_HEADER } from '#contracts/telemetry/policy.ts'
import { networkOf } from '../enrol/client-address.ts'
import type { IngestKey, IngestKeys } from '../enrol/ingest-keys.ts'
import type { Installs } from '../enrol/installs.ts'
import { type Bucket, freshBucket, waitFor } from '../enrol/rates.ts'
import { textField } from '../read/event-fields.ts'
import { EventProblem } from '../read/event-problem.ts'
import { recentCache } from '../read/recent-cache.ts'
import { type PolicyCache, type PolicyChoice, policyDocument } from './policy-cache.ts'
import type { policyFetches } from './policy-fetches.ts'
import type { PolicySigner } from './policy-signer.ts'

export type PolicyAnswer = {
  app: number
  status: 200 | 304
  headers: Record<string, string>
  body: Buffer | undefined
}
type Written = { body: Buffer; etag: string; signature: string }

/** Fetches of a device: refilled through the minute, all of them at once if it likes. */
const DEVICE_RATE = { device_batch_seconds: 60 / POLICY_FETCHES, device_burst: POLICY_FETCHES }
const SERVER_KEY_RATE = { perSecond: 50, burst: 100 }
const EMPTY = Buffer.alloc(0)

/** Answers `GET /collect/v1/policy` (contracts/telemetry/policy.ts) out of memory. Throws ProductError. */
export function policyAnswerer(deps: {
  policies: PolicyCache
  signer: PolicySigner
  fetches: Pick<ReturnType<typeof policyFetches>, 'note'>
  installs: Installs
  keys: IngestKeys
  hash(text: string): string
  now(): number
  /** The client's address. */
  address(request: FastifyRequest): string
}): (request: FastifyRequest) => Promise<PolicyAnswer> {
  const { policies, signer, fetches, installs, keys, hash, now } = deps
  /** Documents of the current state of their application; another state has another object, so nothing old is found. */
  const written = new WeakMap<object, ReturnType<typeof recentCache<Written>>>()
  const buckets = new Map<string, Bucket>()

  function write(app: number, choice: PolicyChoice): Written {
    let ofApp = written.get(choice.app)
    if (!ofApp) {
      ofApp = recentCache<Written>(1000)
      written.set(choice.app, ofApp)
    }
    const key = `${app} ${choice.deployment?.id ?? ''} ${choice.verdict.verdict} ${choice.verdict.at}`
    const known = ofApp.get(key)
    if (known) return known
    const body = Buffer.from(JSON.stringify(policyDocument(app, choice)))
    const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`
    const made = { body, etag, signature: signer.sign(body) }
    ofApp.set(key, made)
    return made
  }

  async function serverKey(authorization: string): Promise<IngestKey> {
    const key = /^Bearer aw_sk_[A-Za-z0-9_-]{43}$/.test(authorization)
      ? await keys.byText(authorization.slice(7))
      : undefined
    if (key?.kind !== 'server') throw new ProductError('collect.key')
    const bucket = buckets.get(key.id) ?? freshBucket(SERVER_KEY_RATE.burst, now())
    buckets.set(key.id, bucket)
    const wait = waitFor(bucket, SERVER_KEY_RATE, 1, now())
    if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
    bucket.tokens -= 1
    return key
  }

  /** Who asks: an enrolled device for itself, or a server key for any device of its application. */
  async function subject(
    request: FastifyRequest,
    asked: { device: string },
  ): Promise<{ key: IngestKey; device: string; own: boolean }> {
    const { authorization } = request.headers
    if (authorization !== undefined) {
      const key = await serverKey(authorization)
      if (asked.device === '') throw new ProductError('collect.unreadable', { detail: 'device is missing' })
      return { key, device: hash(asked.device), own: false }
    }
    const device = await installs.begin(request.headers, DEVICE_RATE, networkOf(deps.address(request)), 'fetches')
    installs.finish(device, { method: request.method, target: request.raw.url ?? '', body: EMPTY })
    return { key: device.ingestKey, device: device.install.device, own: true }
  }

  return async (request) => {
    const asked = parameters(request.raw.url ?? '')
    const { key, device, own } = await subject(request, asked)
    keys.used(key)
    const choice = policies.choose(key.app, device, asked.version)
    const { body, etag, signature } = write(key.app, choice)
    if (own)
      fetches.note({
        app: key.app,
        device,
        appVersion: asked.version,
        policy: choice.deployment?.policy ?? '',
        version: choice.deployment?.version ?? 0,
        at: now(),
      })
    const isKnown = etagsOf(request.headers['if-none-match']).includes(etag)
    const headers = { etag, 'cache-control': 'private, no-cache' }
    if (isKnown) return { app: key.app, status: 304, headers, body: undefined }
    return { app: key.app, status: 200, headers: { ...headers, [POLICY_SIGNATURE_HEADER]: signature }, body }
  }
}

/** Throws collect.unreadable. */
function parameters(target: string): { version: string; device: string } {
  const at = target.indexOf('?')
  const search = new URLSearchParams(at < 0 ? '' : target.slice(at + 1))
  try {
    return {
      version: textField('version', search.get('version') ?? ''),
      device: textField('device', search.get('device') ?? '', false, 128),
    }
  } catch (error) {
    if (error instanceof EventProblem) throw new ProductError('collect.unreadable', { detail: error.message })
    throw error
  }
}

function etagsOf(header: string | undefined): string[] {
  return (header ?? '')
    .slice(0, 1000)
    .split(',')
    .map((one) => one.trim().replace(/^W\//, ''))
}
