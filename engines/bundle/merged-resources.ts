import type { ResourceTable } from '../arsc/resource-table.ts'

/** The tables of a base and its splits as one. */
export function mergedResources(tables: readonly ResourceTable[]): ResourceTable | undefined {
  if (tables.length < 2) return tables[0]
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
      for (const table of tables) yield* table.all()
    },
    locales: () => [...new Set(tables.flatMap((table) => table.locales()))].sort(),
    notes: tables.flatMap(({ notes }) => notes),
  }
}
