import { sql } from 'kysely'
import type { FindingLevel } from '#contracts/detection/kinds.ts'
import type { Text } from '#contracts/detection/scan-result.ts'
import { vulnerabilityAffected, vulnerabilityAnalysis } from '#contracts/http/detection/analysis.ts'
import type { QueryOf } from '#contracts/http/endpoint.ts'
import type { Caller, Module, ServerDeps } from '../../http/module.ts'
import { itemNames } from './own-rules.ts'
import { expireSuppressions } from './rejudge.ts'
import { tasksOf } from './task-rows.ts'

type Filter = Omit<QueryOf<typeof vulnerabilityAffected>, 'item' | 'offset' | 'limit'>

/** Failed items over applications: which packages and versions have them, and their course. Suppressed ones do not count. */
export const analysisModule: Module = (mount, deps) => {
  mount(vulnerabilityAnalysis, async ({ query, caller }) => {
    await expireSuppressions(deps)
    const newest = await newestTasks(deps, caller, query)
    const failures = await failuresOf(deps, newest, query)
    const lines = byItem(newest, failures, await itemNames(deps.meta))
    const order = ORDERS[query.sort]
    const sorted = lines.toSorted(
      (a, b) =>
        order(b) - order(a) ||
        ORDERS.level(b) - ORDERS.level(a) ||
        b.packages - a.packages ||
        (a.item < b.item ? -1 : 1),
    )
    const levels = { high: 0, middle: 0, low: 0, info: 0 }
    for (const { level } of lines) levels[level]++
    return {
      data: sorted.slice(query.offset, query.offset + query.limit),
      total: lines.length,
      examined: { packages: new Set(newest.map(packageOf)).size, versions: newest.length },
      levels,
      trend: await trendOf(deps, caller, query),
    }
  })

  mount(vulnerabilityAffected, async ({ query, caller }) => {
    const newest = await newestTasks(deps, caller, query)
    const found = await failuresOf(deps, newest, query, query.item)
    const byTask = new Map(found.map((one) => [one.task_id, one]))
    const rows = newest.filter(({ id }) => byTask.has(id)).toSorted((a, b) => b.created_at - a.created_at)
    return {
      data: rows.slice(query.offset, query.offset + query.limit).map((task) => ({
        task: task.id,
        appid: task.application_id === null ? '' : String(task.application_id),
        app_name: task.app_name ?? '',
        name: task.name,
        package_id: task.package_id,
        version: task.version,
        hits: byTask.get(task.id)?.hits ?? 0,
        owner: byTask.get(task.id)?.owner ?? null,
        created_at: task.created_at,
      })),
      total: rows.length,
    }
  })
}

type Newest = Awaited<ReturnType<typeof newestTasks>>[number]
type Failure = Awaited<ReturnType<typeof failuresOf>>[number]

const packageOf = (task: Pick<Newest, 'platform' | 'package_id' | 'application_id'>) =>
  `${task.application_id} ${task.platform} ${task.package_id}`

function filtered(deps: ServerDeps, caller: Caller, query: Filter) {
  let select = tasksOf(deps.meta, caller)
    .where('task.state', '=', 'detected')
    .where(sql<boolean>`task.kinds && array['vulnerability', 'static']`)
  if (query.platform !== '') select = select.where('task.platform', '=', query.platform)
  if (query.appid !== '') select = select.where('task.application_id', '=', Number(query.appid))
  if (query.from !== undefined) select = select.where('task.ended_at', '>=', query.from)
  if (query.to !== undefined) select = select.where('task.ended_at', '<', query.to)
  return select
}

/** The last detected task of each version of each package; a version is what has the same bytes' version name. */
function newestTasks(deps: ServerDeps, caller: Caller, query: Filter) {
  return filtered(deps, caller, query)
    .select([
      'task.id',
      'task.application_id',
      'task.name',
      'task.package_id',
      'task.platform',
      'task.version',
      'task.created_at',
      'task.ended_at',
      'applications.name as app_name',
    ])
    .distinctOn(['task.application_id', 'task.platform', 'task.package_id', 'task.version'])
    .orderBy('task.application_id')
    .orderBy('task.platform')
    .orderBy('task.package_id')
    .orderBy('task.version')
    .orderBy('task.ended_at', 'desc')
    .execute()
}

