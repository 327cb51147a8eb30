import { createHash, randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { ENROL_PROOF_BITS, type EnrolAnswer, type EnrolRequest } from '#contracts/telemetry/wire.ts'
import { textField } from '../read/event-fields.ts'
import { EventProblem } from '../read/event-problem.ts'
import { networkOf } from './client-address.ts'
import type { IngestKeys } from './ingest-keys.ts'
import type { Installs } from './installs.ts'
import { hourlyLimit } from './rates.ts'

const PROOF_MINUTES = 10
/** Clocks of phones may run ahead. */
const PROOF_AHEAD_MINUTES = 2

/** Whether the proof's SHA-256 begins with enough zero bits. */
export function proofHolds(request: EnrolRequest): boolean {
  return leadingZeroBits(proofDigest(request)) >= ENROL_PROOF_BITS
}
export function proofDigest({ enrolment_key, device_id, proof }: EnrolRequest): Buffer {
  return createHash('sha256').update(`${enrolment_key}${device_id}${proof.salt}${proof.nonce}`).digest()
}
function leadingZeroBits(digest: Buffer): number {
  let bits = 0
  for (const byte of digest) {
    if (byte !== 0) return bits + Math.clz32(byte) - 24
    bits += 8
  }
  return bits
}

/**
 * Enrols an install: body in, device key out. Throws ProductError collect.unreadable (shape), collect.key, collect.proof,
 * collect.replay (a proof counts once) and request.rate.
 */
export function enroller(deps: {
  keys: IngestKeys
  installs: Installs
  hash(text: string): string
  /** Public key of the policy signature, returned with the answer. */
  policyKey: string
  now(): number
}) {
  const { keys, installs, hash, policyKey, now } = deps
  const limit = hourlyLimit(now)
  /** Used proofs, by the minute of their salt. */
  const used = new Map<number, Set<string>>()

  return async (body: unknown, address: string, perHour: number): Promise<EnrolAnswer> => {
    const request = readEnrol(body)
    const key = await keys.byText(request.enrolment_key)
    if (key?.kind !== 'enrolment') throw new ProductError('collect.key')
    const minute = Math.floor(now() / 60_000)
    const { salt } = request.proof
    if (salt < minute - PROOF_MINUTES || salt > minute + PROOF_AHEAD_MINUTES || !proofHolds(request))
      throw new ProductError('collect.proof')
    for (const old of used.keys()) if (old < minute - PROOF_MINUTES) used.delete(old)
    const proof = proofDigest(request).toString('base64')
    if (used.get(salt)?.has(proof)) throw new ProductError('collect.replay')
    const wait = limit.take(networkOf(address), perHour)
    if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
    used.set(salt, (used.get(salt) ?? new Set()).add(proof))
    const install = randomUUID()
    const deviceKey = await installs.create({
      id: install,
      keyId: key.id,
      app: key.app,
      device: hash(request.device_id),
    })
    keys.used(key)
    return { install, device_key: deviceKey.toString('base64url'), policy_key: policyKey, server_time: now() }
  }
}

function readEnrol(body: unknown): EnrolRequest {
  try {
    const { enrolment_key, device_id, proof } = Object(body) as Record<string, unknown>
    const { salt, nonce } = Object(proof) as Record<string, unknown>
    const key = textField('enrolment_key', enrolment_key, false, 64)
    const device = textField('device_id', device_id, false, 128)
    const text = textField('proof.nonce', nonce, false, 64)
    if (key === '' || device === '' || text === '' || typeof salt !== 'number' || !Number.isSafeInteger(salt))
      throw new EventProblem('body', 'must be {enrolment_key, device_id, proof: {salt, nonce}}')
    return { enrolment_key: key, device_id: device, proof: { salt, nonce: text } }
  } catch (error) {
    if (error instanceof EventProblem) throw new ProductError('collect.unreadable', { detail: error.message })
    throw error
  }
}
