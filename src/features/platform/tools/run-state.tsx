import { CircleX, FileSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import { formatBytes } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { toolsTexts } from './tools-texts.ts'
import type { ToolRun } from './use-tool-run.ts'

/** What there is to show of a run: nothing yet, its progress with a way out, why it failed, or its result. */
export function RunState<T>({
  run: { state, cancel },
  wait,
  onRetry,
  children,
}: {
  run: { state: ToolRun<T>; cancel: () => void }
  /** What the tool will show. */
  wait: string
  onRetry?: () => void
  children: (result: T) => ReactNode
}) {
  const t = useTexts(toolsTexts)
  switch (state.phase) {
    case 'done':
      return <>{children(state.result)}</>
    case 'failed':
      return <ErrorState error={state.error} title={t('failed')} {...(onRetry && { onRetry })} />
    case 'idle':
      return <EmptyState kind="none" icon={FileSearch} title={t('nothing')} hint={wait} />
    case 'cancelled':
      return <EmptyState kind="none" icon={CircleX} title={t('cancelled')} hint={t('cancelledHint')} />
    default: {
      const isSending = state.phase === 'uploading'
      const sent = isSending ? `${formatBytes(state.sent)} / ${formatBytes(state.size)}` : ''
      return (
        <div aria-live="polite" className="mx-auto flex w-full max-w-140 flex-col gap-2 px-5 py-10">
          <div className="flex items-baseline gap-3">
            <span className="font-semibold">{t(isSending ? 'uploading' : 'reading')}</span>
            <span className="text-clip-line min-w-0 flex-1 text-12 text-muted">{state.names}</span>
            <span className="text-12 text-muted">{sent}</span>
          </div>
          <ProgressBar value={isSending ? state.sent / Math.max(1, state.size) : null} label={state.names} />
          <div className="pt-1">
            <Button size="small" onPress={cancel}>
              {t('cancel')}
            </Button>
          </div>
        </div>
      )
    }
  }
}
