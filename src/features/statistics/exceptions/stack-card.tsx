import { CircleCheck, Copy } from 'lucide-react'
import { exceptionStack } from '#contracts/http/exceptions.ts'
import type { EventRow } from '#domain/query.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { copyToClipboard } from '#src/shared/ui/copy-text.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { exceptionTexts } from './exception-texts.ts'
import { StackFrames } from './stack-frames.tsx'
import { stackText } from './stack-lines.ts'

const VIEWS = ['ownFirst', 'allFrames', 'text'] as const

/** The stack of one event: own frames stand out, library frames fold, names are given back where the version's files are there. */
export function StackCard({ row, state }: { row: EventRow; state: QueryState }) {
  const t = useTexts(exceptionTexts)
  const result = useEndpoint(
    exceptionStack,
    { query: { appid: row.app, id: row.id } },
    { staleTime: 60_000, placeholderData: (before) => before },
  )
  const data = result.data?.data
  const view = VIEWS.find((one) => one === state.params.get('frames')) ?? 'ownFirst'
  const showsSentNames = state.params.get('names') === 'sent'
  const segments = data ? (!showsSentNames && data.retraced) || data.raw : []
  const frames = segments.flatMap((segment) => segment.frames)
  const detail = (row.extra['detail'] ?? {}) as Record<string, unknown>
  const thread = typeof detail['thread'] === 'string' ? `${detail['thread']}, ` : ''
  const copy = async () => {
    if (await copyToClipboard(data?.retraced && !showsSentNames ? stackText(segments) : (data?.text ?? '')))
      toast.success(t('copied'))
  }
  return (
    <Section
      plain
      title={t('stack')}
      note={
        frames.length > 0 && t('frames', { thread, count: frames.length, own: frames.filter((one) => one.own).length })
      }
      state={!data && !result.error ? 'loading' : result.isPlaceholderData ? 'refreshing' : 'ready'}
      skeleton={<Skeleton lines={10} height="18px" className="px-5 py-2" />}
      className="border-b"
      actions={
        data?.text && (
          <>
            {data.retraced && (
              <>
                {!showsSentNames && (
                  <span className="inline-flex items-center gap-1 pr-1 text-12 text-good-text">
                    <Icon of={CircleCheck} size={14} />
                    {t('retraced')} {row.version}
                  </span>
                )}
                <SegmentedControl
                  size="small"
                  label={t('names')}
                  value={showsSentNames ? 'sent' : 'back'}
                  onChange={(next) => state.setParams({ names: next === 'sent' ? 'sent' : null }, true)}
                  items={[
                    { id: 'back', label: t('retraced') },
                    { id: 'sent', label: t('asSent') },
                  ]}
                />
              </>
            )}
            <SegmentedControl
              size="small"
              label={t('shown')}
              value={view}
              onChange={(next) => state.setParams({ frames: next === 'ownFirst' ? null : next }, true)}
              items={VIEWS.map((id) => ({ id, label: t(id) }))}
            />
            <IconButton size="small" icon={Copy} label={t('copy')} onPress={() => void copy()} />
          </>
        )
      }
    >
      {result.error ? (
        <ErrorState error={result.error} onRetry={() => void result.refetch()} />
      ) : !data?.text ? (
        <EmptyState kind="missing" title={t('noStack')} hint={t('noStackHint')} />
      ) : (
        <div className="pb-3">
          {data.obfuscated && <p className="px-5 pb-1 text-12 text-warn-text">{t('shrunkNote')}</p>}
          {view === 'text' ? (
            <pre className="mx-5 overflow-x-auto rounded bg-code p-3 font-mono text-12/5">
              {data.retraced && !showsSentNames ? stackText(segments) : data.text}
            </pre>
          ) : (
            segments.map((segment, index) => (
              <StackFrames
                // biome-ignore lint/suspicious/noArrayIndexKey: segments of one stack have an order and nothing else
                key={`${row.id}-${index}`}
                segment={segment}
                isFirst={index === 0}
                folded={view === 'ownFirst'}
              />
            ))
          )}
          {data.cut && <p className="px-5 pt-1 text-12 text-muted">{t('cut')}</p>}
        </div>
      )}
    </Section>
  )
}
