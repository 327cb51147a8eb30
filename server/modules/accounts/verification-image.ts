import { randomInt } from 'node:crypto'
import { renderAsync } from '@resvg/resvg-js'
import svgCaptcha from 'svg-captcha'
import type { MetaStore } from '#storage/postgres/database.ts'

const LENGTH = 5
const LIFE_MS = 120_000
/** Without characters that look alike. */
const CHARACTERS = 'ABCDEFGHJKMNPQRSTUVWXYZabcdefghjkmnpqrstuvwxyz23456789'

/** The package draws a given text when called itself; its types know only the calls that also choose the text. */
const draw = svgCaptcha as unknown as (text: string, options: object) => string

/**
 * A new code for this pre-session (it replaces the one before) as a PNG: the drawing's paths, which a program could read, do not leave
 * the server.
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
  const svg = draw(answer, { width: 180, height: 60, fontSize: 54, noise: 4, color: true, background: '#f2f4f8' })
  return (await renderAsync(svg, { font: { loadSystemFonts: false } })).asPng()
}

/** Whether the code is right. Asking uses it up, right or wrong. */
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
