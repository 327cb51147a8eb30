import { useActions } from '../ui/actions.ts'
import { type TableState, useTableState } from './table-state.ts'
import { type Address, useAddress } from './use-address.ts'

/** Rows a page of a list has. */
export const PAGE_SIZE = 20

export type ListState<Filter extends string> = Address & {
  table: TableState
  setTable: (change: Partial<TableState>) => void
  /** Sets a filter (null removes it) and returns to the first page; typing replaces the history entry. */
  filter: (name: Filter, value: string | null) => void
  /** Whether any filter is set. */
  isFiltered: boolean
  clear: () => void
  /** DOM id of the search box that `/` focuses. */
  searchId: string
  /** What the server is asked for. */
  paging: { offset: number; limit: number }
}

/** The view state of a searchable list, kept in its address: filters, sort, page and columns; `/` focuses its search box. */
export function useListState<Filter extends string>({
  name,
  filters,
  typed = [],
  sorts,
  columns,
  searchLabel,
  actionGroup,
}: {
  /** Prefix of the list's action and search box. */
  name: string
  /** Address parameters that narrow the list. */
  filters: readonly Filter[]
  /** Those of them that are typed, besides `find`. */
  typed?: readonly Filter[]
  sorts: readonly string[]
  columns: readonly { id: string }[]
  searchLabel: string
  /** Heading of the action in the command palette. */
  actionGroup: string
}): ListState<Filter> {
  const address = useAddress()
  const { params, setParams } = address
  const [table, setTable] = useTableState(address, { sorts, columns: columns.map((one) => one.id) })
  const searchId = `${name}-find`
  useActions([
    {
      id: `${name}.find`,
      label: searchLabel,
      group: actionGroup,
      keys: '/',
      run: () => document.getElementById(searchId)?.focus(),
    },
  ])
  return {
    ...address,
    table,
    setTable,
    filter: (filter, value) => setParams({ [filter]: value, page: null }, filter === 'find' || typed.includes(filter)),
    isFiltered: filters.some((filter) => params.has(filter)),
    clear: () => setParams(Object.fromEntries([...filters, 'page'].map((filter) => [filter, null]))),
    searchId,
    paging: { offset: (table.page - 1) * PAGE_SIZE, limit: PAGE_SIZE },
  }
}
