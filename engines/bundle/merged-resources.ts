import type { ResourceTable } from '../arsc/resource-table.ts'

/** A table and the entry of the package that it was read from. */
export interface PlacedTable {
  readonly entry: string
  readonly table: ResourceTable
}

/** The tables of a base and its splits as one; each value has its location. */
export function mergedResources(placed: readonly PlacedTable[]): ResourceTable | undefined {
  if (!placed.length) return undefined
  const tables = placed.map(({ table }) => table)
  return {
    valuesOf: (id) => tables.flatMap((table) => table.valuesOf(id)),
    nameOf(id) {
      for (const table of tables) {
        const name = table.nameOf(id)
        if (name) return name
      }
      return undefined
    },
    *all() {
      for (const { entry, table } of placed) for (const one of table.all()) yield { ...one, entry }
    },
    locales: () => [...new Set(tables.flatMap((table) => table.locales()))].sort(),
    notes: tables.flatMap(({ notes }) => notes),
  }
}
