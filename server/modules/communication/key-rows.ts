import { randomBytes } from 'node:crypto'
import { type Selectable, sql, type Transaction } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { isKeyAccepted, KEY_STATES, type KeyState, keyName, keyState } from '#domain/communication.ts'
import { fromHex, toHex } from '#engines/gm/bytes.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { CHANNELS, type Database } from '#storage/postgres/schema.ts'
import { sm2PublicKey } from '../../http/gm-node.ts'
import { openText, sealText } from '../../platform/secrets.ts'

export type KeyRow = Selectable<Database['communication_keys']>
type KeyDeps = { meta: MetaStore; secret(name: string): Buffer; now(): number }

/** Of the key that encrypts private keys in the table. */
const SEAL = 'communication.keys'
const DAY_MS = 86_400_000

/** A random SM2 private key, 32 bytes below the order of the group. */
function newPrivateKey(): { privateKey: Uint8Array; publicKey: Uint8Array } {
  for (;;) {
    const privateKey = randomBytes(32)
    try {
      return { privateKey, publicKey: sm2PublicKey(privateKey) }
    } catch {
      // 0, or not below the order: one of 2^32 draws
    }
  }
}

/** The private key of a row, 32 bytes. */
export function openPrivateKey(secret: KeyDeps['secret'], row: Pick<KeyRow, 'sealed_private_key'>): Uint8Array {
  return fromHex(openText(secret(SEAL), row.sealed_private_key))
}

/** Makes the first key of an application, or one in place of an ended one. */
export async function createKey(deps: KeyDeps, application: number, days: number, user: number): Promise<KeyRow> {
  const now = deps.now()
  const row = await deps.meta.db.transaction().execute(async (tx) => {
    await lockNumbers(tx)
    const current = await currentKey(tx, application)
    if (current && isKeyAccepted(current, now))
      throw new ProductError('communication.key_exists', { key: keyName(current.kid) })
    const made = await insertKey(tx, deps, application, days, user)
    if (current)
      await tx
        .updateTable('communication_keys')
        .set({ closes_at: current.expires_at, replaced_by: made.kid })
        .where('kid', '=', current.kid)
        .execute()
    return made
  })
  await changed(deps)
  return row
}

/** Makes the successor of an active key, which stays valid for `overlapDays` more (and not beyond its own expiry). */
export async function rotateKey(
  deps: KeyDeps,
  kid: number,
  { days, overlapDays, user }: { days: number; overlapDays: number; user: number },
): Promise<KeyRow> {
  const now = deps.now()
  const row = await deps.meta.db.transaction().execute(async (tx) => {
    await lockNumbers(tx)
    const old = await demandState(tx, kid, now, ['active'])
    // The old one leaves the place of the current key first: there is one of an application.
    await tx
      .updateTable('communication_keys')
      .set({ closes_at: Math.min(now + overlapDays * DAY_MS, old.expires_at) })
      .where('kid', '=', kid)
      .execute()
    const made = await insertKey(tx, deps, old.application_id, days, user)
    await tx.updateTable('communication_keys').set({ replaced_by: made.kid }).where('kid', '=', kid).execute()
    return made
  })
  await changed(deps)
  return row
}

/** Moves the end of a replaced key to `days` from now; 0 ends it at once. */
export async function closeKey(deps: KeyDeps, kid: number, days: number): Promise<KeyRow> {
  const now = deps.now()
  const row = await deps.meta.db.transaction().execute(async (tx) => {
    const old = await demandState(tx, kid, now, ['retiring'])
    return tx
      .updateTable('communication_keys')
      .set({ closes_at: Math.min(now + days * DAY_MS, old.expires_at) })
      .where('kid', '=', kid)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  await changed(deps)
  return row
}

/** Ends a key; gateways refuse its sessions with it. */
export async function revokeKey(deps: KeyDeps, kid: number): Promise<KeyRow> {
  const now = deps.now()
  const row = await deps.meta.db.transaction().execute(async (tx) => {
    await demandState(tx, kid, now, ['active', 'retiring'])
    return tx
      .updateTable('communication_keys')
      .set({ revoked_at: now })
      .where('kid', '=', kid)
      .returningAll()
      .executeTakeFirstOrThrow()
  })
  await changed(deps)
  return row
}

/** SubjectPublicKeyInfo of an SM2 key (GB/T 35276, RFC 5480 with the curve 1.2.156.10197.1.301), as PEM. */
export function publicKeyPem(publicKey: string): string {
  const der = Buffer.concat([
    Buffer.from('3059301306072a8648ce3d020106082a811ccf5501822d034200', 'hex'),
    Buffer.from(publicKey, 'hex'),
  ])
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return `-----BEGIN PUBLIC KEY-----\n${lines.join('\n')}\n-----END PUBLIC KEY-----\n`
}

async function insertKey(
  tx: Transaction<Database>,
  deps: KeyDeps,
  application: number,
  days: number,
  user: number,
): Promise<KeyRow> {
  const { highest } = await tx
    .selectFrom('communication_keys')
    .select((eb) => eb.fn.coalesce(eb.fn.max('kid'), eb.lit(0)).as('highest'))
    .executeTakeFirstOrThrow()
  const kid = Number(highest) + 1
  const { privateKey, publicKey } = newPrivateKey()
  const now = deps.now()
  return tx
    .insertInto('communication_keys')
    .values({
      kid,
      application_id: application,
      public_key: toHex(publicKey),
      sealed_private_key: sealText(deps.secret(SEAL), toHex(privateKey)),
      created_by: user || null,
      created_at: now,
      expires_at: now + days * DAY_MS,
      ...{ replaced_by: null, closes_at: null, revoked_at: null, last_seen_at: null },
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** One key is made at a time: numbers and the place of the current key are read before they are taken. */
async function lockNumbers(tx: Transaction<Database>): Promise<void> {
  await sql`lock table communication_keys in share row exclusive mode`.execute(tx)
}

function currentKey(tx: Transaction<Database>, application: number): Promise<KeyRow | undefined> {
  return tx
    .selectFrom('communication_keys')
    .selectAll()
    .where('application_id', '=', application)
    .where('closes_at', 'is', null)
    .where('revoked_at', 'is', null)
    .executeTakeFirst()
}

async function demandState(
  tx: Transaction<Database>,
  kid: number,
  now: number,
  states: readonly KeyState[],
): Promise<KeyRow> {
  const row = await tx
    .selectFrom('communication_keys')
    .selectAll()
    .where('kid', '=', kid)
    .forUpdate()
    .executeTakeFirst()
  if (!row) throw new ProductError('data.missing')
  const state = keyState(row, now)
  if (!states.includes(state))
    throw new ProductError('communication.key_state', { key: keyName(kid), state: KEY_STATES[state] })
  return row
}

function changed({ meta }: KeyDeps): Promise<void> {
  return meta.notify(CHANNELS.changed, { what: 'communication' })
}
