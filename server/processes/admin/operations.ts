import { sql } from 'kysely'
import { type Settings, SettingsSchema } from '#contracts/http/settings.ts'
import { connectEventStore } from '#storage/events/serve/connect-event-store.ts'
import { repairLines } from '#storage/events/serve/repair-store.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Config } from '../../config.ts'
import { makeSessions } from '../../http/sessions.ts'
import { resetAdministrator } from '../../modules/accounts/first-administrator.ts'
import { createToken } from '../../modules/tokens/access-tokens.ts'
import { createUser } from '../../modules/users/create-user.ts'
import type { Licence } from '../../platform/licence/open-licence.ts'
import { writeSettings } from '../../platform/settings.ts'
import type { Foundation } from '../open-foundation.ts'

/** What the machine's operator may do from the command line: who can open the admin socket or the data folder. */
export type AdminDeps = Pick<Foundation, 'settings' | 'audit'> & {
  config: Config
  meta: MetaStore
  licence: Licence
  now(): number
}
type AdminCommand =
  | 'token.create'
  | 'user.add'
  | 'admin.reset'
  | 'settings.show'
  | 'settings.set'
  | 'store.repair'
  | 'status'
export type AdminRequest = { command: AdminCommand; options: Record<string, string> }
/** Lines to print; `secret` is the last line, shown once. */
export type AdminAnswer = { lines: string[]; secret?: string }

/** Runs a command. Throws Error with a line for the operator. */
export async function runAdmin(deps: AdminDeps, { command, options }: AdminRequest): Promise<AdminAnswer> {
  const answer = await COMMANDS[command](deps, options)
  if (command !== 'status' && command !== 'settings.show')
    await deps.audit({
      account: 'command line',
      role: '',
      action: command,
      target: options['name'] ?? '',
      result: 'ok',
      address: 'local',
      detail: options['user'] ?? '',
    })
  return answer
}

const COMMANDS: Record<AdminCommand, (deps: AdminDeps, options: Record<string, string>) => Promise<AdminAnswer>> = {
  async 'user.add'(deps, options) {
    const { user = '', role = 'operator' } = options
    const roles = await deps.meta.db.selectFrom('roles').select('key').orderBy('key').execute()
    if (!roles.some(({ key }) => key === role))
      throw new Error(`There is no role ${role}; there are ${roles.map(({ key }) => key).join(', ')}`)
    const { password } = await deps.meta.db.transaction().execute((tx) =>
      createUser(
        { db: tx, licence: deps.licence },
        {
          username: user,
          password: '',
          role,
          customer_type: 'standard',
          remarks: '',
          application_quota: null,
          expires_at: null,
          created_by: null,
        },
        deps.now(),
      ),
    )
    return {
      lines: [`Account ${user.trim()} with the role ${role}. Its password, shown once and valid for 24 hours:`],
      secret: password as string,
    }
  },
  async 'token.create'(deps, options) {
    const { db } = deps.meta
    const found = db
      .selectFrom('users')
      .innerJoin('roles', 'roles.key', 'users.role')
      .select(['users.id', 'users.username', 'roles.auth'])
    const { user } = options
    const owner = await (user
      ? found.where((where) => where(where.fn('lower', ['username']), '=', user.toLowerCase()))
      : found.where('super', '=', true)
    ).executeTakeFirst()
    if (!owner)
      throw new Error(user ? `There is no account ${user}` : 'There is no administrator yet: start the server once')
    const asked = (options['scopes'] ?? 'events.read').split(',').map((scope) => scope.trim())
    const scopes = asked.includes('all') ? owner.auth : asked
    const lacking = scopes.filter((scope) => !owner.auth.includes(scope))
    if (lacking.length) throw new Error(`${owner.username} does not have: ${lacking.join(', ')}`)
    const days = Number(options['days'] ?? 90)
    if (!Number.isInteger(days) || days < 1 || days > 365) throw new Error('--days must be 1 to 365')
    const { token } = await createToken(deps, {
      userId: owner.id,
      name: options['name'] ?? 'command line',
      scopes,
      days,
    })
    return { lines: [`Access token of ${owner.username}, ${days} days, shown once:`], secret: token }
  },

  async 'admin.reset'(deps) {
    const { id, email, password } = await resetAdministrator(deps)
    await makeSessions(deps).endOf(id, 'password')
    return { lines: [`New password of ${email}, to be changed at the next sign-in within 24 hours:`], secret: password }
  },

  async 'settings.show'({ settings }, { name }) {
    const all = Object.entries(settings()).filter(([one]) => name === undefined || one === name)
    if (all.length === 0) throw new Error(`There is no setting ${name}`)
    return { lines: all.map(([one, value]) => `${one} ${JSON.stringify(value)}`) }
  },

  /** The way back in where a setting keeps everybody out (`console_addresses`): no address is checked here. */
  async 'settings.set'({ meta }, { name = '', value = '' }) {
    const schema = Object.hasOwn(SettingsSchema.shape, name) && SettingsSchema.shape[name as keyof Settings]
    if (!schema) throw new Error(`There is no setting ${name}`)
    const parsed = schema.safeParse(asJson(value))
    if (!parsed.success) throw new Error(`${name} cannot be ${value}: ${parsed.error.issues[0]?.message}`)
    await writeSettings(meta, { [name]: parsed.data })
    return { lines: [`${name} ${JSON.stringify(parsed.data)}`] }
  },

  /** Only in a running server: `npx appwarden repair` does it itself where none runs. */
  async 'store.repair'({ config }, { from }) {
    const store = connectEventStore(config.paths.storeSocket)
    try {
      await store.ready(10_000)
      return { lines: repairLines(await store.repair(from)) }
    } finally {
      await store.close()
    }
  },

  async status({ config, meta }) {
    const { rows } = await sql<{ version: string }>`select version()`.execute(meta.db)
    return {
      lines: [
        `AppWarden ${config.version}`,
        `Data folder ${config.dataFolder}`,
        `Metadata store: ${rows[0]?.version.split(' on ')[0] ?? 'unknown'}`,
      ],
    }
  },
}

/** The JSON value of a text; the text itself where it is no JSON. */
function asJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text // not quoted: a text as it was typed
  }
}
