import { CircleCheck, CircleDashed, CirclePause, CircleX, LoaderCircle } from 'lucide-react'
import { TASK_STAGES, TASK_STATES, type TaskState } from '#contracts/detection/kinds.ts'
import type { DetectionTask } from '#contracts/http/detection/tasks.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { Icon, type IconType } from '#src/shared/ui/icon.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'

const LOOK: Record<TaskState, { icon: IconType; color: string }> = {
  waiting: { icon: CircleDashed, color: 'text-muted' },
  detecting: { icon: LoaderCircle, color: 'text-brand-text spin' },
  detected: { icon: CircleCheck, color: 'text-good-text' },
  failed: { icon: CircleX, color: 'text-bad-text' },
  stopped: { icon: CirclePause, color: 'text-muted' },
}

export function isActive(state: TaskState): boolean {
  return state === 'waiting' || state === 'detecting'
}

/** A task state (DET-02) as icon and word. */
export function TaskStateMark({ state }: { state: TaskState }) {
  const language = useLanguage()
  return (
    <span className="inline-flex items-center gap-1.5 whitespace-nowrap">
      <Icon of={LOOK[state].icon} size={14} className={LOOK[state].color} />
      {TASK_STATES[state][language]}
    </span>
  )
}

/** The state of a task in a list: while it runs, its stage over a bar. */
export function TaskStateText({ task }: { task: DetectionTask }) {
  const language = useLanguage()
  if (task.state !== 'detecting') return <TaskStateMark state={task.state} />
  return (
    <span className="flex w-36 flex-col gap-1">
      <span className="flex items-baseline justify-between text-12">
        <span>{TASK_STAGES[task.stage][language]}</span>
        <span className="text-muted tabular-nums">{Math.round(task.progress * 100)}%</span>
      </span>
      <ProgressBar value={task.progress} label={`${task.name} ${TASK_STATES.detecting[language]}`} />
    </span>
  )
}