async function failuresOf({ meta }: ServerDeps, tasks: readonly { id: string }[], query: Filter, item?: string) {
  let select = meta.db
    .selectFrom('detection_failures')
    .selectAll()
    .where('muted', '=', false)
    .where((where) => where('task_id', '=', where.fn.any(where.val(tasks.map(({ id }) => id)))))
  if (item !== undefined) select = select.where('item', '=', item)
  if (query.level !== '') select = select.where('level', '=', query.level)
  if (query.category !== '') select = select.where('category', '=', query.category)
  const rows = await select.execute()
  const words = query.search.toLowerCase()
  if (words === '') return rows
  const nameOf = await itemNames(meta)
  return rows.filter((row) => {
    const name = nameOf(row.item)
    return `${row.item}\n${name.zh}\n${name.en}`.toLowerCase().includes(words)
  })
}

/** One line an item. A level that strategies changed is given as the highest that any task has. */
function byItem(newest: readonly Newest[], failures: readonly Failure[], nameOf: (item: string) => Text) {
  const tasks = new Map(newest.map((task) => [task.id, task]))
  const last = new Map<string, Newest>()
  for (const task of newest) {
    const known = last.get(packageOf(task))
    if (!known || task.created_at > known.created_at) last.set(packageOf(task), task)
  }
  const groups = new Map<string, Failure[]>()
  for (const one of failures) {
    const group = groups.get(one.item)
    if (group) group.push(one)
    else groups.set(one.item, [one])
  }
  return [...groups].map(([item, rows]) => {
    const affected = rows.map((row) => tasks.get(row.task_id) as Newest)
    const level = rows.map((row) => row.level).toSorted((a, b) => WEIGHT[b] - WEIGHT[a])[0] as FindingLevel
    return {
      item,
      name: nameOf(item),
      category: rows[0]?.category ?? '',
      platform: affected[0]?.platform ?? ('android' as const),
      level,
      packages: new Set(affected.map(packageOf)).size,
      versions: affected.length,
      hits: rows.reduce((sum, { hits }) => sum + hits, 0),
      open: affected.filter((task) => last.get(packageOf(task))?.id === task.id).length,
      last_at: Math.max(...affected.map((task) => task.ended_at ?? task.created_at)),
    }
  })
}

const WEIGHT: Record<FindingLevel, number> = { high: 3, middle: 2, low: 1, info: 0 }
type Line = ReturnType<typeof byItem>[number]
const ORDERS: Record<'level' | 'packages' | 'versions' | 'hits', (line: Line) => number> = {
  level: (line) => WEIGHT[line.level],
  packages: (line) => line.packages,
  versions: (line) => line.versions,
  hits: (line) => line.hits,
}

/** By day of the platform's zone, over all detected tasks and not only the newest of a version. */
async function trendOf(deps: ServerDeps, caller: Caller, query: Filter) {
  const { zone } = deps.settings()
  const level = (name: FindingLevel) => sql<number>`coalesce(sum((task.counts->>${name})::int), 0)`.as(name)
  const rows = await filtered(deps, caller, query)
    .select([
      sql<string>`to_char(to_timestamp(task.ended_at / 1000.0) at time zone ${zone}, 'YYYY-MM-DD')`.as('day'),
      (eb) => eb.fn.countAll<number>().as('tasks'),
      level('high'),
      level('middle'),
      level('low'),
      level('info'),
      sql<number>`avg(task.score)`.as('mean_score'),
    ])
    .groupBy('day')
    .orderBy('day')
    .execute()
  return rows.map(({ day, tasks, high, middle, low, info, mean_score }) => ({
    day,
    tasks: Number(tasks),
    failed: { high: Number(high), middle: Number(middle), low: Number(low), info: Number(info) },
    mean_score: Math.round(Number(mean_score) * 10) / 10,
  }))
}
