import { Check, Circle, LoaderCircle, Square, X } from 'lucide-react'
import { stagesOf, TASK_STAGES, type TaskState } from '#contracts/detection/kinds.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { taskPageTexts } from './task-texts.ts'
import type { TaskAnswer } from './use-task.ts'

/** The stages in order: done with their time, the one that runs (or where it ended), and what is still to come. */
export function TaskStages({ answer, ended }: { answer: TaskAnswer; ended?: TaskState }) {
  const t = useTexts(taskPageTexts)
  const language = useLanguage()
  const order = stagesOf(answer.data.kinds)
  const last = answer.stages.at(-1)?.stage
  return (
    <ol aria-label={t('stages')}>
      {order.map((stage) => {
        const done = answer.stages.find((one) => one.stage === stage)
        const isLast = stage === last && (ended || done?.to == null)
        const skipped = !done && last !== undefined && order.indexOf(stage) < order.indexOf(last)
        if (skipped) return null
        return (
          <li
            key={stage}
            aria-current={isLast && !ended ? 'step' : undefined}
            className={`flex h-8 items-center gap-2.5 ${done ? '' : 'text-muted'} ${isLast ? 'font-semibold' : ''}`}
          >
            {!done ? (
              <Icon of={Circle} size={14} className="text-faint" />
            ) : isLast ? (
              <Icon
                of={ended === undefined ? LoaderCircle : ended === 'stopped' ? Square : X}
                size={14}
                className={
                  ended === undefined ? 'spin text-brand-text' : ended === 'stopped' ? 'text-muted' : 'text-bad-text'
                }
              />
            ) : (
              <Icon of={Check} size={14} className="text-good-text" />
            )}
            <span className="flex-1">{TASK_STAGES[stage][language]}</span>
            <span className="text-12 font-normal text-muted tabular-nums">
              {done &&
                (isLast && !ended ? t('now') : done.to !== null && formatDuration(done.to - done.from, language))}
            </span>
          </li>
        )
      })}
    </ol>
  )
}
