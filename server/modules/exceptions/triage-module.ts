import { sql, type Transaction } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import { exceptionAssignees, noteException, setExceptionTriage, type TriageChange } from '#contracts/http/exceptions.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'
import { findApplication } from '../applications/application-access.ts'

/** State, assignee and notes of groups. Each change is a line in the group's history, and an audit entry. */
export const triageModule: Module = (mount, deps) => {
  const { db } = deps.meta

  mount(setExceptionTriage, async ({ body, caller, audit }) => {
    const now = deps.now()
    for (const appid of new Set(body.changes.map((one) => one.appid))) await findApplication(deps.meta, caller, appid)
    for (const change of body.changes) checkChange(change, now)
    const people = await assigneesOf(deps, body.changes)
    audit(
      body.changes.length === 1 ? `group ${body.changes[0]?.group}` : `${body.changes.length} groups`,
      [...new Set(body.changes.map(changeText))].join('; ').slice(0, 300),
    )
    const before = await db.transaction().execute(async (tx) => {
      const earlier: TriageChange[] = []
      for (const change of body.changes) earlier.push(await applyChange(tx, change, people, caller, now))
      return earlier
    })
    return { before }
  })

  mount(noteException, async ({ body, caller, audit }) => {
    const { id } = await findApplication(deps.meta, caller, body.appid)
    audit(`group ${body.group}`)
    await db
      .insertInto('exception_history')
      .values({
        application_id: id,
        group_id: body.group,
        at: deps.now(),
        by_user: caller.userId,
        what: 'note',
        detail: body.text,
      })
      .execute()
    return {}
  })

  mount(exceptionAssignees, async ({ query, caller }) => {
    const { id } = await findApplication(deps.meta, caller, query.appid)
    return { data: (await peopleOf(deps, id)).map((one) => one.username) }
  })
}

/** Owner and members of the application; the caller may always take it himself. */
async function peopleOf({ meta }: ServerDeps, app: number): Promise<{ id: number; username: string }[]> {
  return meta.db
    .selectFrom('users')
    .select(['users.id', 'username'])
    .where('disabled', '=', false)
    .where((where) =>
      where.or([
        where(
          'users.id',
          'in',
          where.selectFrom('application_members').select('user_id').where('application_id', '=', app),
        ),
        where('users.id', 'in', where.selectFrom('applications').select('owner_id').where('id', '=', app)),
        where(
          'users.role',
          'in',
          where
            .selectFrom('roles')
            .select('key')
            .where('sees_all', '=', true)
            .where(sql<boolean>`'events.read' = any(auth)`),
        ),
      ]),
    )
    .orderBy('username')
    .limit(500)
    .execute()
}

/** User numbers by name, each able to see the application he is given a group of. */
async function assigneesOf(deps: ServerDeps, changes: readonly TriageChange[]): Promise<Map<string, number>> {
  const people = new Map<string, number>()
  const asked = changes.filter((one) => one.assignee !== null)
  for (const appid of new Set(asked.map((one) => one.appid))) {
    const able = new Map((await peopleOf(deps, Number(appid))).map((one) => [one.username, one.id]))
    for (const { assignee } of asked.filter((one) => one.appid === appid)) {
      const id = able.get(assignee as string)
      if (id === undefined) throw new ProductError('input.invalid', { detail: 'assignee' })
      people.set(assignee as string, id)
    }
  }
  return people
}

function checkChange({ state, ignored_until }: TriageChange, now: number): void {
  if (state === 'ignored' && ignored_until !== null && ignored_until <= now)
    throw new ProductError('input.invalid', { detail: 'ignored_until' })
}

function changeText({ state, resolved_version, ignored_until, assignee }: TriageChange): string {
  const until =
    state === 'ignored' && ignored_until ? ` until ${new Date(ignored_until).toISOString().slice(0, 16)}` : ''
  const version = state === 'resolved' && resolved_version ? ` in ${resolved_version}` : ''
  return `${state}${version}${until}${assignee ? `, ${assignee}` : ''}`
}

async function applyChange(
  tx: Transaction<Database>,
  change: TriageChange,
  people: ReadonlyMap<string, number>,
  caller: Caller,
  now: number,
): Promise<TriageChange> {
  const names = { application_id: Number(change.appid), group_id: change.group }
  const old = await tx
    .selectFrom('exception_groups')
    .leftJoin('users', 'users.id', 'exception_groups.assignee')
    .selectAll('exception_groups')
    .select('users.username')
    .where('application_id', '=', names.application_id)
    .where('group_id', '=', names.group_id)
    .forUpdate('exception_groups')
    .executeTakeFirst()
  const resolved = change.state === 'resolved'
  // Saying again what it said before is no new resolution: what was seen since then still counts.
  const kept = resolved && old?.state === 'resolved' && old.resolved_version === change.resolved_version
  const values = {
    state: change.state,
    resolved_version: resolved ? change.resolved_version : null,
    resolved_at: resolved ? (kept ? old.resolved_at : now) : null,
    ignored_until: change.state === 'ignored' ? change.ignored_until : null,
    assignee: change.assignee === null ? null : (people.get(change.assignee) ?? null),
    rev: (old?.rev ?? 0) + 1,
    updated_at: now,
  }
  await tx
    .insertInto('exception_groups')
    .values({ ...names, ...values })
    .onConflict((conflict) => conflict.columns(['application_id', 'group_id']).doUpdateSet(values))
    .execute()
  const line = (what: string, detail: string) =>
    tx
      .insertInto('exception_history')
      .values({ ...names, at: now, by_user: caller.userId, what, detail })
      .execute()
  if ((old?.username ?? null) !== change.assignee) await line('assigned', change.assignee ?? '')
  if (
    (old?.state ?? 'open') !== change.state ||
    (old?.resolved_version ?? null) !== values.resolved_version ||
    (old?.ignored_until ?? null) !== values.ignored_until
  )
    await line(change.state, resolved ? (change.resolved_version ?? '') : String(values.ignored_until ?? ''))
  return {
    appid: change.appid,
    group: change.group,
    state: old?.state ?? 'open',
    resolved_version: old?.resolved_version ?? null,
    ignored_until: old?.ignored_until ?? null,
    assignee: old?.username ?? null,
  }
}
