import { Circle, CircleCheck, CircleX, LoaderCircle } from 'lucide-react'
import type { UpdateRecord } from '#contracts/http/updates.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { updateLogLine } from './update-log-line.ts'
import { stepsOf } from './update-percent.ts'
import { STEP_TEXTS, updatesTexts } from './updates-texts.ts'

/** Every step of an update or rollback, what it did and how long it took. */
export function UpdateStages({ record }: { record: UpdateRecord }) {
  const t = useTexts(updatesTexts)
  const language = useLanguage()
  const names = stepsOf(record)
  const isOver = record.ended_at !== null
  const isGood = record.state === 'updated' || record.state === 'returned'
  return (
    <Section plain title={t('stages')} note={String(names.length)} className="border-b">
      <ol className="pb-2" data-testid="update-stages">
        {names.map((name) => {
          const step = record.steps.find((one) => one.name === name)
          const isLast = step !== undefined && step === record.steps.at(-1)
          const isRunning = isLast && !isOver
          const isFailed = isLast && isOver && !isGood
          const [icon, tone] = isFailed
            ? [CircleX, 'text-bad']
            : isRunning
              ? [LoaderCircle, 'text-brand-text motion-safe:animate-spin']
              : step
                ? [CircleCheck, 'text-good']
                : [Circle, 'text-faint']
          return (
            <li
              key={name}
              aria-current={isRunning ? 'step' : undefined}
              className={`flex min-h-9 items-center gap-3 border-l-2 px-5 py-1 ${isRunning ? 'border-brand bg-selected' : 'border-transparent'}`}
            >
              <span className={`flex-none ${tone}`}>
                <Icon of={icon as typeof Circle} />
              </span>
              <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                <span className={step ? '' : 'text-muted'}>{STEP_TEXTS[name][language]}</span>{' '}
                {step?.detail && <span className="text-12 text-muted">{step.detail}</span>}
              </span>
              {step?.ended_at != null && (
                <span className="flex-none text-12 text-muted tabular-nums">
                  {formatDuration(step.ended_at - step.began_at, language)}
                </span>
              )}
            </li>
          )
        })}
      </ol>
    </Section>
  )
}

export function UpdateLog({ record }: { record: UpdateRecord }) {
  const t = useTexts(updatesTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  return (
    <Section plain title={t('log')} className="border-b border-l max-lg:border-l-0">
      {record.log.length === 0 ? (
        <p className="px-5 pb-4 text-muted">{t('noLog')}</p>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached with the keyboard
        <ol tabIndex={0} aria-label={t('log')} className="max-h-80 overflow-y-auto px-5 pb-3 font-mono text-12">
          {record.log.map(({ at, text, warning }, index) => (
            <li
              // biome-ignore lint/suspicious/noArrayIndexKey: lines are only ever appended
              key={index}
              className={`[overflow-wrap:anywhere] ${warning ? 'text-warn-text' : ''}`}
            >
              <span className="text-muted">{formatDateTime(at, zone).slice(-8)}</span> {updateLogLine(text, language)}
            </li>
          ))}
        </ol>
      )}
    </Section>
  )
}
