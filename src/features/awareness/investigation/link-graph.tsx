import { Network, Package, Smartphone, User } from 'lucide-react'
import { Button } from 'react-aria-components'
import type { LinkKind, LinkNode, Links } from '#domain/trail.ts'
import { formatExact, formatNumber } from '#src/shared/format/number.ts'
import { type Translate, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { MenuButton, type MenuEntry } from '#src/shared/ui/menu-button.tsx'
import { layoutLinks, type PlacedNode } from './link-layout.ts'
import { useLinkName } from './link-names.ts'
import { traceTexts } from './trace-texts.ts'
import { useWidth } from './use-width.ts'

export const LINK_ICONS: Record<LinkKind, IconType> = {
  device: Smartphone,
  user: User,
  address: Network,
  build: Package,
}

/** Ties as lines (solid: the subject's own, as wide as they are heavy; dashed: through another node), nodes as buttons over them. */
export function LinkGraph({ links, actionsOf }: { links: Links; actionsOf: (node: LinkNode) => MenuEntry[] }) {
  const t = useTexts(traceTexts)
  const [ref, width] = useWidth()
  const nameOf = useLinkName(links)
  const picture = layoutLinks(links, Math.max(320, width - 24))
  return (
    <div ref={ref} className="min-w-0 overflow-x-auto px-3">
      <fieldset
        aria-label={t('graph')}
        className="relative min-w-80"
        style={{ height: picture.height }}
        data-testid="link-graph"
      >
        <svg
          aria-hidden="true"
          width="100%"
          height={picture.height}
          className="absolute inset-0 overflow-visible"
          fill="none"
        >
          {picture.edges.map((edge) => (
            <path
              key={edge.key}
              d={edge.path}
              stroke={edge.dashed ? 'var(--line-strong)' : 'var(--bar-hover)'}
              strokeWidth={edge.width}
              {...(edge.dashed && { strokeDasharray: '3 3' })}
            />
          ))}
        </svg>
        {width > 0 &&
          picture.nodes.map((placed) => (
            <NodeButton key={placed.id} placed={placed} name={nameOf(placed.node)} actions={actionsOf(placed.node)} />
          ))}
      </fieldset>
    </div>
  )
}

function NodeButton({ placed, name, actions }: { placed: PlacedNode; name: string; actions: MenuEntry[] }) {
  const t = useTexts(traceTexts)
  const { node, x, y, side } = placed
  const note = noteOf(node, t)
  const label = [t(node.kind), name, side === 'middle' ? '' : formatExact(node.events), note].filter(Boolean).join(', ')
  const mono = node.kind === 'build' ? '' : 'font-mono'
  if (side === 'middle')
    return (
      <span
        className="absolute flex -translate-x-1/2 flex-col items-center gap-0.5 pointer-events-none"
        style={{ left: x, top: y - 18 }}
        title={node.key}
      >
        <span className="flex size-9 items-center justify-center rounded-full border-2 border-brand bg-surface shadow-[0_0_0_4px_var(--ring)]">
          <Icon of={LINK_ICONS[node.kind]} />
        </span>
        <b className="-ml-4 mt-1 rounded-small bg-surface px-1 font-mono text-12 whitespace-nowrap">{name}</b>
      </span>
    )
  return (
    <MenuButton
      label={label}
      placement={side === 'left' ? 'bottom start' : 'bottom end'}
      items={actions}
      trigger={
        <Button
          aria-label={label}
          className={`absolute flex h-6 items-center gap-1.5 rounded-small pr-1 text-12 whitespace-nowrap hover:bg-hover ${side === 'right' ? 'right-0' : 'max-w-32'}`}
          style={{ left: x - 10, top: y - 12 }}
        >
          <span
            className={`flex size-5 flex-none items-center justify-center rounded-full border bg-surface text-muted ${node.shared ? 'border-dashed' : ''} ${node.hop === 1 ? 'border-muted' : 'border-line-strong'}`}
          >
            <Icon of={LINK_ICONS[node.kind]} size={12} />
          </span>
          <span
            className={`text-clip-line ${mono} ${node.hop === 2 || node.shared ? 'text-muted' : ''}`}
            title={note || name}
          >
            {name}
          </span>
          {node.shared && <span className="flex-none rounded-[3px] bg-neutral px-1 text-muted">NAT</span>}
          {side === 'right' && !node.shared && (
            <span className="ml-auto pl-1 text-muted">{formatNumber(node.events, 10_000)}</span>
          )}
        </Button>
      }
    />
  )
}

/** Why a shared address is no evidence. */
export function noteOf(node: LinkNode, t: Translate<'sharedAddress' | 'networkOnly' | 'seenWith'>): string {
  if (node.shared)
    return node.key.replace(/#\d+$/, '').includes('/') && node.devices <= 1
      ? t('networkOnly')
      : t('sharedAddress', { count: node.devices })
  return node.kind === 'user' || node.kind === 'address' ? t('seenWith', { count: node.devices }) : ''
}
