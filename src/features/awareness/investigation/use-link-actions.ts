import { Copy, ExternalLink, List, Maximize2, Minimize2, Route } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import type { Filter } from '#domain/query.ts'
import {
  type LinkNode,
  type Links,
  linkId,
  parseBuildKey,
  type Subject,
  type SubjectKind,
  subjectText,
} from '#domain/trail.ts'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import type { MenuEntry } from '#src/shared/ui/menu-button.tsx'
import { isShownInFull } from './link-names.ts'
import { traceTexts } from './trace-texts.ts'
import { eventsQuery, forgetTrace } from './use-trace.ts'

/** What can be done with a node of the graph. The first entry is what Enter or a click means. */
export function useLinkActions({
  state,
  subject,
  links,
  expanded,
  onToggle,
}: {
  state: QueryState
  subject: Subject
  links: Links | undefined
  expanded: ReadonlySet<string>
  onToggle: (node: LinkNode) => void
}): (node: LinkNode) => MenuEntry[] {
  const t = useTexts(traceTexts)
  const navigate = useNavigate()
  const open = useOpenEvents(state)
  return (node) => {
    const entries: MenuEntry[] = []
    const { kind, key } = node
    if (node.hop > 0 && kind !== 'build' && isShownInFull(node))
      entries.push({
        id: 'trace',
        label: t('openNode'),
        icon: Route,
        onAction: () => state.setParams({ ...forgetTrace, subject: subjectText({ kind: kind as SubjectKind, key }) }),
      })
    if (kind === 'device')
      entries.push({
        id: 'device',
        label: t('openDevice'),
        icon: ExternalLink,
        onAction: () => void navigate(`/statistics/user_check/${key}/?${carryQuery(state.query)}`),
      })
    const shared = node.hop === 1 && links ? sharedFilters(node, links) : null
    if (shared) {
      const span = { from: node.firstAt, to: node.lastAt }
      entries.push({
        id: 'events',
        label: t('openEvents'),
        icon: List,
        hint: String(node.events),
        onAction: () => open.openRows(eventsQuery(state.query, subject, span, shared)),
      })
    }
    if (node.hop > 0 && isShownInFull(node)) {
      const isOpen = expanded.has(linkId(node))
      entries.push({
        id: 'expand',
        label: t(isOpen ? 'foldNode' : 'expandNode'),
        icon: isOpen ? Minimize2 : Maximize2,
        onAction: () => onToggle(node),
      })
    }
    if (kind !== 'build')
      entries.push({ id: 'copy', label: t('copyKey'), icon: Copy, onAction: () => void copyToClipboard(key) })
    return entries
  }
}

/** Filters that name exactly the events of a direct link; null where no filter can (a signer is no dimension). */
function sharedFilters(node: LinkNode, links: Links): Filter[] | null {
  if (!isShownInFull(node)) return null
  if (node.kind !== 'build') return [{ field: node.kind, op: 'is', values: [node.key] }]
  const build = parseBuildKey(node.key)
  if (!build) return null
  const builds = links.nodes.filter((one) => one.kind === 'build' && one.hop === 1)
  const twins = builds.filter((one) => {
    const other = parseBuildKey(one.key)
    return other?.app === build.app && other.version === build.version
  })
  if (twins.length > 1 || links.totals.build > builds.length) return null
  return [
    { field: 'app', op: 'is', values: [build.app] },
    { field: 'version', op: 'is', values: [build.version] },
  ]
}
