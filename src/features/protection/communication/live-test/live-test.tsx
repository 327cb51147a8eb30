import { FlaskConical } from 'lucide-react'
import { REFUSAL_REASONS } from '#domain/communication.ts'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { componentTexts } from '../component-texts.ts'
import { BrokenTable } from './broken-table.tsx'
import type { LiveTestState } from './live-test-state.ts'
import { ms, StageList, TimeBar } from './stage-list.tsx'

/** The stages of a live test as far as it has come, then the broken messages. */
export function LiveTest({
  state,
  error,
  keyText,
  isOwn,
  onRetry,
}: {
  state: LiveTestState | null
  error: Error | null
  keyText: string
  /** Whether the gateway that is chosen is the console's own. */
  isOwn: boolean
  onRetry: () => void
}) {
  const t = useTexts(componentTexts)
  const language = useLanguage()
  const total = state?.stages.reduce((sum, { micros }) => sum + micros, 0) ?? 0
  return (
    <>
      <Section
        plain
        title={t('test')}
        note={t('testNote')}
        actions={total > 0 && <span className="pr-2 text-12 text-muted">{t('total', { ms: ms(total) })}</span>}
      >
        <p className="px-5 pb-2 text-12 text-muted max-lg:px-4" data-testid="which-gateway">
          {t((state?.isOwn ?? isOwn) ? 'ownNote' : 'realNote')}
        </p>
        {error ? (
          <ErrorState error={error as ApiError} onRetry={onRetry} />
        ) : state ? (
          <StageList stages={state.stages} keyText={keyText} />
        ) : (
          <EmptyState kind="none" icon={FlaskConical} title={t('idle')} hint={t('idleHint')} />
        )}
        {state?.refusal && (
          <p role="alert" className="px-5 pb-3 text-bad-text max-lg:px-4">
            {t('refusedGood', {
              reason:
                REFUSAL_REASONS[state.refusal.outcome]?.[language] ??
                `${state.refusal.outcome} ${state.refusal.status}`,
            })}
          </p>
        )}
      </Section>
      {state && total > 0 && <TimeBar stages={state.stages} />}
      {state && state.broken.length > 0 && <BrokenTable results={state.broken} />}
    </>
  )
}
