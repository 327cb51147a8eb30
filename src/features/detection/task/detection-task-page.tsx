import { useNavigate, useParams } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { isActive } from '#src/features/detection/parts/task-state.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Report } from './report.tsx'
import { TaskEnded } from './task-ended.tsx'
import { TaskProgress } from './task-progress.tsx'
import { taskPageTexts } from './task-texts.ts'
import { useTask } from './use-task.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** /detection/tasks/<id>/: testing in progress, test failed, or report details, by the state of the task. */
export default function DetectionTaskPage() {
  const language = useLanguage()
  const { id = '' } = useParams()
  const mayView = useMay('detect.view')
  const known = UUID.test(id)
  if (mayView && known) return <Task key={id} id={id} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.detection_task[language]} />
      {mayView ? <Missing id={id} /> : <ForbiddenState permission="detect.view" />}
    </div>
  )
}

function Task({ id }: { id: string }) {
  const language = useLanguage()
  const answer = useTask(id)
  const task = answer.data
  usePageSubject(task?.data.name, task?.data.version)
  if (task && isActive(task.data.state)) return <TaskProgress answer={task} />
  if (task?.data.state === 'detected') return <Report answer={task} />
  if (task) return <TaskEnded answer={task} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.detection_task[language]} />
      {answer.error?.key === 'data.missing' ? (
        <Missing id={id} />
      ) : answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton lines={12} height="24px" className="p-5" />
      )}
    </div>
  )
}

function Missing({ id }: { id: string }) {
  const t = useTexts(taskPageTexts)
  const navigate = useNavigate()
  return (
    <EmptyState
      kind="missing"
      title={t('missing')}
      code={id.slice(0, 64)}
      action={<Button onPress={() => void navigate(PAGES.detection_tasks.path)}>{t('toList')}</Button>}
    />
  )
}
