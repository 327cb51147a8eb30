import type { EXCEPTION_MARKS, EXCEPTION_SORTS, ExceptionGroup, TriageState } from '#contracts/http/exceptions.ts'
import { compareVersions, type ExceptionKind } from '#domain/exceptions.ts'
import type { Filter, Query } from '#domain/query.ts'
import type { ExceptionGroupRow } from '#storage/events/exception-port.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import type { ServerDeps } from '../../http/module.ts'
import { resolveQuery } from '../../query/resolve-query.ts'
import { type Fingerprint, knownFingerprints, learnFingerprints, mayTellMore } from './fingerprints.ts'
import { aliasesIn, expandGroups, fingerprintsOf } from './group-aliases.ts'
import { nameKey, triageStatesOf, UNTOUCHED } from './triage-state.ts'

export type ListedGroup = Omit<ExceptionGroup, 'trend'>
type Mark = (typeof EXCEPTION_MARKS)[number]
/** What lists of groups stand on; the jobs process has it too. */
type GroupDeps = Pick<ServerDeps, 'meta' | 'store' | 'files' | 'now'>
type GroupChoice = {
  mark: Mark
  assignee?: string | undefined
  search: string
  sort: (typeof EXCEPTION_SORTS)[number]
}

const kindFilter = (kind: ExceptionKind): Filter => ({ field: 'type', op: 'is', values: [kind] })

/** The store query of one kind's events. */
export async function kindQuery(
  { meta }: Pick<GroupDeps, 'meta'>,
  query: Query,
  kind: ExceptionKind,
  scope: StoreQuery['scope'],
  now: number,
  zone: string,
): Promise<StoreQuery> {
  const filters = await expandGroups(meta.db, query.filters)
  const all = { ...query, compare: 'none' as const, filters: [...filters, kindFilter(kind)] }
  return resolveQuery(all, scope, now, zone)
}

/** Every group of the query with name and triage state, and how many events are in none. */
export async function listGroups(
  deps: GroupDeps,
  query: StoreQuery,
): Promise<{ groups: ListedGroup[]; ungrouped: number }> {
  const { db } = deps.meta
  const { scope } = query
  const ask = async () => {
    const aliases = await aliasesIn(db, scope)
    return { aliases, rows: await deps.store.exceptionGroups(query, aliases) }
  }
  let { aliases, rows } = await ask()
  const members = async () =>
    namesOf(
      await knownFingerprints(
        deps,
        rows.map((row) => row.group),
      ),
      await byGroup(rows),
    )
  const byGroup = async (list: readonly ExceptionGroupRow[]) => {
    const groups = list.map((row) => row.group)
    return groups.length === 0
      ? []
      : db
          .selectFrom('exception_fingerprints')
          .selectAll()
          .where((where) => where('group_id', '=', where.fn.any(where.val(groups))))
          .execute()
  }
  let names = await members()
  const unknown = rows
    .filter((row) => row.group !== '' && mayTellMore(names.get(row.group), deps.now()))
    .map((row) => row.group)
  if (unknown.length > 0) {
    if ((await learnFingerprints(deps, scope, unknown)) > 0) ({ aliases, rows } = await ask())
    names = await members()
  }
  const triageStates = await triageStatesOf(
    { db, store: deps.store, now: deps.now(), scope, aliases },
    rows.map((row) => row.group),
  )
  const groups = rows
    .filter((row) => row.group !== '')
    .map((row) => listed(row, names.get(row.group), triageStates.get(nameKey(row)), query))
  return { groups, ungrouped: rows.filter((row) => row.group === '').reduce((sum, row) => sum + row.events, 0) }
}

/** Names by group: of several fingerprints the one whose names were given back counts. */
function namesOf(own: readonly Fingerprint[], joined: readonly Fingerprint[]): Map<string, Fingerprint> {
  const names = new Map<string, Fingerprint>()
  for (const one of [...own, ...joined]) {
    const known = names.get(one.group_id)
    if (!known || (known.obfuscated && !one.obfuscated)) names.set(one.group_id, one)
  }
  return names
}

function listed(
  row: ExceptionGroupRow,
  name: Fingerprint | undefined,
  triage: TriageState | undefined,
  { span }: StoreQuery,
): ListedGroup {
  return {
    appid: String(row.app),
    group: row.group,
    type: name?.type ?? '',
    culprit: name?.culprit ?? '',
    platform: name?.platform ?? '',
    obfuscated: name?.obfuscated ?? false,
    events: row.events,
    devices: row.devices,
    users: row.users,
    versions: row.versions.toSorted((a, b) => compareVersions(b, a)),
    first_at: row.ever.firstAt,
    last_at: row.ever.lastAt,
    first_version: row.ever.firstVersion,
    is_new: row.ever.firstAt >= span.from,
    triage: triage ?? UNTOUCHED,
  }
}

/** Those that search and assignee leave, whatever the mark, and of them those that pass, in their order. */
export function chooseGroups(
  groups: readonly ListedGroup[],
  choice: GroupChoice,
): { found: ListedGroup[]; passing: ListedGroup[] } {
  const words = choice.search.trim().toLowerCase()
  const found = groups
    .filter((one) => words === '' || `${one.type}\n${one.culprit}\n${one.group}`.toLowerCase().includes(words))
    .filter((one) => choice.assignee === undefined || (one.triage.assignee ?? '') === choice.assignee)
  return { found, passing: found.filter((one) => hasMark(one, choice.mark)).sort(ORDERS[choice.sort]) }
}

const byName = (a: ListedGroup, b: ListedGroup) => (a.group < b.group ? -1 : 1)
const ORDERS: Record<GroupChoice['sort'], (a: ListedGroup, b: ListedGroup) => number> = {
  events: (a, b) => b.events - a.events || byName(a, b),
  devices: (a, b) => b.devices - a.devices || byName(a, b),
  users: (a, b) => b.users - a.users || byName(a, b),
  last: (a, b) => b.last_at - a.last_at || byName(a, b),
  first: (a, b) => b.first_at - a.first_at || byName(a, b),
}

export function hasMark(group: ListedGroup, mark: Mark): boolean {
  if (mark === 'all') return true
  if (mark === 'new') return group.is_new
  if (mark === 'regressed') return group.triage.regressed !== null
  return group.triage.state === mark
}

/** Events by bucket of each group, beside the starts of the buckets. */
export async function trendsOf(
  deps: GroupDeps,
  query: StoreQuery,
  groups: readonly string[],
): Promise<{ bucket: string; starts: number[]; trends: Map<string, number[]> }> {
  const aliases = new Map(await aliasesIn(deps.meta.db, query.scope))
  const these: Filter = { field: 'group', op: 'is', values: await fingerprintsOf(deps.meta.db, groups) }
  const series = { kind: 'series', measures: ['events'], bucket: 'auto', and: [these] } as const
  const [all, split] = await Promise.all([
    deps.store.answer(query, { ...series, measures: ['events'], and: [these] }),
    deps.store.answer(query, { ...series, measures: ['events'], and: [these], by: 'group' }),
  ])
  if (all.kind !== 'series' || split.kind !== 'series') throw new Error('no series')
  const starts = all.points.map((point) => point.start)
  const indexOf = new Map(starts.map((start, index) => [start, index]))
  const trends = new Map(groups.map((group) => [group, starts.map(() => 0)]))
  for (const { start, key = '', row } of split.points) {
    const trend = trends.get(aliases.get(key) ?? key)
    const index = indexOf.get(start)
    if (trend && index !== undefined) trend[index] = (trend[index] ?? 0) + (row.events ?? 0)
  }
  return { bucket: all.bucket, starts, trends }
}
