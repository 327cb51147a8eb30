import { ProductError } from '#contracts/errors.ts'
import type { MetaStore } from '#storage/postgres/database.ts'

const MINUTE = 60_000
const FAILURES = 5
const WINDOW_MS = 15 * MINUTE
const LONGEST_MS = 24 * 60 * MINUTE
const PER_ADDRESS = [
  { count: 20, ms: MINUTE },
  { count: 100, ms: 60 * MINUTE },
] as const

/** When the lock ends that these failures (epoch ms, oldest first) brought about: 15 minutes for five in 15 minutes, then doubling. */
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

/**
 * Locks hold for an account from one class of addresses (/24, IPv6 /48), so nobody locks an administrator out of his own place, and an
 * account that does not exist locks just like one that does.
 */
export function addressClass(address: string): string {
  const plain = address.replace(/^::ffff:/, '')
  if (/^\d+\.\d+\.\d+\.\d+$/.test(plain)) return plain.split('.').slice(0, 3).join('.')
  const [head = '', tail] = plain.split('::')
  const groups = head.split(':')
  if (tail !== undefined) while (groups.length < 3) groups.push('0')
  return groups.slice(0, 3).join(':')
}

/** Throws login.locked or request.rate. */
export async function checkLocks(meta: MetaStore, account: string, address: string, now: number): Promise<void> {
  const place = addressClass(address)
  const rows = await meta.db
    .selectFrom('login_failures')
    .select(['account', 'at'])
    .where('address', '=', place)
    .where('at', '>', now - LONGEST_MS)
    .orderBy('at')
    .execute()
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

/** `account` is '' for a wrong verification code: it counts for the address only. */
export async function noteFailure(meta: MetaStore, account: string, address: string, now: number): Promise<void> {
  await meta.db
    .insertInto('login_failures')
    .values({ account, address: addressClass(address), at: now })
    .execute()
}

export async function forgetFailures(meta: MetaStore, account: string, address: string): Promise<void> {
  await meta.db
    .deleteFrom('login_failures')
    .where('account', '=', account)
    .where('address', '=', addressClass(address))
    .execute()
}
