import type { QueryState } from '../query/use-query-state.ts'

/** State of a table, kept in the address: sort key, page, hidden columns, density. */
export type TableState = {
  sort: string
  page: number
  hidden: readonly string[]
  density: 'normal' | 'dense'
}

/** Reads what the address says; what it does not know (a column that is gone, a sort key of another table) is left out. */
export function readTableState(
  params: URLSearchParams,
  table: { sorts: readonly string[]; columns: readonly string[] },
): TableState {
  const sort = params.get('sort')
  const page = Number(params.get('page') ?? 1)
  return {
    sort: sort !== null && table.sorts.includes(sort) ? sort : (table.sorts[0] ?? ''),
    page: Number.isInteger(page) && page >= 1 && page <= 100_000 ? page : 1,
    hidden: (params.get('hide') ?? '').split(',').filter((id) => table.columns.includes(id)),
    density: params.get('dense') === '1' ? 'dense' : 'normal',
  }
}

/** The address parameters of a change; defaults are left out. */
export function tableParams(change: Partial<TableState>): Record<string, string | null> {
  const params: Record<string, string | null> = {}
  if (change.sort !== undefined) {
    params['sort'] = change.sort
    params['page'] = null
  }
  if (change.page !== undefined) params['page'] = change.page > 1 ? String(change.page) : null
  if (change.hidden !== undefined) params['hide'] = change.hidden.length > 0 ? change.hidden.join(',') : null
  if (change.density !== undefined) params['dense'] = change.density === 'dense' ? '1' : null
  return params
}

export function useTableState(
  state: Pick<QueryState, 'params' | 'setParams'>,
  table: { sorts: readonly string[]; columns: readonly string[] },
): [TableState, (change: Partial<TableState>) => void] {
  return [readTableState(state.params, table), (change) => state.setParams(tableParams(change))]
}
