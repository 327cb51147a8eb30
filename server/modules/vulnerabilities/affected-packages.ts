import { sql } from 'kysely'
import { type Certainty, type Component, productKey, touches } from '#engines/vulnlib/affected-range.ts'
import type { Vulnerability } from '#engines/vulnlib/vulnerability.ts'
import { log } from '#runtime/log.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import type { Caller } from '../../http/module.ts'
import { tasksOf } from '../detection/task-rows.ts'

/** Components that are compared for one entry. */
const MOST_COMPONENTS = 5000

export type AffectedPackage = {
  task: string
  /** null: of no application; then `owner` sees it. */
  application: number | null
  owner: number | null
  name: string
  version: string
  component: string
  componentVersion: string
  certainty: Certainty
}

/** Whose detections are compared: those that the caller sees. */
type Viewer = Pick<Caller, 'scope' | 'userId'>

/**
 * Packages with a component that the entry names, the newest detection of each version of a package. By the ranges of the entry where it
 * has some, else by the engine's own list, which knows the numbers that ship with the product.
 */
export async function affectedPackages(
  meta: MetaStore,
  viewer: Viewer,
  { number, ranges = [] }: Vulnerability,
): Promise<AffectedPackage[]> {
  const products = [...new Set(ranges.map(({ product }) => productKey(product)))].filter(Boolean)
  const rows = await tasksOf(meta, viewer)
    .innerJoin('detection_components as component', 'component.task_id', 'task.id')
    .where('task.state', '=', 'detected')
    .where((where) =>
      products.length > 0
        ? where('component.product', 'in', products)
        : sql<boolean>`component.vulnerabilities @> array[${number}]`,
    )
    .select([
      'task.id as task',
      'task.application_id as application',
      'task.owner_id as owner',
      'task.name',
      'task.version',
    ])
    .select(['task.package_id', 'task.platform', 'component.group_name', 'component.name as component'])
    .select('component.version as componentVersion')
    .orderBy('task.ended_at', 'desc')
    .limit(MOST_COMPONENTS)
    .execute()
  if (rows.length === MOST_COMPONENTS)
    log.warn({ number }, `vulnerabilities: only the newest ${MOST_COMPONENTS} components are compared with an entry`)
  const newest = new Map<string, string>()
  const found: AffectedPackage[] = []
  for (const row of rows) {
    const version = [row.application, row.owner, row.platform, row.package_id, row.version].join(' ')
    if ((newest.get(version) ?? row.task) !== row.task) continue
    newest.set(version, row.task)
    const component: Component = { group: row.group_name, name: row.component, version: row.componentVersion }
    const certainty = products.length > 0 ? touches(ranges, component) : 'affected'
    if (!certainty) continue
    const { task, application, owner, name, componentVersion } = row
    const label = row.group_name ? `${row.group_name}:${row.component}` : row.component
    found.push({ task, application, owner, name, version: row.version, component: label, componentVersion, certainty })
  }
  return found
}

/** Detections of the caller whose components were not compared yet. */
export async function unexamined(meta: MetaStore, viewer: Viewer): Promise<number> {
  const row = await tasksOf(meta, viewer)
    .where('task.state', '=', 'detected')
    .where('task.components_kept', '=', false)
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(row.count)
}
