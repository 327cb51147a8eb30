import { MoveRight, Undo2 } from 'lucide-react'
import { beginRollback, showUpdates, type UpdatesAnswer } from '#contracts/http/updates.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { progressOf } from './update-percent.ts'
import { PROBLEM_TEXTS, STATUS_TEXTS, updatesTexts } from './updates-texts.ts'

const TONES: Record<number, 'good' | 'warn' | 'bad' | 'brand'> = {
  200: 'good',
  102: 'brand',
  202: 'brand',
  407: 'warn',
}

/** Versions, status number and how far it is; what went wrong, in the required words. */
export function UpdateSummary({ data, isAway }: { data: UpdatesAnswer; isAway: boolean }) {
  const t = useTexts(updatesTexts)
  const language = useLanguage()
  const { active, records, status, message } = data
  const problem = (active ?? records[0])?.problem
  const cancel = useAction(beginRollback, { refreshes: [showUpdates] })
  // Before the first update there is nothing that succeeded.
  const hasStatus = active !== null || records.length > 0 || status !== 200
  const canCancel = active?.kind === 'update' && active.state === 'updating'
  return (
    <div className="px-5 pt-1 pb-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="flex items-center gap-3 text-[28px] leading-9 tabular-nums" data-testid="update-versions">
          {active ? (
            <>
              <span className="text-muted">{active.from}</span>
              <Icon of={MoveRight} />
              <span className="font-semibold">{active.to}</span>
            </>
          ) : (
            <span className="font-semibold">{data.version}</span>
          )}
        </span>
        {hasStatus && (
          <Chip tone={TONES[status] ?? 'bad'}>{`${status} ${STATUS_TEXTS[status]?.[language] ?? ''}`}</Chip>
        )}
        {active && (
          <span className="ml-auto flex items-center gap-3">
            {canCancel && (
              <Button
                size="small"
                icon={Undo2}
                isDisabled={cancel.isPending || isAway}
                onPress={async () => {
                  const question = {
                    title: t('cancelReturn'),
                    text: t('cancelText', { version: active.from }),
                    danger: true,
                  }
                  if (await confirm(question)) cancel.mutate({ body: { id: active.id } })
                }}
              >
                {t('cancelReturn')}
              </Button>
            )}
            <span className="text-[28px] leading-9 tabular-nums">{Math.round(100 * progressOf(active))}%</span>
          </span>
        )}
      </div>
      {active && (
        <div className="mt-2 flex flex-col gap-2">
          <ProgressBar value={progressOf(active)} label={t('stages')} />
          <p role="status" className="text-muted">
            {isAway ? t('away') : active.state === 'returning' ? t('runningReturn') : t('runningUpdate')}
          </p>
        </div>
      )}
      {!active && message !== '' && (
        <p role="alert" className="mt-1 text-bad-text [overflow-wrap:anywhere]">
          {[message, problem && PROBLEM_TEXTS[problem.key][language], problem?.detail].filter(Boolean).join(' · ')}
        </p>
      )}
    </div>
  )
}
