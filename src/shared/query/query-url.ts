import {
  canonicalFilters,
  type Dimension,
  type Filter,
  type Query,
  queryFromParams,
  queryToParams,
} from '#domain/query.ts'

/**
 * The query in the address bar of a page. Without an application in the address the current one applies, so that a page follows the
 * header; `apps=all` says that none does. Parameters that belong to others (sorting, open drawer) are kept.
 */

export type QueryDefaults = Partial<Omit<Query, 'filters'>>
const OWN_PARAMS = ['range', 'tb', 'cmp', 'f', 'apps'] as const

export function readQuery(params: URLSearchParams, defaults: QueryDefaults, currentApp: string | null): Query {
  const query = queryFromParams(params, defaults)
  const named = query.filters.some((filter) => filter.field === 'app')
  if (named || currentApp === null || params.get('apps') === 'all') return query
  return { ...query, filters: [{ field: 'app', op: 'is', values: [currentApp] }, ...query.filters] }
}

/** A copy of `params` that says `query`. */
export function writeQuery(
  params: URLSearchParams,
  query: Query,
  defaults: QueryDefaults,
  currentApp: string | null,
): URLSearchParams {
  const implied = (filter: Filter) =>
    filter.field === 'app' && filter.op === 'is' && filter.values.join() === currentApp
  const written = queryToParams({ ...query, filters: query.filters.filter((filter) => !implied(filter)) })
  if (query.timeBasis !== (defaults.timeBasis ?? 'occurred')) written.set('tb', query.timeBasis)
  if (query.compare !== (defaults.compare ?? 'none')) written.set('cmp', query.compare)
  if (currentApp !== null && !query.filters.some((filter) => filter.field === 'app')) written.set('apps', 'all')
  for (const [name, value] of params) if (!OWN_PARAMS.some((own) => own === name)) written.append(name, value)
  return written
}

/** The address search that opens the same thing for everyone, whatever their current application. */
export function linkParams(
  params: URLSearchParams,
  query: Query,
  defaults: QueryDefaults,
  range = query.range,
): URLSearchParams {
  const written = writeQuery(params, { ...query, range }, defaults, null)
  if (!query.filters.some((filter) => filter.field === 'app')) written.set('apps', 'all')
  return written
}

/** The search of a page that shows the same query, without what belongs to the page it came from. */
export function carryQuery(query: Query): string {
  return linkParams(new URLSearchParams(), query, {}).toString()
}

/** With the value asked for (or excluded): joins a filter of that field, and leaves the opposite one. */
export function addFilter(
  filters: readonly Filter[],
  field: Dimension,
  values: readonly string[],
  exclude = false,
): Filter[] {
  const op = exclude ? 'not' : 'is'
  const kept = filters
    .map((one) => (one.field === field && one.op !== op ? without(one, values) : one))
    .filter((one) => one.values.length > 0)
  const joined = kept.find((one) => one.field === field && one.op === op)
  if (!joined) return [...kept, { field, op, values: [...new Set(values)] }]
  return kept.map((one) => (one === joined ? { ...one, values: [...new Set([...one.values, ...values])] } : one))
}

function without(filter: Filter, values: readonly string[]): Filter {
  return { ...filter, values: filter.values.filter((value) => !values.includes(value)) }
}

export function isFiltered(filters: readonly Filter[], field: Dimension, value: string): boolean {
  return filters.some((one) => one.field === field && one.op === 'is' && one.values.includes(value))
}

/** Equal queries have equal keys: caches and live topics. */
export function queryKey(query: Query): string {
  return JSON.stringify([query.range, query.timeBasis, query.compare, canonicalFilters(query.filters)])
}
