import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { addressClass } from '#domain/address-class.ts'
import { type Challenge, isSolution, readProof } from '#domain/proof-of-work.ts'
import type { ServerDeps } from '../../http/module.ts'
import { makeNonceCache, startByClock } from '../../http/nonce-cache.ts'

/** Failures of an address class within the window after which each further attempt needs a proof. */
const FAILURES = 3
const WINDOW_MS = 15 * 60_000
const LIFE_MS = 120_000
/** 65,536 hashes on average: a tenth of a second on a desk, below a second on a phone. */
const BITS = 16

/** Throws login.proof with a new challenge where a proof is due and the header holds no valid, unused one. */
export type DemandProof = (address: string, header: unknown) => Promise<void>

/**
 * Proof of work at sign-in: guessing passwords from one network costs its sender computing time, which an honest person does not notice.
 * Not asked where automation has a fixed verification code. Challenges are not stored: a MAC binds them to the network. A used one is
 * remembered until it expires; one from before this process began is refused, because its use may have been forgotten.
 */
export function makeDemandProof({ config, meta, now, secret }: ServerDeps): DemandProof {
  const used = makeNonceCache(now, LIFE_MS)
  const startedAt = startByClock(now)

  function macOf(network: string, { nonce, bits, expires }: Omit<Challenge, 'mac'>): Buffer {
    return createHmac('sha256', secret('sign-in.proof')).update(`${network}\n${nonce}\n${bits}\n${expires}`).digest()
  }
  function makeChallenge(network: string): Challenge {
    const task = { nonce: randomBytes(16).toString('base64url'), bits: BITS, expires: now() + LIFE_MS }
    return { ...task, mac: macOf(network, task).toString('base64url') }
  }
  function accepts(network: string, header: unknown): boolean {
    const proof = typeof header === 'string' ? readProof(header) : undefined
    if (!proof || proof.challenge.expires < now() || proof.challenge.expires - LIFE_MS < startedAt()) return false
    const mac = Buffer.from(proof.challenge.mac, 'base64url')
    if (!timingSafeEqual(mac, macOf(network, proof.challenge))) return false
    return isSolution(proof.challenge, proof.solution) && used.use(proof.challenge.nonce)
  }

  return async (address, header) => {
    if (config.captchaFixed) return
    const network = addressClass(address)
    const failures = await meta.db
      .selectFrom('login_failures')
      .select('id')
      .where('address', '=', network)
      .where('at', '>', now() - WINDOW_MS)
      .limit(FAILURES)
      .execute()
    if (failures.length < FAILURES || accepts(network, header)) return
    throw new ProductError('login.proof', {}, { challenge: makeChallenge(network) })
  }
}
