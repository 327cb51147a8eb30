import { SEARCH_KINDS, type SearchHit, type SearchKind } from '#contracts/http/search.ts'
import type { Action } from '#src/shared/ui/actions.ts'

export type PaletteRow = { id: string; action: Action } | { id: string; hit: SearchHit }
export type PaletteGroup = {
  id: string
  title: string
  rows: readonly PaletteRow[]
  /** The server found it. */
  isFound: boolean
  /** There are more than these. */
  more: boolean
}

/** With a search, so many actions of one heading at most: what was looked for is often below. */
const MOST_FOUND = 6
const MOST = 40

/**
 * What the list shows. Exact hits of the server stand first; then what the browser finds by itself, so that results that come later are
 * added below and nothing moves under the pointer; then the other hits.
 */
export function paletteGroups({
  actions,
  groups,
  recent,
  text,
  language,
  recentTitle,
}: {
  actions: readonly Action[]
  groups: readonly { kind: SearchKind; hits: readonly SearchHit[]; more: boolean }[]
  recent: readonly SearchHit[]
  text: string
  language: 'zh' | 'en'
  recentTitle: string
}): PaletteGroup[] {
  const isSearch = text.trim() !== ''
  const offered = grouped(actions.slice(0, isSearch ? undefined : MOST), isSearch ? MOST_FOUND : MOST)
  if (!isSearch) {
    const rows = recent.map((hit) => ({ id: `recent.${hit.kind}.${hit.id}`, hit }))
    return rows.length > 0
      ? [{ id: 'recent', title: recentTitle, rows, isFound: false, more: false }, ...offered]
      : offered
  }
  // An application that the header could switch to is offered once.
  const ids = new Set(offered.flatMap((group) => group.rows.map(({ id }) => id)))
  const found = groups.flatMap(({ kind, hits, more }) => {
    const rows = hits.filter(({ id }) => !ids.has(`${kind}.${id}`)).map((hit) => ({ id: `${kind}.${hit.id}`, hit }))
    return rows.length > 0
      ? [{ id: `kind.${kind}`, title: SEARCH_KINDS[kind][language], rows, isFound: true, more }]
      : []
  })
  const isExact = (group: { rows: readonly { hit: SearchHit }[] }) => group.rows.some(({ hit }) => hit.exact)
  return [...found.filter(isExact), ...offered, ...found.filter((group) => !isExact(group))]
}

function grouped(actions: readonly Action[], most: number): PaletteGroup[] {
  const groups = new Map<string, PaletteRow[]>()
  for (const action of actions) {
    const rows = groups.get(action.group) ?? []
    if (rows.length < most) rows.push({ id: action.id, action })
    groups.set(action.group, rows)
  }
  return [...groups].map(([title, rows]) => ({ id: title, title, rows, isFound: false, more: false }))
}
