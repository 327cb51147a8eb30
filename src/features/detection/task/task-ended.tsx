import { Download, RotateCw, Trash2 } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { TASK_STAGES } from '#contracts/detection/kinds.ts'
import { errorText } from '#contracts/errors.ts'
import { downloadTaskLog } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { TaskStateMark } from '#src/features/detection/parts/task-state.tsx'
import { taskTexts } from '#src/features/detection/parts/task-texts.ts'
import { useTaskActions } from '#src/features/detection/parts/use-task-actions.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { TaskHead } from './task-head.tsx'
import { TaskLog } from './task-log.tsx'
import { TaskStages } from './task-stages.tsx'
import { taskPageTexts } from './task-texts.ts'
import type { TaskAnswer } from './use-task.ts'

/** Test failed, or stopped: what happened, how far it came, its log, and the ways on. */
export function TaskEnded({ answer }: { answer: TaskAnswer }) {
  const t = useTexts(taskPageTexts)
  const s = useTexts(taskTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const actions = useTaskActions()
  const task = answer.data
  const failed = task.state === 'failed'
  const mayRun = actions.mayRun(task)
  const remove = async () => {
    if (await actions.remove([task])) void navigate(PAGES.detection_tasks.path)
  }
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <div className="mx-auto w-full max-w-[1160px]">
        <PageTitle
          title={t(failed ? 'failed' : 'stopped')}
          actions={
            <>
              {actions.mayDelete && (
                <Button variant="quiet" icon={Trash2} onPress={() => void remove()}>
                  {s('remove')}
                </Button>
              )}
              {mayRun && (
                <Button
                  variant="primary"
                  icon={RotateCw}
                  isDisabled={!task.has_file}
                  {...(!task.has_file && { title: s('fileGone') })}
                  onPress={() => void actions.retry(task)}
                >
                  {s('retry')}
                </Button>
              )}
            </>
          }
        />
      </div>
      <div className="mx-auto w-full max-w-[1160px] px-5 pb-6 max-lg:px-4">
        <TaskHead task={task}>{task.ended_at !== null && <RelativeTime at={task.ended_at} />}</TaskHead>
        <div
          role={failed ? 'alert' : 'status'}
          className={`flex flex-wrap items-center gap-x-6 gap-y-2 rounded px-4 py-3 ${failed ? 'bg-bad-soft' : 'bg-neutral'}`}
        >
          <div className="min-w-0 flex-1">
            <p className="text-16 font-semibold">
              {failed ? errorText('detection.failed', language) : <TaskStateMark state="stopped" />}
            </p>
            <p className="mt-0.5 text-muted [overflow-wrap:anywhere]">
              {task.note === errorText('detection.failed', language) ? '' : task.note || t('stoppedHint')}
              {failed && (
                <span className="block text-12">{t('reached', { stage: TASK_STAGES[task.stage][language] })}</span>
              )}
            </p>
          </div>
          <Button icon={Download} onPress={() => location.assign(downloadHref(downloadTaskLog, { id: task.id }))}>
            {t(failed ? 'downloadLog' : 'downloadRunLog')}
          </Button>
        </div>
        <div className="mt-4 grid grid-cols-[300px_minmax(0,1fr)] gap-5 border-t pt-3 max-lg:grid-cols-1">
          <TaskStages answer={answer} ended={task.state} />
          <section aria-label={t('log')}>
            <h2 className="pb-2 text-14/8 font-semibold">{t('log')}</h2>
            <TaskLog lines={answer.log} ended />
          </section>
        </div>
      </div>
    </div>
  )
}
