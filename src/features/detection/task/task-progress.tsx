import { Download, Square } from 'lucide-react'
import { downloadTaskLog } from '#contracts/http/detection/tasks.ts'
import { TaskStateMark } from '#src/features/detection/parts/task-state.tsx'
import { taskTexts } from '#src/features/detection/parts/task-texts.ts'
import { useTaskActions } from '#src/features/detection/parts/use-task-actions.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { TaskHead } from './task-head.tsx'
import { TaskLog } from './task-log.tsx'
import { TaskStages } from './task-stages.tsx'
import { taskPageTexts } from './task-texts.ts'
import type { TaskAnswer } from './use-task.ts'

/** Below this share an estimate would be a guess. */
const ESTIMATE_FROM = 0.05

/** Testing in progress: stages, percentage, time so far and left, log, stop. */
export function TaskProgress({ answer }: { answer: TaskAnswer }) {
  const t = useTexts(taskPageTexts)
  const s = useTexts(taskTexts)
  const language = useLanguage()
  const actions = useTaskActions()
  const task = answer.data
  const elapsed = task.started_at === null ? 0 : Date.now() - task.started_at
  const estimate = task.progress >= ESTIMATE_FROM && (elapsed * (1 - task.progress)) / task.progress
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <div className="mx-auto w-full max-w-[1160px]">
        <PageTitle
          title={t('running')}
          actions={
            actions.mayRun(task) && (
              <Button icon={Square} onPress={() => void actions.stop([task])}>
                {s('stop')}
              </Button>
            )
          }
        />
      </div>
      <div className="mx-auto w-full max-w-[1160px] px-5 pb-6 max-lg:px-4">
        <TaskHead task={task}>
          <span>{t('strategy', { name: task.strategy.name[language] })}</span>
        </TaskHead>
        <div className="grid grid-cols-[360px_minmax(0,1fr)] gap-5 border-t pt-4 max-lg:grid-cols-1">
          <section aria-label={t('stages')}>
            <div className="flex items-baseline justify-between">
              <TaskStateMark state={task.state} />
              <span className="text-20 tabular-nums">{Math.round(task.progress * 100)}%</span>
            </div>
            <div className="py-2">
              <ProgressBar value={task.state === 'waiting' ? 0 : task.progress} label={t('running')} />
            </div>
            {task.state === 'waiting' && (
              <p className="pb-2 text-12 text-muted">
                {answer.ahead > 0 ? t('ahead', { count: answer.ahead }) : t('next')}
              </p>
            )}
            <TaskStages answer={answer} />
            <p className="mt-2 border-t pt-3 text-12 text-muted">
              {task.started_at !== null && t('elapsed', { time: formatDuration(elapsed, language) })}
              {estimate !== false && (
                <>
                  {language === 'zh' ? '，' : ', '}
                  {t('left', { time: formatDuration(estimate, language) })}
                </>
              )}
            </p>
            <p className="pt-1 text-12 text-muted">{t('leave')}</p>
          </section>
          <section aria-label={t('log')}>
            <div className="flex items-center justify-between pb-2">
              <h2 className="text-14/8 font-semibold">{t('log')}</h2>
              <a
                href={downloadHref(downloadTaskLog, { id: task.id })}
                className="inline-flex items-center gap-1 text-12 text-brand-text hover:underline"
              >
                <Icon of={Download} size={14} />
                {t('downloadRunLog')}
              </a>
            </div>
            <TaskLog lines={answer.log} />
            {answer.isolation.length > 0 && (
              <p className="pt-2 text-12 text-muted">
                {t('isolation')}: {answer.isolation.join(', ')}
              </p>
            )}
          </section>
        </div>
      </div>
    </div>
  )
}
