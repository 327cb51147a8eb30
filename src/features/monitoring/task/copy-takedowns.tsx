import { ClipboardPen } from 'lucide-react'
import { useState } from 'react'
import { TAKEDOWN_MOVES, TAKEDOWN_STATES, type Takedown, takedowns } from '#contracts/http/monitoring/takedowns.ts'
import type { MonitorCopy } from '#contracts/http/monitoring/tasks.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { TakedownDialog } from './takedown-dialog.tsx'
import { TakedownStateMark, TakedownStepText } from './takedown-state.tsx'
import { takedownTexts } from './takedown-texts.ts'

/** Requests of one copy that one screen shows: its markets. */
const MOST = 200

/** The takedown requests of one copy with all their steps; who may write letters records what became of them. */
export function CopyTakedowns({ copy }: { copy: MonitorCopy }) {
  const t = useTexts(takedownTexts)
  const language = useLanguage()
  const mayRecord = useMay('monitor.report')
  const [recorded, setRecorded] = useState<readonly Takedown[] | null>(null)
  const answer = useEndpoint(takedowns, { query: { id: copy.task, copy: copy.id, limit: MOST } })
  const { data, error } = answer
  const drafted = (data?.data ?? []).filter(({ state }) => state === 'drafted')
  return (
    <Section
      plain
      title={t('requests')}
      note={data && data.total > 0 ? String(data.total) : undefined}
      bodyClassName="px-5 pb-3"
      actions={
        mayRecord &&
        drafted.length > 1 && (
          <Button size="small" icon={ClipboardPen} onPress={() => setRecorded(drafted)}>
            {t('recordAll', { count: drafted.length })}
          </Button>
        )
      }
    >
      {error && !data ? (
        <ErrorState error={error} onRetry={() => void answer.refetch()} />
      ) : !data ? (
        <Skeleton lines={2} height="20px" />
      ) : data.total === 0 ? (
        <p className="text-muted">{t('noneOfCopy')}</p>
      ) : (
        <ul className="flex max-h-72 flex-col overflow-auto">
          {data.data.map((one) => (
            <li key={one.id} className="flex items-start gap-3 border-b py-1.5 last:border-b-0">
              <span className="min-w-0 flex-1">
                <span className="flex min-w-0 items-center gap-2">
                  <span className="text-clip-line min-w-0" title={one.market_name}>
                    {one.market_name}
                  </span>
                  <TakedownStateMark state={one.state} />
                </span>
                {one.steps.map((step, at) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: steps are only ever appended, and two may say the same
                  <span key={at} className="block text-12 [overflow-wrap:anywhere] text-muted">
                    {TAKEDOWN_STATES[step.state][language]} <TakedownStepText step={step} />
                  </span>
                ))}
              </span>
              {mayRecord && TAKEDOWN_MOVES[one.state].length > 0 && (
                <IconButton
                  size="small"
                  icon={ClipboardPen}
                  label={t('record', { market: one.market_name })}
                  onPress={() => setRecorded([one])}
                />
              )}
            </li>
          ))}
        </ul>
      )}
      {recorded && <TakedownDialog requests={recorded} onClose={() => setRecorded(null)} />}
    </Section>
  )
}
