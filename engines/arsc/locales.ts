import { localeOf } from './resource-config.ts'
import type { ResourceTable } from './resource-table.ts'

/** The languages that the table has values for, '' for the default, sorted. */
export function localesOf(table: ResourceTable): string[] {
  const locales = new Set<string>()
  for (const owner of table.packages)
    for (const type of owner.types.values()) for (const chunk of type.chunks) locales.add(localeOf(chunk.config))
  return [...locales].sort()
}
