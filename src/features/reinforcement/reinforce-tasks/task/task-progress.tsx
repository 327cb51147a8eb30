import { CircleX, Minimize2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { REINFORCE_STAGES } from '#contracts/http/reinforce-tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { chosenOptions } from '#domain/reinforce-policy.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { Icon } from '#src/shared/ui/icon.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { OptionGroups } from '../new/option-groups.tsx'
import { TaskStateMark } from '../task-state.tsx'
import { taskTexts } from '../task-texts.ts'
import { useTaskActions } from '../use-task-actions.ts'
import { pageTexts } from './page-texts.ts'
import { stageRows, type TaskDetail, timeLeft } from './stage-rows.ts'
import { TaskHead } from './task-head.tsx'
import { TaskStages } from './task-stages.tsx'
import { useNow } from './use-now.ts'

/** While a task waits or runs: percentage, stages with their times, the current work, cancel. */
export function TaskProgress({ detail }: { detail: TaskDetail }) {
  const t = useTexts(pageTexts)
  const s = useTexts(taskTexts)
  const language = useLanguage()
  const actions = useTaskActions()
  const now = useNow()
  const { data: task, stages, options } = detail
  const elapsed = task.started_at === null ? null : Math.max(0, now - task.started_at)
  const left = elapsed === null ? null : timeLeft(elapsed, task.progress)
  const rows = stageRows(task.kind, stages, now)
  const isWaiting = task.state === 'waiting'
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t('running')}
        actions={
          <>
            <Link to={PAGES.reinforce_tasks.path} className={buttonClass('quiet')}>
              <Icon of={Minimize2} />
              <span>{t('background')}</span>
            </Link>
            {actions.mayCancel && (
              <Button icon={CircleX} onPress={() => void actions.cancel([task])}>
                {s('cancel')}
              </Button>
            )}
          </>
        }
      />
      <TaskHead task={task}>
        <div className="flex items-end gap-6 max-sm:w-full">
          {elapsed !== null && <Time name={t('elapsed')}>{formatDuration(elapsed, language)}</Time>}
          {left !== null && <Time name={t('left')}>{formatDuration(left, language)}</Time>}
          <span className="text-[40px]/10 tabular-nums max-sm:ml-auto" data-testid="reinforce-percent">
            {Math.round(task.progress * 100)}%
          </span>
        </div>
      </TaskHead>
      <div className="px-5 pb-4 max-lg:px-4">
        <ProgressBar value={isWaiting ? 0 : task.progress} label={t('running')} />
      </div>
      <div className="grid flex-1 grid-cols-[280px_minmax(0,1fr)] border-t max-md:grid-cols-1">
        <div className="flex min-w-0 flex-col max-md:contents">
          <Section
            plain
            title={t('stages')}
            note={
              rows.some(({ state }) => state === 'last') &&
              t('stageOf', { at: rows.findIndex(({ state }) => state === 'last') + 1, all: rows.length })
            }
            bodyClassName="pb-3"
          >
            <TaskStages task={task} stages={stages} end={now} />
          </Section>
          <div className="mt-auto border-t px-5 py-3 max-md:order-last">
            <p className="font-semibold">{t('leaveTitle')}</p>
            <p className="text-12 text-muted">{t('leave')}</p>
          </div>
        </div>
        <div className="min-w-0 divide-y border-l max-md:border-t max-md:border-l-0">
          <Section plain title={t('work')} note={<TaskStateMark state={task.state} />}>
            <Work stages={stages} isWaiting={isWaiting} />
          </Section>
          <Section plain title={t('options')} note={t('optionCount', { count: chosenOptions(options).length })}>
            <OptionGroups options={options} kinds={[task.kind]} wide />
          </Section>
        </div>
      </div>
    </div>
  )
}

function Time({ name, children }: { name: string; children: ReactNode }) {
  return (
    <span>
      <span className="block text-12 text-muted">{name}</span>
      <span className="block text-16/6 font-semibold whitespace-nowrap tabular-nums">{children}</span>
    </span>
  )
}

/** The stages that count their work, the newest first: how much is done, and what it is at; a bar where something is left. */
function Work({ stages, isWaiting }: { stages: TaskDetail['stages']; isWaiting: boolean }) {
  const t = useTexts(pageTexts)
  const language = useLanguage()
  const shown = stages.filter(({ total, current }) => total > 0 || current !== '').toReversed()
  if (shown.length === 0) return <p className="px-5 pb-4 text-muted">{t(isWaiting ? 'waiting' : 'workNone')}</p>
  return (
    <ul aria-live="polite">
      {shown.map(({ stage, done, total, current }) => (
        <li key={stage} className="flex flex-col gap-1.5 border-t px-5 py-2.5">
          <span className="flex items-baseline gap-3">
            <span>{REINFORCE_STAGES[stage][language]}</span>
            <span className="text-clip-line min-w-0 flex-1 font-mono text-12 text-muted" title={current}>
              {current}
            </span>
            {total > 0 && <span className="text-12 tabular-nums">{t('step', { done, total })}</span>}
          </span>
          {done < total && <ProgressBar value={done / total} label={REINFORCE_STAGES[stage][language]} />}
        </li>
      ))}
    </ul>
  )
}
