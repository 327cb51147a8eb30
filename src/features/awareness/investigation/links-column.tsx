import { ListCollapse, Table2, UnfoldVertical } from 'lucide-react'
import {
  EXPAND_LIMITS,
  LINK_LIMITS,
  type LinkNode,
  type LinkRef,
  LinkRefSchema,
  linkId,
  type Subject,
} from '#domain/trail.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { LinkGraph } from './link-graph.tsx'
import { LinkTable } from './link-table.tsx'
import { traceTexts } from './trace-texts.ts'
import { useLinkActions } from './use-link-actions.ts'
import { useLinks } from './use-trace.ts'

/** Who and what the subject is linked with: bounded, and it says how much of all it shows. */
export function LinksColumn({ state, subject, now }: { state: QueryState; subject: Subject; now: number | undefined }) {
  const t = useTexts(traceTexts)
  const most = state.params.get('more') === '1'
  const limit = most ? LINK_LIMITS.most : LINK_LIMITS.first
  const expand = readExpand(state.params.get('expand'))
  const asTable = state.params.get('links') === 'table'
  const { data, error, isFetching, refetch } = useLinks(state, subject, { now, limit, expand })
  const links = data?.data
  const toggle = (node: LinkNode) => {
    const ids = new Set(expand.map(linkId))
    const next = ids.has(linkId(node))
      ? expand.filter((one) => linkId(one) !== linkId(node))
      : [...expand, { kind: node.kind, key: node.key }].slice(-EXPAND_LIMITS.nodes)
    state.setParams({ expand: writeExpand(next) })
  }
  const actionsOf = useLinkActions({ state, subject, links, expanded: new Set(expand.map(linkId)), onToggle: toggle })
  const total = links ? Object.values(links.totals).reduce((sum, one) => sum + one, 0) : 0
  const shownDirect = links?.nodes.filter((node) => node.hop === 1).length ?? 0
  const rest = links
    ? Object.values(links.totals).reduce((sum, one) => sum + Math.min(one, LINK_LIMITS.most), 0) - shownDirect
    : 0
  return (
    <Section
      plain
      title={t('links')}
      state={!links && !error ? 'loading' : isFetching ? 'refreshing' : 'ready'}
      note={links && t('linksNote', { shown: formatExact(links.nodes.length - 1), total: formatExact(total) })}
      actions={
        <>
          {!most && rest > 0 && (
            <Button
              size="small"
              icon={UnfoldVertical}
              title={t('expandMost', { count: LINK_LIMITS.most })}
              onPress={() => state.setParams({ more: '1' })}
            >
              {t('expandAll', { count: rest })}
            </Button>
          )}
          {(most || expand.length > 0) && (
            <IconButton
              size="small"
              label={t('fold')}
              icon={ListCollapse}
              onPress={() => state.setParams({ more: null, expand: null })}
            />
          )}
          <IconButton
            size="small"
            label={t('asList')}
            icon={Table2}
            isSelected={asTable}
            onPress={() => state.setParams({ links: asTable ? null : 'table' }, true)}
          />
        </>
      }
    >
      {error ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : links && links.nodes.length < 2 ? (
        <p className="px-5 py-4 text-12 text-muted">{t('noLinks')}</p>
      ) : (
        links &&
        (asTable ? (
          <LinkTable links={links} actionsOf={actionsOf} />
        ) : (
          <LinkGraph links={links} actionsOf={actionsOf} />
        ))
      )}
    </Section>
  )
}

function readExpand(text: string | null): LinkRef[] {
  return (text ?? '')
    .split(',')
    .flatMap((one) => {
      const at = one.indexOf(':')
      try {
        const parsed = LinkRefSchema.safeParse({ kind: one.slice(0, at), key: decodeURIComponent(one.slice(at + 1)) })
        return parsed.success ? [parsed.data] : []
      } catch {
        return []
      }
    })
    .slice(0, EXPAND_LIMITS.nodes)
}

function writeExpand(nodes: readonly LinkRef[]): string | null {
  return nodes.map(({ kind, key }) => `${kind}:${encodeURIComponent(key)}`).join(',') || null
}
