import { type Selectable, sql } from 'kysely'
import { ProductError } from '#contracts/errors.ts'
import type { Case, CaseEntry, CaseState } from '#contracts/http/investigation.ts'
import type { Scope } from '#domain/query.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Database } from '#storage/postgres/schema.ts'
import type { Caller } from '../../http/module.ts'

type Db = MetaStore['db']
type Viewer = Pick<Caller, 'userId' | 'scope'>

const MOST_CASES = 200

/** Whether all of an entry's applications lie in the scope; a note has none. */
function covers(scope: Scope, apps: readonly number[]): boolean {
  return scope.apps === 'all' || apps.every((app) => (scope.apps as readonly number[]).includes(app))
}

/**
 * Cases that the caller may see: own ones, and those that are about applications of his scope alone. What is in a case may name people
 * and findings of every application in it, so one application too many hides all of it.
 */
function selectCases(db: Db, { userId, scope }: Viewer) {
  const apps = sql<
    number[]
  >`coalesce((select array_agg(distinct one) from case_entries, unnest(case_entries.apps) one where case_entries.case_id = cases.id), '{}')`
  const select = db
    .selectFrom('cases')
    .innerJoin('users', 'users.id', 'cases.owner_id')
    .selectAll('cases')
    .select(['users.username as owner', apps.as('apps')])
    .select(sql<number>`(select count(*) from case_entries where case_entries.case_id = cases.id)::int`.as('entries'))
  if (scope.apps === 'all') return select
  const own = sql<boolean>`cases.owner_id = ${userId}`
  const within = sql<boolean>`(cardinality(${apps}) > 0 and ${apps} <@ ${sql.val([...scope.apps])}::int[])`
  return select.where(sql<boolean>`(${own} or ${within})`)
}

type CaseRow = Awaited<ReturnType<ReturnType<typeof selectCases>['execute']>>[number]

function toCase({ owner_id, apps, ...row }: CaseRow, viewer: Viewer): Case {
  return {
    ...row,
    own: owner_id === viewer.userId,
    apps: apps.map(String).sort((a, b) => Number(a) - Number(b)),
  }
}

export type CaseFilter = {
  state?: CaseState | undefined
  own?: '1' | undefined
  text?: string | undefined
  subject?: string | undefined
}

export async function listCases(db: Db, viewer: Viewer, { state, own, text, subject }: CaseFilter): Promise<Case[]> {
  let select = selectCases(db, viewer)
  if (state) select = select.where('cases.state', '=', state)
  if (own) select = select.where('cases.owner_id', '=', viewer.userId)
  if (text) select = select.where(sql<boolean>`position(lower(${text}) in lower(cases.title)) > 0`)
  if (subject) {
    const [kind, key] = [subject.slice(0, subject.indexOf(':')), subject.slice(subject.indexOf(':') + 1)]
    const column = kind === 'device' ? sql.ref('device') : kind === 'user' ? sql.ref('person') : sql.ref('subject')
    const value = kind === 'device' || kind === 'user' ? key : subject
    select = select.where(
      sql<boolean>`exists (select 1 from case_entries where case_entries.case_id = cases.id and ${column} = ${value})`,
    )
  }
  const rows = await select.orderBy('cases.updated_at', 'desc').orderBy('cases.id').limit(MOST_CASES).execute()
  return rows.map((row) => toCase(row, viewer))
}

/** Throws data.missing where the caller may not know of it. */
export async function findCase(db: Db, viewer: Viewer, id: string): Promise<Case> {
  const row = await selectCases(db, viewer).where('cases.id', '=', id).executeTakeFirst()
  if (!row) throw new ProductError('data.missing')
  return toCase(row, viewer)
}

/** The entries, oldest first, that the caller's scope covers, and how many it does not. */
export async function readEntries(
  db: Db,
  viewer: Viewer,
  caseId: string,
): Promise<{ entries: CaseEntry[]; withheld: number }> {
  const rows = await db
    .selectFrom('case_entries')
    .selectAll()
    .where('case_id', '=', caseId)
    .orderBy('at')
    .orderBy('id')
    .execute()
  const seen = rows.filter(({ apps }) => covers(viewer.scope, apps))
  return { entries: seen.map(toEntry), withheld: rows.length - seen.length }
}

export function toEntry({
  id,
  body,
  note,
  author,
  at,
  hash,
  row_count,
}: Selectable<Database['case_entries']>): CaseEntry {
  return { id, body, note, author, at, hash, rows: row_count }
}

/**
 * Deletion of personal data on demand: entries about this device or user, of any of these applications, keep that they were there and
 * lose what they held. Answers how many there were.
 */
export async function eraseFromCases(
  db: Db,
  kind: 'device' | 'user',
  key: string,
  apps: Scope['apps'] = 'all',
): Promise<number> {
  const within = apps === 'all' ? sql<boolean>`true` : sql<boolean>`apps && ${sql.val([...apps])}::int[]`
  const { numUpdatedRows } = await db
    .updateTable('case_entries')
    .set({
      body: sql`jsonb_build_object('kind', 'erased', 'was', kind)`,
      subject: '',
      device: null,
      person: null,
      note: '',
    })
    .where(kind === 'device' ? 'device' : 'person', '=', key)
    .where(within)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
