import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { hashPassword } from '#server/modules/accounts/password-hash.ts'
import { type MetaStore, openDatabase } from '#storage/postgres/database.ts'
import { ADMIN } from '../../support/running-server.ts'

export type Account = { username: string; password: string }
const PASSWORD = 'Tester-2026'

/** One account a role: an account has one session, so tests that need two people use two of these. */
export const ACCOUNTS = {
  admin: ADMIN,
  operator: { username: 'operator@appwarden.local', password: PASSWORD },
  operator2: { username: 'operator2@appwarden.local', password: PASSWORD },
  auditor: { username: 'auditor@appwarden.local', password: PASSWORD },
  /** Owns and sees nothing until it creates an application. */
  newcomer: { username: 'newcomer@appwarden.local', password: PASSWORD },
  /** Only its own applications count on its home page: no other test sends as this one. */
  homeowner: { username: 'homeowner@appwarden.local', password: PASSWORD },
  /** Its application files are its own. */
  keeper: { username: 'keeper@appwarden.local', password: PASSWORD },
  /** Detects: its packages and tasks are its own. */
  detector: { username: 'detector@appwarden.local', password: PASSWORD },
  /** Distributes: its application, packages and channels are its own. */
  distributor: { username: 'distributor@appwarden.local', password: PASSWORD },
  withoutPages: { username: 'without-pages@appwarden.local', password: PASSWORD },
  unempowered: { username: 'unempowered@appwarden.local', password: PASSWORD },
  /** Changes its password in a test. */
  changer: { username: 'changer@appwarden.local', password: PASSWORD },
  changer2: { username: 'changer2@appwarden.local', password: PASSWORD },
  /** Sets up a second factor in a test. */
  stepper: { username: 'stepper@appwarden.local', password: PASSWORD },
  /** Adds a passkey in a test. */
  keyholder: { username: 'keyholder@appwarden.local', password: PASSWORD },
  /** Must change its first password. */
  first: { username: 'first@appwarden.local', password: PASSWORD },
} as const satisfies Record<string, Account>
export type AccountName = keyof typeof ACCOUNTS

const ROLE_OF: Record<Exclude<AccountName, 'admin'>, string> = {
  operator: 'operator',
  operator2: 'operator2',
  auditor: 'auditor',
  newcomer: 'operator',
  homeowner: 'operator',
  keeper: 'operator',
  detector: 'operator',
  distributor: 'operator',
  withoutPages: 'e2e_without_pages',
  unempowered: 'e2e_unempowered',
  changer: 'operator',
  changer2: 'operator',
  stepper: 'e2e_stepper',
  keyholder: 'e2e_stepper',
  first: 'operator',
}

/** User management comes later: until then the accounts are written where the server reads them. */
export async function makeAccounts(dataFolder: string): Promise<void> {
  const meta = await openMeta(dataFolder)
  const now = Date.now()
  const custom = [
    { key: 'e2e_without_pages', auth: [] as string[] },
    { key: 'e2e_unempowered', auth: ['noEmpower'] },
    { key: 'e2e_stepper', auth: ['maps', 'events.read'] },
  ]
  await meta.db
    .insertInto('roles')
    .values(custom.map((role) => ({ ...role, zh: role.key, en: role.key, built_in: false, sees_all: false })))
    .execute()
  const hash = await hashPassword(PASSWORD)
  for (const [name, role] of Object.entries(ROLE_OF))
    await meta.db
      .insertInto('users')
      .values({
        username: ACCOUNTS[name as AccountName].username,
        password_hash: hash,
        password_history: [hash],
        role,
        super: false,
        must_change_password: name === 'first',
        first_password_until: name === 'first' ? now + 86_400_000 : null,
        expires_at: null,
        disabled: false,
        active_session: null,
        created_at: now,
        last_login_at: null,
      })
      .execute()
  await meta.close()
}

/** The metadata store of the running server, over its Unix socket. */
export function openMeta(dataFolder: string): Promise<MetaStore> {
  const folder = join(dataFolder, 'postgres')
  const password = readFileSync(join(folder, 'secret'), 'utf8')
  const address = { host: join(folder, 'socket'), user: 'appwarden', password, database: 'postgres' }
  return openDatabase(address, { migrate: false, connections: 1 })
}
