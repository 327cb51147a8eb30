import { CircleCheck, CircleDashed, CirclePause, CircleX, LoaderCircle } from 'lucide-react'
import { MONITOR_STATES, type MonitorState, type MonitorTask } from '#contracts/http/monitoring/tasks.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { monitorTexts } from './monitor-texts.ts'

const LOOK: Record<MonitorState, { icon: IconType; color: string }> = {
  monitoring: { icon: LoaderCircle, color: 'text-brand-text spin' },
  monitored: { icon: CircleCheck, color: 'text-good-text' },
  failed: { icon: CircleX, color: 'text-bad-text' },
  stopped: { icon: CirclePause, color: 'text-muted' },
}

/** Share of the markets of a run that have answered or given a reason. */
export const progressOf = ({ asked, unasked, markets }: MonitorTask): number => (asked + unasked) / Math.max(1, markets)

/** Whether anything is known: counts of a task whose markets have given no answer say nothing. */
export const hasAnswers = ({ asked, pirated, genuine }: MonitorTask): boolean => asked + pirated + genuine > 0

/** The state of a task (MON-01); while it runs, how many markets are done over a bar. */
export function MonitorStateMark({ task, bar = false }: { task: MonitorTask; bar?: boolean }) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const { state, waiting } = task
  const look = waiting ? { icon: CircleDashed, color: 'text-muted' } : LOOK[state]
  const mark = (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon of={look.icon} size={14} className={look.color} />
      {waiting ? t('waiting') : MONITOR_STATES[state][language]}
    </span>
  )
  if (!bar || state !== 'monitoring' || waiting) return mark
  return (
    <span className="flex w-36 flex-col gap-1">
      <span className="flex items-baseline justify-between text-12">
        <span>{MONITOR_STATES[state][language]}</span>
        <span className="text-muted tabular-nums">{Math.round(progressOf(task) * 100)}%</span>
      </span>
      <ProgressBar value={progressOf(task)} label={`${task.app_name} ${MONITOR_STATES[state][language]}`} />
    </span>
  )
}
