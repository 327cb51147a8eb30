import type { EntryOrigin } from '#contracts/http/vulnerabilities.ts'
import { type Certainty, touches } from '#engines/vulnlib/affected-range.ts'
import type { Vulnerability } from '#engines/vulnlib/vulnerability.ts'
import type { MetaStore } from '#storage/postgres/database.ts'
import { BUILT_IN } from './built-in.ts'

export type TaskVulnerability = {
  entry: Vulnerability
  origin: EntryOrigin
  component: string
  version: string
  certainty: Certainty
}

/**
 * Accepted entries that name a component of a detected package: those of the library by their ranges, those that ship with the product by the
 * engine's own list.
 */
export async function taskVulnerabilities({ db }: Pick<MetaStore, 'db'>, task: string): Promise<TaskVulnerability[]> {
  const [named, stored] = await Promise.all([
    db
      .selectFrom('detection_components')
      .select(['group_name as group', 'name', 'version', 'vulnerabilities'])
      .where('task_id', '=', task)
      .execute(),
    db
      .selectFrom('detection_components as component')
      .innerJoin('vulnerability_products as named', 'named.product', 'component.product')
      .innerJoin('vulnerabilities', 'vulnerabilities.number', 'named.number')
      .where('component.task_id', '=', task)
      .where('vulnerabilities.state', '=', 'accepted')
      .select(['component.group_name as group', 'component.name', 'component.version'])
      .select(['vulnerabilities.entry', 'vulnerabilities.origin'])
      .execute(),
  ])
  const found = new Map<string, TaskVulnerability>()
  const add = (one: TaskVulnerability) => {
    const key = `${one.entry.number} ${one.component} ${one.version}`
    if (found.get(key)?.certainty !== 'affected') found.set(key, one)
  }
  const labelOf = ({ group, name }: { group: string; name: string }) => (group ? `${group}:${name}` : name)
  for (const { vulnerabilities, ...component } of named)
    for (const number of vulnerabilities) {
      const entry = BUILT_IN.get(number)
      const { version } = component
      if (entry) add({ entry, origin: 'built_in', component: labelOf(component), version, certainty: 'affected' })
    }
  for (const { entry, origin, ...component } of stored) {
    const one = entry as Vulnerability
    const certainty = BUILT_IN.has(one.number) ? undefined : touches(one.ranges ?? [], component)
    if (certainty) add({ entry: one, origin, component: labelOf(component), version: component.version, certainty })
  }
  return [...found.values()]
}
