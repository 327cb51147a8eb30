import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTableState, type TableState, tableParams } from './table-state.ts'

const table = { sorts: ['attacks', 'events', 'last'], columns: ['user', 'level', 'risk', 'place'] }

test('[STAT-03] sort, page, columns and density go through the address', () => {
  fc.assert(
    fc.property(
      fc.record({
        sort: fc.constantFrom(...table.sorts),
        page: fc.integer({ min: 1, max: 100_000 }),
        hidden: fc.subarray(table.columns),
        density: fc.constantFrom<TableState['density']>('normal', 'dense'),
      }),
      (state) => {
        const params = new URLSearchParams()
        for (const [name, value] of Object.entries(tableParams(state))) if (value !== null) params.set(name, value)
        expect(readTableState(params, table)).toEqual(state)
      },
    ),
  )
})

test('an address of another table, or nonsense, opens the table at its start', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (sort, page, hide) => {
      const state = readTableState(new URLSearchParams({ sort, page, hide }), table)
      expect(table.sorts).toContain(state.sort)
      expect(state.page).toBeGreaterThanOrEqual(1)
      expect(state.hidden.every((id) => table.columns.includes(id))).toBe(true)
    }),
  )
  expect(tableParams({ sort: 'last' })).toEqual({ sort: 'last', page: null })
})
