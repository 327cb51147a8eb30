import { sql } from 'kysely'
import { errorText, ProductError } from '#contracts/errors.ts'
import {
  CUSTOMER_TYPES,
  changeUser,
  createUser as createUserEndpoint,
  deleteUsers,
  disableUsers,
  endUserSession,
  exportUsers,
  importUsers,
  resetUser,
  SESSION_ENDS,
  type User,
  userSessions,
  users,
} from '#contracts/http/users.ts'
import { nextDay, startOfDay } from '#domain/time-range.ts'
import { CHANNELS } from '#storage/postgres/schema.ts'
import type { Caller, Module } from '../../http/module.ts'
import { makeSessions } from '../../http/sessions.ts'
import { changesBetween } from '../../platform/audit/audit-changes.ts'
import { takeQuota } from '../../platform/licence/licence-quota.ts'
import { csvLine } from '../../platform/tables/csv.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { storePassword } from '../accounts/change-password.ts'
import { generatePassword } from '../accounts/first-administrator.ts'
import { attachment } from '../jobs/attachment-name.ts'
import { isGrantable } from '../roles/grantable.ts'
import { revokeAccessTokens } from '../tokens/access-tokens.ts'
import { createUser } from './create-user.ts'
import { makeInvitation } from './invitations.ts'
import { manageableUsers } from './manageable-users.ts'
import { readImport } from './read-import.ts'
import { filterUsers, selectUsers, toUser, type UserFilters, type UserRow } from './user-rows.ts'

const RESET_PASSWORD_MS = 24 * 3_600_000
const SESSIONS_SHOWN = 20
const EXPORT_ROWS = 10_000

