import { randomInt } from 'node:crypto'
import type { MetaStore } from '#storage/postgres/database.ts'
import { drawCodePicture } from './code-picture.ts'

const LENGTH = 5
const LIFE_MS = 120_000
/** Capitals and digits of which no two look alike when distorted; case does not count. */
const CHARACTERS = 'ACDEFHJKMNPQRTWXY234679'

/**
 * A new code for this pre-session (it replaces the one before) as a PNG.
 */
export async function makeVerificationImage(
  meta: MetaStore,
  preSession: string,
  options: { now: number; fixed: string | undefined },
): Promise<Buffer> {
  const answer =
    options.fixed ?? Array.from({ length: LENGTH }, () => CHARACTERS[randomInt(CHARACTERS.length)]).join('')
  const row = { answer, expires_at: options.now + LIFE_MS }
  await meta.db
    .insertInto('verify_codes')
    .values({ id: preSession, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute()
  return drawCodePicture(answer, () => randomInt(2 ** 32) / 2 ** 32)
}

/** Whether the code is right. Each check uses it up, right or wrong. */
export async function takeVerificationCode(
  meta: MetaStore,
  preSession: string,
  code: string,
  now: number,
): Promise<boolean> {
  const row = await meta.db
    .deleteFrom('verify_codes')
    .where('id', '=', preSession)
    .returning(['answer', 'expires_at'])
    .executeTakeFirst()
  return row !== undefined && row.expires_at >= now && row.answer.toLowerCase() === code.trim().toLowerCase()
}
