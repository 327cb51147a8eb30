import { RotateCw, Trash2 } from 'lucide-react'
import { useNavigate } from 'react-router-dom'
import { REINFORCE_STAGES } from '#contracts/http/reinforce-tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { chosenOptions } from '#domain/reinforce-policy.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { OptionGroups } from '../new/option-groups.tsx'
import { taskPath } from '../task-path.ts'
import { TaskStateMark } from '../task-state.tsx'
import { taskTexts } from '../task-texts.ts'
import { useTaskActions } from '../use-task-actions.ts'
import { pageTexts } from './page-texts.ts'
import type { TaskDetail } from './stage-rows.ts'
import { TaskHead } from './task-head.tsx'
import { TaskStages } from './task-stages.tsx'

/** Failed, or cancelled: what happened, how far it came, and the ways on. */
export function TaskEnded({ detail }: { detail: TaskDetail }) {
  const t = useTexts(pageTexts)
  const s = useTexts(taskTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const actions = useTaskActions()
  const { data: task, stages, options } = detail
  const isFailed = task.state === 'failed'
  const note = task.note.replace(t('failed'), '').trim()
  const isGone = task.file === null
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t(isFailed ? 'failedTitle' : 'stopped')}
        actions={
          <>
            {actions.mayDelete && (
              <Button
                variant="quiet"
                icon={Trash2}
                onPress={async () => {
                  if (await actions.remove([task])) void navigate(PAGES.reinforce_tasks.path)
                }}
              >
                {s('remove')}
              </Button>
            )}
            {actions.mayRedo && (
              <Button
                variant="primary"
                icon={RotateCw}
                isDisabled={isGone}
                {...(isGone && { title: s('sourceGone') })}
                onPress={async () => {
                  const id = await actions.redo(task)
                  if (id) void navigate(taskPath(id))
                }}
              >
                {s('redo')}
              </Button>
            )}
          </>
        }
      />
      <TaskHead
        task={task}
        extra={
          <>
            <span>{task.operator}</span>
            {task.ended_at !== null && <RelativeTime at={task.ended_at} />}
          </>
        }
      />
      <div
        role={isFailed ? 'alert' : 'status'}
        className={`mx-5 mb-4 rounded px-4 py-3 max-lg:mx-4 ${isFailed ? 'bg-bad-soft' : 'bg-neutral'}`}
      >
        <p className="text-16/6 font-semibold">{isFailed ? t('failed') : <TaskStateMark state="stopped" />}</p>
        <p className="mt-0.5 [overflow-wrap:anywhere]">{note || (isFailed ? '' : t('stoppedHint'))}</p>
        {isFailed && task.stage && (
          <p className="text-12 text-muted">{t('reached', { stage: REINFORCE_STAGES[task.stage][language] })}</p>
        )}
      </div>
      <div className="grid flex-1 grid-cols-[280px_minmax(0,1fr)] border-t max-md:grid-cols-1">
        <Section plain title={t('stages')} bodyClassName="pb-3">
          <TaskStages task={task} stages={stages} end={task.ended_at} />
        </Section>
        <Section
          plain
          title={t('options')}
          note={t('optionCount', { count: chosenOptions(options).length })}
          className="border-l max-md:border-t max-md:border-l-0"
        >
          <OptionGroups options={options} kinds={[task.kind]} wide />
        </Section>
      </div>
    </div>
  )
}
