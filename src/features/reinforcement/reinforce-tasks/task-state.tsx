import { CircleCheck, CircleDashed, CircleMinus, CirclePause, CircleX, LoaderCircle, TriangleAlert } from 'lucide-react'
import {
  OPTION_STATES,
  type OptionState,
  REINFORCE_STAGES,
  REINFORCE_STATES,
  type ReinforceState,
  type ReinforceTask,
} from '#contracts/http/reinforce-tasks.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'

type Look = { icon: IconType; color: string }
const STATE_LOOKS: Record<ReinforceState, Look> = {
  waiting: { icon: CircleDashed, color: 'text-muted' },
  reinforcing: { icon: LoaderCircle, color: 'text-brand-text spin' },
  success: { icon: CircleCheck, color: 'text-good-text' },
  failed: { icon: CircleX, color: 'text-bad-text' },
  stopped: { icon: CirclePause, color: 'text-muted' },
}
const OPTION_LOOKS: Record<OptionState, Look> = {
  applied: { icon: CircleCheck, color: 'text-good-text' },
  partial: { icon: TriangleAlert, color: 'text-warn-text' },
  skipped: { icon: CircleMinus, color: 'text-muted' },
  not_built: { icon: CircleDashed, color: 'text-muted' },
}
const RESULT_ORDER = Object.keys(OPTION_STATES) as OptionState[]

export function isActive({ state }: Pick<ReinforceTask, 'state'>): boolean {
  return state === 'waiting' || state === 'reinforcing'
}

export function TaskStateMark({ state }: { state: ReinforceState }) {
  const language = useLanguage()
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon of={STATE_LOOKS[state].icon} size={14} className={STATE_LOOKS[state].color} />
      {REINFORCE_STATES[state][language]}
    </span>
  )
}

/** The state in a list: while it runs, its stage over a bar; where it failed, why. */
export function TaskStateText({ task }: { task: ReinforceTask }) {
  const language = useLanguage()
  if (task.state === 'reinforcing')
    return (
      <span className="flex w-36 flex-col gap-1 max-sm:w-24">
        <span className="flex items-baseline justify-between gap-2 text-12">
          <span className="text-clip-line">
            {task.stage ? REINFORCE_STAGES[task.stage][language] : REINFORCE_STATES.reinforcing[language]}
          </span>
          <span className="text-muted tabular-nums">{Math.round(task.progress * 100)}%</span>
        </span>
        <ProgressBar value={task.progress} label={`${task.name} ${REINFORCE_STATES.reinforcing[language]}`} />
      </span>
    )
  return (
    <span className="flex flex-col items-start">
      <TaskStateMark state={task.state} />
      {task.state === 'failed' && task.note && (
        <span
          className="text-clip-line block max-w-36 text-12/4 text-muted max-sm:max-w-24 2xl:max-w-56"
          title={task.note}
        >
          {task.note}
        </span>
      )}
    </span>
  )
}

export function OptionStateMark({ state }: { state: OptionState }) {
  const language = useLanguage()
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon of={OPTION_LOOKS[state].icon} size={14} className={OPTION_LOOKS[state].color} />
      {OPTION_STATES[state][language]}
    </span>
  )
}

/** Options by what became of them, in one line; states without any are left out. */
export function ResultCounts({ results }: { results: Readonly<Record<OptionState, number>> }) {
  const language = useLanguage()
  return (
    <span className="inline-flex items-center gap-3 tabular-nums">
      {RESULT_ORDER.filter((state) => results[state] > 0).map((state) => (
        <span key={state} className="inline-flex items-center gap-1" title={OPTION_STATES[state][language]}>
          <Icon of={OPTION_LOOKS[state].icon} size={14} className={OPTION_LOOKS[state].color} />
          <span className="sr-only">{OPTION_STATES[state][language]}</span>
          {results[state]}
        </span>
      ))}
    </span>
  )
}
