import { randomInt } from 'node:crypto'
import { followsRule } from '#domain/password-rule.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../../config.ts'
import { dropSecondFactor } from '../../platform/second-factor.ts'
import { storePassword } from './change-password.ts'
import { hashPassword } from './password-hash.ts'

const FIRST_PASSWORD_MS = 24 * 3_600_000
const ROLE = 'administrator'

type Deps = { config: Config; meta: MetaStore; now(): number }

/**
 * Makes the super administrator of an empty installation. A password from APPWARDEN_ADMIN_PASSWORD stays as it is; a generated one is
 * answered once, must be changed at first sign-in and stops working after 24 hours (decision 8). A demo forces no change.
 */
export async function ensureFirstAdministrator(deps: Deps): Promise<{ email: string; password?: string }> {
  const { config, meta, now } = deps
  const there = await meta.db.selectFrom('users').select('username').where('super', '=', true).executeTakeFirst()
  if (there) return { email: there.username }
  const given = config.adminPassword
  if (given !== undefined && (!followsRule(given) || /[%*]/.test(given)))
    throw new Error('APPWARDEN_ADMIN_PASSWORD must have 8 to 64 characters of three kinds, without spaces, % and *')
  const password = given ?? generatePassword()
  const mustChange = given === undefined && !config.demo
  const hash = await hashPassword(password)
  await meta.db
    .insertInto('users')
    .values({
      username: config.adminEmail,
      password_hash: hash,
      password_history: [hash],
      role: ROLE,
      super: true,
      must_change_password: mustChange,
      first_password_until: mustChange ? now() + FIRST_PASSWORD_MS : null,
      expires_at: null,
      disabled: false,
      active_session: null,
      created_at: now(),
      last_login_at: null,
    })
    .execute()
  return given === undefined ? { email: config.adminEmail, password } : { email: config.adminEmail }
}

/** Gives the super administrator a new generated password and lifts what locks him. For `appwarden admin reset` on the machine. */
export async function resetAdministrator(
  deps: Omit<Deps, 'config'>,
): Promise<{ id: number; email: string; password: string }> {
  const { meta, now } = deps
  const user = await meta.db.selectFrom('users').selectAll().where('super', '=', true).executeTakeFirst()
  if (!user) throw new Error('There is no administrator yet: start the server once')
  const password = generatePassword()
  const changed = await storePassword(meta, user, password, {
    must_change_password: true,
    first_password_until: now() + FIRST_PASSWORD_MS,
  })
  if (!changed) throw new Error('The password was changed at the same moment: run the command again')
  await meta.db.updateTable('users').set({ disabled: false }).where('id', '=', user.id).execute()
  await meta.db.deleteFrom('login_failures').where('account', '=', user.username.toLowerCase()).execute()
  // The operator of the machine may have lost the phone with the codes too.
  await dropSecondFactor(meta, user.id)
  return { id: user.id, email: user.username, password }
}

/** 16 characters in groups that can be typed, of all four kinds, none that look alike. */
export function generatePassword(): string {
  const kinds = ['ABCDEFGHJKMNPQRSTUVWXYZ', 'abcdefghjkmnpqrstuvwxyz', '23456789']
  const all = kinds.join('')
  for (;;) {
    const text = Array.from({ length: 16 }, () => all[randomInt(all.length)]).join('')
    const password = (text.match(/.{4}/g) as string[]).join('-')
    if (kinds.every((kind) => [...kind].some((one) => password.includes(one)))) return password
  }
}
