import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PermissionItem } from '#contracts/permissions.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../config.ts'
import type { DemoAccount } from '../http/http-deps.ts'
import { generatePassword } from '../modules/accounts/first-administrator.ts'
import { hashPassword } from '../modules/accounts/password-hash.ts'
import { createToken } from '../modules/tokens/access-tokens.ts'

type Account = { username: string; password: string }
/** What lies in the demo's data folder (0600): who may sign in, and the token the demo driver works with. */
type DemoFile = { administrator: Account; analyst: Account; token: string }

const ANALYST = 'analyst@appwarden.local'
const TOKEN_DAYS = 365
const DRIVER_NEEDS = [
  'application.create',
  'application.members',
  'ingest.keys',
  'platform.settings',
  'wall.manage',
  'events.read',
  'policy.edit',
  'policy.deploy',
  'alert.edit',
  'asset.read',
  'asset.upload',
  'asset.detect',
  'asset.detect_sdk',
  'asset.detect_privacy',
  'asset.harden',
  'investigation.edit',
  'asset.monitor',
  'monitor.view',
  'monitor.report',
  'channel.manage',
] as const satisfies readonly PermissionItem[]

/**
 * The demo's two accounts, since an account has one session: passwords made once and kept, no change forced (decision 8).
 * `administrator` is what ensureFirstAdministrator answered.
 */
export async function openDemoAccounts(parts: {
  config: Config
  meta: MetaStore
  now(): number
  administrator: { email: string; password?: string }
}): Promise<readonly DemoAccount[]> {
  const { config, meta, now, administrator } = parts
  const path = join(config.dataFolder, 'demo-accounts.json')
  if (!existsSync(path)) {
    const analyst = { username: ANALYST, password: generatePassword() }
    const hash = await hashPassword(analyst.password)
    await meta.db
      .insertInto('users')
      .values({
        username: analyst.username,
        password_hash: hash,
        password_history: [hash],
        role: 'operator',
        super: false,
        must_change_password: false,
        disabled: false,
        created_at: now(),
      })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const owner = await meta.db.selectFrom('users').select('id').where('super', '=', true).executeTakeFirstOrThrow()
    const { token } = await createToken(
      { meta, now },
      { userId: owner.id, name: 'demo', scopes: [...DRIVER_NEEDS], days: TOKEN_DAYS },
    )
    const password = administrator.password ?? config.adminPassword ?? ''
    const file: DemoFile = { administrator: { username: administrator.email, password }, analyst, token }
    writeFileSync(path, `${JSON.stringify(file, null, 2)}\n`, { mode: 0o600 })
  }
  const { administrator: first, analyst } = JSON.parse(readFileSync(path, 'utf8')) as DemoFile
  return [
    { ...analyst, role: 'operator' },
    { ...first, role: 'administrator' },
  ]
}
