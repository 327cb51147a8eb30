import { Copy, CornerDownLeft, ExternalLink, Filter as FilterIcon, FolderPlus, Route } from 'lucide-react'
import type { SearchHit } from '#contracts/http/search.ts'
import { PAGES } from '#contracts/pages.ts'
import { type Filter, queryToParams } from '#domain/query.ts'
import type { IconType } from '#src/shared/ui/icon.tsx'

export type HitVerb = 'open' | 'newTab' | 'copy' | 'statistics' | 'trace' | 'pin'
export type HitAction = { verb: HitVerb; icon: IconType; keys?: string; to?: string }

/** What can be done with a hit, the usual first; only what the account may do. */
export function hitActions(hit: SearchHit, auth: readonly string[]): HitAction[] {
  const may = (authority: string) => auth.includes(authority)
  const actions: HitAction[] = [
    { verb: 'open', icon: CornerDownLeft, keys: '↵', to: hit.to },
    { verb: 'newTab', icon: ExternalLink, keys: 'Ctrl ↵', to: hit.to },
  ]
  const filter = filterOf(hit)
  if (filter && may('statistics') && may('events.read'))
    actions.push({ verb: 'statistics', icon: FilterIcon, to: statisticsOf(filter) })
  if ((hit.kind === 'device' || hit.kind === 'user') && may('mssa'))
    actions.push({
      verb: 'trace',
      icon: Route,
      to: `${PAGES.investigation.path}?subject=${hit.kind}:${hit.id}&apps=all`,
    })
  if (['device', 'user', 'event'].includes(hit.kind) && may('investigation.edit') && may('events.read'))
    actions.push({ verb: 'pin', icon: FolderPlus })
  actions.push({ verb: 'copy', icon: Copy, keys: 'Ctrl C' })
  return actions
}

function filterOf({ kind, id }: SearchHit): Filter | undefined {
  if (kind === 'application') return { field: 'app', op: 'is', values: [id] }
  return kind === 'device' || kind === 'user' ? { field: kind, op: 'is', values: [id] } : undefined
}

function statisticsOf(filter: Filter): string {
  const params = queryToParams({ range: '-7d', timeBasis: 'occurred', compare: 'none', filters: [filter] })
  if (filter.field !== 'app') params.set('apps', 'all')
  return `${PAGES.user_analysis.path}?${params}`
}
