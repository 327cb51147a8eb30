import { createHash, randomBytes } from 'node:crypto'
import { Secret, TOTP } from 'otpauth'
import { CODE_SECONDS, RECOVERY_CODES, type SecondStep } from '#contracts/http/second-factor.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { hasPasskeys } from './passkeys.ts'
import { openText, sealText } from './secrets.ts'

/**
 * The second factor of an account: passkeys (passkeys.ts), one-time codes (TOTP, RFC 6238, as authenticator apps know it: SHA-1, 6 digits,
 * 30 s) and recovery codes. A code is taken once, one step before and after the current one included; so is a recovery code.
 */
const STEP_MS = 300_000
const STEP_TRIES = 5
const SECRET_BYTES = 20
/** A new secret waits so long for its first code. */
const PENDING_MS = 1_800_000
/** Steps before and after the current one whose codes are taken (RFC 6238, 5.2). */
const WINDOW = 1
const SEAL = 'accounts.one-time-secret'
/** Without letters and digits that look alike; 32 of them, so 12 characters have 60 bits. */
const RECOVERY_ALPHABET = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'
const RECOVERY_LENGTH = 12

type Keys = { meta: MetaStore; secret(name: string): Buffer; now(): number }
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

export async function hasSecondFactor({ db }: MetaStore, userId: number): Promise<boolean> {
  const row = await db.selectFrom('second_factors').select('user_id').where('user_id', '=', userId).executeTakeFirst()
  return row !== undefined
}

export async function recoveryLeft({ db }: MetaStore, userId: number): Promise<number> {
  const { count } = await db
    .selectFrom('recovery_codes')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

// ------------------------------------------------------------------------------------------------------------ sign-in

/** Remembers that the password was right, for five minutes and five codes from the same address. */
export async function beginStep(meta: MetaStore, userId: number, address: string, now: number): Promise<SecondStep> {
  const step = randomBytes(24).toString('base64url')
  await meta.db.deleteFrom('sign_in_steps').where('expires_at', '<', now).execute()
  // The newest sign-in of an account is the one that goes on.
  await meta.db.deleteFrom('sign_in_steps').where('user_id', '=', userId).where('address', '=', address).execute()
  await meta.db
    .insertInto('sign_in_steps')
    .values({ id: sha256(step), user_id: userId, address, expires_at: now + STEP_MS })
    .execute()
  const oneTime = await meta.db
    .selectFrom('one_time_secrets')
    .select('user_id')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  return {
    step,
    recovery_left: await recoveryLeft(meta, userId),
    one_time: oneTime !== undefined,
    passkeys: await hasPasskeys(meta, userId),
  }
}

/** The account of a step that still goes on, without counting a try: for what only asks how to go on. */
export async function accountOfStep(
  { db }: MetaStore,
  step: string,
  address: string,
  now: number,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('sign_in_steps')
    .select('user_id')
    .where('id', '=', sha256(step))
    .where('address', '=', address)
    .where('expires_at', '>', now)
    .where('tries', '<', STEP_TRIES)
    .executeTakeFirst()
  return row?.user_id
}

/** Counts a try of the step; the account that it belongs to, or undefined if it is unknown, over, used up or of another address. */
export async function tryStep(
  { db }: MetaStore,
  step: string,
  address: string,
  now: number,
): Promise<{ id: number; username: string } | undefined> {
  const row = await db
    .updateTable('sign_in_steps')
    .set((eb) => ({ tries: eb('tries', '+', 1) }))
    .where('id', '=', sha256(step))
    .where('address', '=', address)
    .where('expires_at', '>', now)
    // A step that lies further ahead was made by a clock that has been set back since.
    .where('expires_at', '<=', now + STEP_MS)
    .where('tries', '<', STEP_TRIES)
    .returning('user_id')
    .executeTakeFirst()
  if (!row) return undefined
  return db
    .selectFrom('users')
    .select(['id', 'username'])
    .where('id', '=', row.user_id)
    .where('disabled', '=', false)
    .executeTakeFirst()
}

/** Ends a step; false where another request has ended it before. */
export async function endStep({ db }: MetaStore, step: string): Promise<boolean> {
  const { numDeletedRows } = await db.deleteFrom('sign_in_steps').where('id', '=', sha256(step)).executeTakeFirst()
  return numDeletedRows === 1n
}

// -------------------------------------------------------------------------------------------------------------- codes

/** A new secret, not in use before a code of it was confirmed; the one in use stays until then. `uri`: what a QR code holds. */
export async function beginEnrolment(
  { secret, now, meta }: Keys,
  user: { id: number; username: string },
  issuer: string,
): Promise<{ secret: string; uri: string }> {
  const made = new Secret({ size: SECRET_BYTES })
  const row = { pending: sealText(secret(SEAL), made.base32), pending_at: now() }
  await meta.db
    .insertInto('one_time_secrets')
    .values({ user_id: user.id, ...row })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(row))
    .execute()
  return { secret: made.base32, uri: totpOf(made, { issuer, label: user.username }).toString() }
}

