import { createHash } from 'node:crypto'
import { isIP } from 'node:net'
import {
  type AuthenticationResponseJSON,
  type AuthenticatorTransport,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import type { MetaStore } from '#storage/postgres/database.ts'

/**
 * Passkeys (W3C Web Authentication Level 3) as second factor. A passkey belongs to the host name under which the console was open when it was
 * made; browsers offer them under a host name over HTTPS, or on localhost, and never under an IP address.
 */
const CHALLENGE_MS = 300_000
const PASSKEYS = 10
const TIMEOUT_MS = 120_000

type Keys = { meta: MetaStore; now(): number }

/** Where the browser is: the relying party's id, and the origins that its answers may name. */
export type PasskeyHost = { id: string; origins: string[] }

/** By the request's Host header; undefined for an IP address, under which no browser makes or uses a passkey. */
export function passkeyHost(hostHeader: string | undefined): PasskeyHost | undefined {
  const host = (hostHeader ?? '').toLowerCase()
  const id = host.replace(/:\d+$/, '')
  if (id === '' || id.startsWith('[') || isIP(id) !== 0) return undefined
  const isLocal = id === 'localhost' || id.endsWith('.localhost')
  return { id, origins: isLocal ? [`https://${host}`, `http://${host}`] : [`https://${host}`] }
}

export async function hasPasskeys({ db }: MetaStore, userId: number): Promise<boolean> {
  return (await db.selectFrom('passkeys').select('id').where('user_id', '=', userId).executeTakeFirst()) !== undefined
}

/** Own passkeys, newest first. */
export function passkeysOf({ db }: MetaStore, userId: number) {
  return db
    .selectFrom('passkeys')
    .select(['id', 'name', 'host', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .execute()
}

// ------------------------------------------------------------------------------------------------------- registration

/** What the browser is asked to make. Undefined where the account has as many as it may have. */
export async function beginRegistration(
  keys: Keys,
  user: { id: number; username: string },
  host: PasskeyHost,
  product: string,
): Promise<PublicKeyCredentialCreationOptionsJSON | undefined> {
  const known = await keys.meta.db
    .selectFrom('passkeys')
    .select(['id', 'transports'])
    .where('user_id', '=', user.id)
    .execute()
  if (known.length >= PASSKEYS) return undefined
  const options = await generateRegistrationOptions({
    rpName: product,
    rpID: host.id,
    userName: user.username,
    // Not the number itself: the same account keeps its entry in the authenticator.
    userID: new Uint8Array(createHash('sha256').update(`passkey user ${user.id}`).digest()),
    attestationType: 'none',
    timeout: TIMEOUT_MS,
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports: transportsOf(transports) })),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
  })
  await remember(keys, ownerOfUser(user.id), options.challenge)
  return options
}

/** Keeps the passkey that answers the challenge. `wrong`: it does not, or there is no challenge; `known`: it is kept already. */
export async function confirmRegistration(
  keys: Keys,
  userId: number,
  host: PasskeyHost,
  { name, response }: { name: string; response: unknown },
): Promise<'kept' | 'wrong' | 'known'> {
  const expectedChallenge = await take(keys, ownerOfUser(userId))
  if (expectedChallenge === undefined) return 'wrong'
  const verified = await verifyRegistrationResponse({
    response: response as RegistrationResponseJSON,
    expectedChallenge,
    expectedOrigin: host.origins,
    expectedRPID: host.id,
    requireUserVerification: false,
  }).catch(() => undefined) // every malformed or foreign answer throws
  if (!verified?.verified) return 'wrong'
  const { credential } = verified.registrationInfo
  const { numInsertedOrUpdatedRows } = await keys.meta.db
    .insertInto('passkeys')
    .values({
      id: credential.id,
      user_id: userId,
      host: host.id,
      name,
      public_key: Buffer.from(credential.publicKey).toString('base64url'),
      counter: credential.counter,
      transports: credential.transports ?? [],
      created_at: keys.now(),
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n ? 'kept' : 'known'
}

/** False where the account has no such passkey. */
export async function dropPasskey({ db }: MetaStore, userId: number, id: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('passkeys')
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

// ------------------------------------------------------------------------------------------------------------ sign-in

/** What the browser is asked to sign; undefined where the account has no passkey for this host. */
export async function beginAuthentication(
  keys: Keys,
  userId: number,
  step: string,
  host: PasskeyHost,
): Promise<PublicKeyCredentialRequestOptionsJSON | undefined> {
  const known = await keys.meta.db
    .selectFrom('passkeys')
    .select(['id', 'transports'])
    .where('user_id', '=', userId)
    .where('host', '=', host.id)
    .execute()
  if (known.length === 0) return undefined
  const options = await generateAuthenticationOptions({
    rpID: host.id,
    timeout: TIMEOUT_MS,
    userVerification: 'preferred',
    allowCredentials: known.map(({ id, transports }) => ({ id, transports: transportsOf(transports) })),
  })
  await remember(keys, ownerOfStep(step), options.challenge)
  return options
}

/** Whether a passkey of the account signed the step's challenge, which is used up. A counter that went back is a copied key: false. */
export async function checkAuthentication(
  keys: Keys,
  userId: number,
  step: string,
  host: PasskeyHost,
  response: unknown,
): Promise<boolean> {
  const expectedChallenge = await take(keys, ownerOfStep(step))
  const id = (response as { id?: unknown } | null)?.id
  if (expectedChallenge === undefined || typeof id !== 'string') return false
  const { db } = keys.meta
  const key = await db
    .selectFrom('passkeys')
    .selectAll()
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('host', '=', host.id)
    .executeTakeFirst()
  if (!key) return false
  const verified = await verifyAuthenticationResponse({
    response: response as AuthenticationResponseJSON,
    expectedChallenge,
    expectedOrigin: host.origins,
    expectedRPID: host.id,
    requireUserVerification: false,
    credential: {
      id: key.id,
      publicKey: new Uint8Array(Buffer.from(key.public_key, 'base64url')),
      counter: key.counter,
      transports: transportsOf(key.transports),
    },
  }).catch(() => undefined) // every malformed or foreign answer throws
  if (!verified?.verified) return false
  await db
    .updateTable('passkeys')
    .set({ counter: verified.authenticationInfo.newCounter, last_used_at: keys.now() })
    .where('id', '=', key.id)
    .execute()
  return true
}

// --------------------------------------------------------------------------------------------------------- challenges

const ownerOfUser = (userId: number) => `user:${userId}`
const ownerOfStep = (step: string) => `step:${createHash('sha256').update(step).digest('hex')}`
const transportsOf = (stored: readonly string[]) => stored as AuthenticatorTransport[]

async function remember({ meta, now }: Keys, owner: string, challenge: string): Promise<void> {
  await meta.db.deleteFrom('passkey_challenges').where('expires_at', '<', now()).execute()
  const row = { challenge, expires_at: now() + CHALLENGE_MS }
  await meta.db
    .insertInto('passkey_challenges')
    .values({ owner, ...row })
    .onConflict((conflict) => conflict.column('owner').doUpdateSet(row))
    .execute()
}

/** The challenge, once. */
async function take({ meta, now }: Keys, owner: string): Promise<string | undefined> {
  const row = await meta.db
    .deleteFrom('passkey_challenges')
    .where('owner', '=', owner)
    .returning(['challenge', 'expires_at'])
    .executeTakeFirst()
  // A challenge that lies further ahead was made by a clock that has been set back since.
  return row && row.expires_at > now() && row.expires_at <= now() + CHALLENGE_MS ? row.challenge : undefined
}
