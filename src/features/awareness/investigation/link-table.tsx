import { Ellipsis } from 'lucide-react'
import { type LinkNode, type Links, linkId } from '#domain/trail.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { MenuButton, type MenuEntry } from '#src/shared/ui/menu-button.tsx'
import { LINK_ICONS, noteOf } from './link-graph.tsx'
import { useLinkName } from './link-names.ts'
import { traceTexts } from './trace-texts.ts'

/** The graph as a table: every tie with its weight, its last time and what it was found through. */
export function LinkTable({ links, actionsOf }: { links: Links; actionsOf: (node: LinkNode) => MenuEntry[] }) {
  const t = useTexts(traceTexts)
  const nameOf = useLinkName(links)
  const zone = usePlatform((state) => state.zone)
  const nodes = new Map(links.nodes.map((node) => [linkId(node), node]))
  const parentOf = (node: LinkNode) => {
    const edge = links.edges.find(({ to }) => to === linkId(node))
    return edge && nodes.get(edge.from)
  }
  return (
    <div className="max-h-96 overflow-auto">
      <table aria-label={t('links')} className="w-full border-collapse text-12">
        <thead className="sticky top-0 z-1 bg-surface">
          <tr className="h-7 text-muted [&>th]:px-2 [&>th]:font-normal">
            <th scope="col" className="pl-5! text-left">
              {t('node')}
            </th>
            <th scope="col" className="text-left">
              {t('tie')}
            </th>
            <th scope="col" className="text-right">
              {t('events')}
            </th>
            <th scope="col" className="text-left">
              {t('lastAt')}
            </th>
            <th aria-label={t('openNode')} />
          </tr>
        </thead>
        <tbody>
          {links.nodes
            .filter((node) => node.hop > 0)
            .map((node) => {
              const parent = parentOf(node)
              return (
                <tr key={linkId(node)} className="border-t align-top [&>td]:px-2 [&>td]:py-1">
                  <td className="pl-5!">
                    <span className="flex items-center gap-1.5">
                      <Icon of={LINK_ICONS[node.kind]} size={14} className="text-muted" />
                      <span className={node.kind === 'build' ? '' : 'font-mono'}>{nameOf(node)}</span>
                    </span>
                    {noteOf(node, t) && (
                      <span className={node.shared ? 'text-warn-text' : 'text-muted'}>{noteOf(node, t)}</span>
                    )}
                  </td>
                  <td className="text-muted">
                    {node.hop === 1 || !parent ? t('direct') : t('through', { name: nameOf(parent) })}
                  </td>
                  <td className="text-right">{formatExact(node.events)}</td>
                  <td className="whitespace-nowrap text-muted">
                    {formatDateTime(node.lastAt, zone, 'minute', Date.now())}
                  </td>
                  <td className="pr-3!">
                    <MenuButton
                      label={nameOf(node)}
                      trigger={<IconButton size="small" label={nameOf(node)} icon={Ellipsis} />}
                      items={actionsOf(node)}
                    />
                  </td>
                </tr>
              )
            })}
        </tbody>
      </table>
    </div>
  )
}