/** Puts the new secret to use if the code is one of it; answers new recovery codes. `missing`: there is no new secret. */
export async function confirmEnrolment(
  keys: Keys,
  userId: number,
  code: string,
): Promise<readonly string[] | 'missing' | 'wrong'> {
  const { db } = keys.meta
  const now = keys.now()
  const row = await db.selectFrom('one_time_secrets').selectAll().where('user_id', '=', userId).executeTakeFirst()
  if (!row || row.pending === '' || Math.abs(now - (row.pending_at ?? 0)) > PENDING_MS) return 'missing'
  const step = stepOf(keys, row.pending, code)
  if (step === undefined) return 'wrong'
  const { numUpdatedRows } = await db
    .updateTable('one_time_secrets')
    .set({ secret: row.pending, confirmed_at: now, pending: '', pending_at: null, last_step: step })
    .where('user_id', '=', userId)
    .where('pending', '=', row.pending)
    .executeTakeFirst()
  return numUpdatedRows === 1n ? newRecoveryCodes(keys.meta, userId) : 'missing'
}

/** Whether a one-time or recovery code is right; it is used up then. */
export async function takeCode(keys: Keys, userId: number, code: string): Promise<boolean> {
  const { db } = keys.meta
  const given = code.replace(/[\s-]/g, '').toUpperCase()
  if (/^\d{6}$/.test(given)) {
    const row = await db
      .selectFrom('one_time_secrets')
      .select('secret')
      .where('user_id', '=', userId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirst()
    const step = row && stepOf(keys, row.secret, given)
    if (step === undefined) return false
    // Of parallel requests with the same code one moves the step on. A clock that was set back by more than the window may use steps again.
    const { numUpdatedRows } = await db
      .updateTable('one_time_secrets')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where((where) => where.or([where('last_step', '<', step), where('last_step', '>', step + 2 * WINDOW + 1)]))
      .executeTakeFirst()
    return numUpdatedRows === 1n
  }
  const { numUpdatedRows } = await db
    .updateTable('recovery_codes')
    .set({ used_at: keys.now() })
    .where('user_id', '=', userId)
    .where('hash', '=', sha256(given))
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Replaces the recovery codes; the texts, in two groups of six. */
export async function newRecoveryCodes({ db }: MetaStore, userId: number): Promise<readonly string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    Array.from(randomBytes(RECOVERY_LENGTH), (byte) => RECOVERY_ALPHABET[byte & 31]).join(''),
  )
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
    await tx
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ user_id: userId, hash: sha256(code), used_at: null })))
      .execute()
  })
  return codes.map((code) => `${code.slice(0, 6)}-${code.slice(6)}`)
}

/** False if the account had none. */
export async function dropSecondFactor({ db }: MetaStore, userId: number): Promise<boolean> {
  const dropped = await db
    .deleteFrom('one_time_secrets')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .executeTakeFirst()
  const passkeys = await db.deleteFrom('passkeys').where('user_id', '=', userId).executeTakeFirst()
  await db.deleteFrom('recovery_codes').where('user_id', '=', userId).execute()
  return typeof dropped?.confirmed_at === 'number' || passkeys.numDeletedRows > 0n
}

function totpOf(secret: Secret, names: { issuer?: string; label?: string } = {}): TOTP {
  return new TOTP({ ...names, secret, period: CODE_SECONDS })
}

/** The time step that a code of the sealed secret belongs to, one before and after the current included; undefined for a wrong code. */
function stepOf({ secret, now }: Keys, sealed: string, code: string): number | undefined {
  const totp = totpOf(Secret.fromBase32(openText(secret(SEAL), sealed)))
  const timestamp = now()
  const delta = totp.validate({ token: code.replace(/\s/g, ''), timestamp, window: WINDOW })
  return delta === null ? undefined : Math.floor(timestamp / 1000 / CODE_SECONDS) + delta
}
