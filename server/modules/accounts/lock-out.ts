import { sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { addressClass } from '#domain/address-class.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

const MINUTE = 60_000
const FAILURES = 5
const WINDOW_MS = 15 * MINUTE
const LONGEST_MS = 24 * 60 * MINUTE
/** Wrong attempts of one address class, whichever accounts they name. */
const PER_ADDRESS = [
  { count: 20, ms: MINUTE },
  { count: 100, ms: 60 * MINUTE },
] as const

/** End (epoch ms) of the lock that these failures (epoch ms, oldest first) caused: 15 minutes for five in 15 minutes, then doubling. 0: no lock. */
export function lockedUntil(failures: readonly number[]): number {
  let until = 0
  let length = WINDOW_MS
  let recent: number[] = []
  for (const at of failures) {
    recent = [...recent.filter((one) => at - one < WINDOW_MS), at]
    if (recent.length < FAILURES) continue
    until = at + length
    length = Math.min(length * 2, LONGEST_MS)
    recent = []
  }
  return until
}

/** An attempt counts as a failure from the moment it begins until its outcome is known. */
export type Attempt = {
  /** The password was right: this and the earlier failures of the account from this address class are deleted. */
  succeeded(): Promise<void>
  /** The verification code was wrong: the attempt counts for the address only, not for the account. */
  countForAddressOnly(): Promise<void>
  /** The attempt is not counted (the password was right but may not be used any more). */
  forget(): Promise<void>
}

/**
 * Counts an attempt before anything is verified, so that parallel attempts cannot pass the limit together. Locks hold for an account from
 * one address class (/24, IPv6 /48): an attacker cannot lock an administrator out of another network, and an account that does not exist locks just
 * like one that does. Throws login.locked or request.rate.
 */
export async function beginAttempt(meta: MetaStore, account: string, address: string, now: number): Promise<Attempt> {
  const network = addressClass(address)
  const id = await meta.db.transaction().execute(async (tx) => {
    // One attempt of a network at a time reads and counts.
    await sql`select pg_advisory_xact_lock(hashtextextended(${`sign-in ${network}`}, 0))`.execute(tx)
    const rows = await tx
      .selectFrom('login_failures')
      .select(['account', 'at'])
      .where('address', '=', network)
      .where('at', '>', now - LONGEST_MS)
      .orderBy('at')
      .execute()
    refuseLocked(rows, account, now)
    const row = await tx
      .insertInto('login_failures')
      .values({ account, address: network, at: now })
      .returning('id')
      .executeTakeFirstOrThrow()
    return row.id
  })
  return {
    async succeeded() {
      await meta.db.deleteFrom('login_failures').where('account', '=', account).where('address', '=', network).execute()
    },
    async countForAddressOnly() {
      await meta.db.updateTable('login_failures').set({ account: '' }).where('id', '=', id).execute()
    },
    async forget() {
      await meta.db.deleteFrom('login_failures').where('id', '=', id).execute()
    },
  }
}

function refuseLocked(rows: readonly { account: string; at: number }[], account: string, now: number): void {
  const until = lockedUntil(rows.filter((row) => row.account === account).map((row) => row.at))
  if (until > now)
    throw new ProductError(
      'login.locked',
      { minutes: Math.ceil((until - now) / MINUTE) },
      { retry_after: (until - now) / 1000 },
    )
  for (const { count, ms } of PER_ADDRESS)
    if (rows.filter((row) => row.at > now - ms).length >= count)
      throw new ProductError('request.rate', {}, { retry_after: ms / 1000 })
}