/** Account and member management: list, create, change, disable, reset, delete, import, export, sessions. */
export const usersModule: Module = (mount, deps) => {
  const { licence, meta, now } = deps
  const { db } = meta
  const sessions = makeSessions(deps)

  const rolesOf = async (caller: Caller) => {
    const rows = await db.selectFrom('roles').selectAll().orderBy('built_in', 'desc').orderBy('key').execute()
    return rows.map((role) => ({ key: role.key, zh: role.zh, en: role.en, grantable: isGrantable(caller, role) }))
  }
  const requireGrantable = async (caller: Caller, key: string) => {
    const role = (await rolesOf(caller)).find((one) => one.key === key)
    if (!role) throw new ProductError('user.role_unknown', { detail: key })
    if (!role.grantable) throw new ProductError('user.role_not_grantable')
  }
  const one = async (caller: Caller, id: number): Promise<User> =>
    toUser(await selectUsers(db).where('users.id', '=', id).executeTakeFirstOrThrow(), caller, now())
  /** Ends what the account has open: its session, and tokens where its permissions are gone. */
  const endAll = async (id: number) => {
    await sessions.endOf(id, 'disabled')
    await revokeAccessTokens(deps, id)
  }
  const select = (filters: UserFilters) =>
    // The list's joins add columns; the filters use those of users alone.
    filterUsers(selectUsers(db) as never, filters, now()) as unknown as ReturnType<typeof selectUsers>

  mount(users, async ({ query, caller }) => {
    const filtered = select(query)
    const rows = await filtered
      .orderBy(sql.ref(`users.${query.sort}`), (order) => (query.descending ? order.desc() : order.asc()).nullsLast())
      .orderBy('users.id')
      .offset(query.offset)
      .limit(query.limit)
      .execute()
    const { total } = await filterUsers(db.selectFrom('users'), query, now())
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    return { data: rows.map((row) => toUser(row, caller, now())), total: Number(total), roles: await rolesOf(caller) }
  })

  mount(exportUsers, async ({ query, caller, reply, audit }) => {
    audit('accounts', JSON.stringify(query))
    const rows = await select(query).orderBy('users.username').limit(EXPORT_ROWS).execute()
    const { zone } = deps.settings()
    const time = (at: number | null) => (at === null ? '' : zonedTime(at, zone))
    const zh = caller.language === 'zh'
    const header = zh
      ? [
          '用户名',
          '角色',
          '客户类型',
          '备注',
          '应用数',
          '应用配额',
          '创建人',
          '创建时间',
          '上次登录',
          '到期时间',
          '状态',
        ]
      : 'user name,role,customer type,remarks,applications,quota,creator,created,last sign-in,expires,state'.split(',')
    const states = zh ? STATES_ZH : STATES_EN
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', attachment('accounts.csv'))
    reply.header('x-content-type-options', 'nosniff')
    const lines = rows.map((row: UserRow) => {
      const user = toUser(row, caller, now())
      return csvLine([
        user.username,
        user.role_name[caller.language],
        CUSTOMER_TYPES[user.customer_type][caller.language],
        user.remarks,
        user.applications,
        user.application_quota,
        user.creator,
        time(user.created_at),
        time(user.last_login_at),
        time(user.expires_at),
        states[user.state],
      ])
    })
    return `\ufeff${csvLine(header)}${lines.join('')}`
  })

  mount(createUserEndpoint, async ({ body, caller, audit }) => {
    const { username, password: _password, ...account } = body
    audit(username.trim().slice(0, 256), '', changesBetween(undefined, account))
    await requireGrantable(caller, body.role)
    const { id, password } = await db
      .transaction()
      .execute((tx) => createUser({ db: tx, licence }, { ...body, created_by: caller.userId }, now()))
    const invitation = body.invite ? await makeInvitation(meta, id, now()) : null
    return { data: await one(caller, id), password, invitation }
  })

  mount(changeUser, async ({ body, caller, audit }) => {
    const [before] = (await manageableUsers(db, caller, [body.id])) as [UserRow]
    const { id, ...changes } = body
    audit(before.username, '', changesBetween(before, changes))
    if (changes.role !== undefined && changes.role !== before.role) {
      if (before.origin !== 'local') throw new ProductError('user.external')
      await requireGrantable(caller, changes.role)
    }
    if (Object.keys(changes).length) await db.updateTable('users').set(changes).where('id', '=', id).execute()
    // Open sessions and sockets follow within a moment: permissions are read at each request, sockets on this notice.
    if (changes.role !== undefined || changes.expires_at !== undefined)
      await meta.notify(CHANNELS.changed, { what: 'roles' })
    return { data: await one(caller, id) }
  })

  mount(disableUsers, async ({ body, caller, audit }) => {
    const rows = await manageableUsers(db, caller, body.ids)
    audit(
      rows.map(({ username }) => username).join(' '),
      body.disabled ? 'disabled' : 'enabled',
      changesBetween({ disabled: !body.disabled }, { disabled: body.disabled }),
    )
    await db.transaction().execute(async (tx) => {
      const adding = body.disabled ? 0 : rows.filter((one) => one.disabled).length
      if (adding > 0) await takeQuota(tx, licence, 'users', adding)
      await tx.updateTable('users').set({ disabled: body.disabled }).where('id', 'in', body.ids).execute()
    })
    if (body.disabled) for (const { id } of rows) await endAll(id)
    return { changed: rows.length }
  })

  mount(resetUser, async ({ body, caller, audit }) => {
    const [row] = (await manageableUsers(db, caller, [body.id])) as [UserRow]
    audit(row.username, 'password')
    if (row.origin !== 'local') throw new ProductError('user.external')
    const current = await db
      .selectFrom('users')
      .select(['id', 'password_hash', 'password_history'])
      .where('id', '=', row.id)
      .executeTakeFirstOrThrow()
    const password = generatePassword()
    const stored = await storePassword(meta, current, password, {
      must_change_password: true,
      first_password_until: now() + RESET_PASSWORD_MS,
    })
    if (!stored) throw new ProductError('data.conflict')
    await endAll(row.id)
    await db.deleteFrom('invitations').where('user_id', '=', row.id).execute()
    await db.deleteFrom('login_failures').where('account', '=', row.username.toLowerCase()).execute()
    return { password }
  })

  mount(deleteUsers, async ({ body, caller, audit }) => {
    const rows = await manageableUsers(db, caller, body.ids)
    audit(rows.map(({ username }) => username).join(' '))
    for (const { id } of rows) await endAll(id)
    const moved = await db.transaction().execute(async (tx) => {
      const applications = await tx
        .updateTable('applications')
        .set({ owner_id: caller.userId })
        .where('owner_id', 'in', body.ids)
        .returning('deleted_at')
        .execute()
      const cases = await tx
        .updateTable('cases')
        .set({ owner_id: caller.userId })
        .where('owner_id', 'in', body.ids)
        .executeTakeFirst()
      await tx.deleteFrom('users').where('id', 'in', body.ids).where('super', '=', false).execute()
      return {
        applications: applications.filter(({ deleted_at }) => deleted_at === null).length,
        cases: Number(cases.numUpdatedRows),
      }
    })
    await meta.notify(CHANNELS.changed, { what: 'applications' })
    return { deleted: rows.length, ...moved }
  })

  mount(importUsers, async ({ body, caller, audit }) => {
    const { zone } = deps.settings()
    const { users: given, errors } = readImport(body.csv, await rolesOf(caller), caller.language, (date) =>
      endOfDay(date, zone),
    )
    audit(`${given.length} accounts`, body.check ? 'check' : 'import')
    const names = given.map(({ username }) => username.toLowerCase())
    const taken = names.length
      ? await db
          .selectFrom('users')
          .select(sql<string>`lower(username)`.as('name'))
          .where(sql<string>`lower(username)`, 'in', names)
          .execute()
      : []
    const exists = new Set(taken.map(({ name }) => name))
    const text = new ProductError('user.name_exists')
    for (const { line, username } of given)
      if (exists.has(username.toLowerCase())) errors.push({ line, column: 'username', text: textOf(text, caller) })
    errors.sort((a, b) => a.line - b.line)
    if (body.check || errors.length) return { count: given.length, errors, created: [] }
    const created = await db.transaction().execute(async (tx) => {
      await takeQuota(tx, licence, 'users', given.length)
      const made: { username: string; password: string }[] = []
      for (const { line: _, ...user } of given) {
        const { password } = await createUser(
          { db: tx, licence },
          { ...user, password: '', created_by: caller.userId },
          now(),
        )
        made.push({ username: user.username, password: password as string })
      }
      return made
    })
    return { count: given.length, errors, created }
  })

  mount(userSessions, async ({ query }) => {
    const found = await db.selectFrom('users').select('id').where('id', '=', query.id).executeTakeFirst()
    if (!found) throw new ProductError('data.missing')
    const data = await db
      .selectFrom('sessions')
      .select(['label', 'created_at', 'last_input_at', 'address', 'agent', 'ended_at', 'end_reason'])
      .where('user_id', '=', query.id)
      .orderBy('created_at', 'desc')
      .limit(SESSIONS_SHOWN)
      .execute()
    return { data: data.map((one) => ({ ...one, end_reason: endOf(one.end_reason) })) }
  })

  mount(endUserSession, async ({ body, caller, audit }) => {
    const [row] = (await manageableUsers(db, caller, [body.id], { own: true })) as [UserRow]
    audit(row.username, 'session ended')
    await sessions.endOf(row.id, 'ended')
    return {}
  })
}

const STATES_ZH = { active: '正常', invited: '已邀请', expired: '已到期', disabled: '已停用' }
const STATES_EN = { active: 'active', invited: 'invited', expired: 'expired', disabled: 'disabled' }

function endOf(reason: string | null) {
  return SESSION_ENDS.find((one) => one === reason) ?? null
}

function textOf(error: ProductError, caller: Pick<Caller, 'language'>): string {
  return errorText(error.key, caller.language, error.params)
}

/** The last millisecond of a date (YYYY-MM-DD) in the zone; undefined where there is no such date. */
function endOfDay(date: string, zone: string): number | undefined {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(date)
  if (!match) return undefined
  const noon = Date.UTC(Number(match[1]), Number(match[2]) - 1, Number(match[3]), 12)
  if (new Date(noon).toISOString().slice(0, 10) !== date) return undefined
  return nextDay(startOfDay(noon, zone), zone) - 1
}
