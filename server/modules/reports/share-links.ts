import { randomUUID } from 'node:crypto'
import { ProductError } from '#contracts/errors.ts'
import { type ReportShare, SHARE_LIMITS } from '#contracts/http/reports/sharing.ts'
import type { FileStore } from '#storage/files/port.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { hashOf, newSecretText } from '../../http/session-keys.ts'
import { checkPassword, hashPassword } from '../accounts/password-hash.ts'

const HOUR_MS = 3_600_000
const SHORTEST_PASSWORD = 6

type Deps = { meta: MetaStore; files: FileStore; now(): number }

/** A new link to the file of a job. The token is answered here alone: the store has its hash. Throws ProductError. */
export async function makeShare(
  { meta, now }: Deps,
  { job, user, hours, password }: { job: string; user: number; hours: number; password: string },
): Promise<{ id: string; token: string }> {
  if (password !== '' && password.length < SHORTEST_PASSWORD) throw new ProductError('report.share_password')
  const at = now()
  const { live } = await meta.db
    .selectFrom('report_shares')
    .select(({ fn }) => fn.countAll<number>().as('live'))
    .where('job_id', '=', job)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', at)
    .executeTakeFirstOrThrow()
  if (Number(live) >= SHARE_LIMITS.links)
    throw new ProductError('quota.reached', { detail: String(SHARE_LIMITS.links) })
  const token = newSecretText('aw_rs_')
  const id = randomUUID()
  await meta.db
    .insertInto('report_shares')
    .values({
      ...{ id, job_id: job, user_id: user, hash: hashOf(token), created_at: at, expires_at: at + hours * HOUR_MS },
      ...{ password_hash: password === '' ? '' : await hashPassword(password), last_opened_at: null, revoked_at: null },
    })
    .execute()
  return { id, token }
}

/** The links of a report, newest first. */
export async function sharesOf({ meta, now }: Pick<Deps, 'meta' | 'now'>, job: string): Promise<ReportShare[]> {
  const rows = await meta.db
    .selectFrom('report_shares')
    .innerJoin('users', 'users.id', 'report_shares.user_id')
    .selectAll('report_shares')
    .select('users.username')
    .where('job_id', '=', job)
    .orderBy('report_shares.created_at', 'desc')
    .orderBy('report_shares.id')
    .limit(50)
    .execute()
  return rows.map((row) => ({
    ...{ id: row.id, by: row.username, created_at: row.created_at, expires_at: row.expires_at },
    ...{ has_password: row.password_hash !== '', opens: row.opens, last_opened_at: row.last_opened_at },
    state: row.revoked_at !== null ? 'revoked' : row.expires_at <= now() ? 'expired' : 'open',
  }))
}

/**
 * What a token leads to. Throws report.link_invalid for an unknown or revoked link and for one whose maker was disabled, link_expired, link_locked after too many
 * wrong passwords, link_gone where the file is deleted.
 */
export async function findShared({ meta, files, now }: Deps, token: string) {
  const row = await meta.db
    .selectFrom('report_shares')
    .innerJoin('jobs', 'jobs.id', 'report_shares.job_id')
    .innerJoin('users', 'users.id', 'report_shares.user_id')
    .selectAll('report_shares')
    .select([
      'jobs.title',
      'jobs.state',
      'jobs.file',
      'jobs.file_name',
      'jobs.bytes',
      'users.disabled',
      'users.username',
    ])
    .where('report_shares.hash', '=', hashOf(token))
    .executeTakeFirst()
  if (!row || row.disabled || row.revoked_at !== null) throw new ProductError('report.link_invalid')
  if (row.expires_at <= now()) throw new ProductError('report.link_expired')
  if (row.wrong_passwords >= SHARE_LIMITS.wrongPasswords) throw new ProductError('report.link_locked')
  if (row.state !== 'done' || !row.file || !(await files.has(row.file))) throw new ProductError('report.link_gone')
  return row
}

/** Checks the password of a link and counts the access. Throws as findShared does, and report.link_password. */
export async function openShared(deps: Deps, token: string, password: string) {
  const found = await findShared(deps, token)
  const { db } = deps.meta
  if (found.password_hash !== '') {
    // Counted before the comparison, so that parallel tries are bounded too.
    const tried = await db
      .updateTable('report_shares')
      .set((eb) => ({ wrong_passwords: eb('wrong_passwords', '+', 1) }))
      .where('id', '=', found.id)
      .where('wrong_passwords', '<', SHARE_LIMITS.wrongPasswords)
      .executeTakeFirst()
    if (tried.numUpdatedRows !== 1n) throw new ProductError('report.link_locked')
    if (!(await checkPassword(found.password_hash, password))) throw new ProductError('report.link_password')
  }
  await db
    .updateTable('report_shares')
    .set((eb) => ({ opens: eb('opens', '+', 1), last_opened_at: deps.now(), wrong_passwords: 0 }))
    .where('id', '=', found.id)
    .execute()
  return found
}
