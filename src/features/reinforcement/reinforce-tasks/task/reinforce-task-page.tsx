import { useNavigate, useParams } from 'react-router-dom'
import { reinforceTask } from '#contracts/http/reinforce-tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { isActive } from '../task-state.tsx'
import { pageTexts } from './page-texts.ts'
import { TaskEnded } from './task-ended.tsx'
import { TaskProgress } from './task-progress.tsx'
import { TaskResult } from './task-result.tsx'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const POLL_MS = 1000

/** /reinforce/tasks/<id>/: the progress of a task, why it failed, or its result. */
export default function ReinforceTaskPage() {
  const { id = '' } = useParams()
  return (
    <PermittedPage page="reinforce_task" permission="harden.view">
      <Task key={id} id={id} />
    </PermittedPage>
  )
}

function Task({ id }: { id: string }) {
  const t = useTexts(pageTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const isKnown = UUID.test(id)
  const answer = useEndpoint(
    reinforceTask,
    { query: { id } },
    {
      enabled: isKnown,
      refetchInterval: ({ state: { data } }) => (data && isActive(data.data) ? POLL_MS : false),
    },
  )
  const { data: detail, error } = answer
  usePageSubject(detail?.data.name, detail?.data.version)
  if (detail && isActive(detail.data)) return <TaskProgress detail={detail} />
  if (detail?.report) return <TaskResult detail={detail} report={detail.report} />
  if (detail) return <TaskEnded detail={detail} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.reinforce_task[language]} />
      {!isKnown || error?.key === 'data.missing' ? (
        <EmptyState
          kind="missing"
          title={t('missing')}
          code={id.slice(0, 64)}
          action={<Button onPress={() => void navigate(PAGES.reinforce_tasks.path)}>{t('toList')}</Button>}
        />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton lines={12} height="24px" className="p-5" />
      )}
    </div>
  )
}
