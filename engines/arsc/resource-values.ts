import type { NamedResource, ResourceTable } from './resource-table.ts'

/** Every value in a table. */
export function allResources(table: ResourceTable): Iterable<NamedResource> {
  return table.all()
}
