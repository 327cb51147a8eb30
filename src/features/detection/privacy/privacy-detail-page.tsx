import { FileSearch } from 'lucide-react'
import type { ReactNode } from 'react'
import { useNavigate, useParams } from 'react-router-dom'
import { resultPrivacy } from '#contracts/http/detection/result.ts'
import { detectionTask } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { personalInfo } from '#src/features/detection/parts/personal-info.ts'
import { PrivacyChecks } from '#src/features/detection/parts/privacy-checks.tsx'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import { TaskStateMark } from '#src/features/detection/parts/task-state.tsx'
import { useOwnerName } from '#src/features/detection/parts/use-owner-name.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { collectedBy } from './collected-by.ts'
import { privacyTexts } from './privacy-texts.ts'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const CHECKS_MOST = 500
const FIGURES = ['fail', 'manual', 'not_assessed', 'pass'] as const

/** /detection/privacy/<id>/: what one detection says about personal data: figures, who collects what, every check with its chains. */
export default function PrivacyDetailPage() {
  const t = useTexts(privacyTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { id = '' } = useParams()
  const mayView = useMay('detect.view')
  const known = UUID.test(id)
  const answer = useEndpoint(detectionTask, { query: { id } }, { enabled: mayView && known })
  const task = answer.data?.data
  usePageSubject(task?.name, task?.version)
  const shell = (children: ReactNode, actions?: ReactNode, note?: ReactNode) => (
    <div className="flex min-h-full flex-col bg-surface">
      <div className="mx-auto w-full max-w-[1160px]">
        <PageTitle title={PAGES.privacy_result[language]} note={note} actions={actions} />
      </div>
      {children}
    </div>
  )
  if (!mayView) return shell(<ForbiddenState permission="detect.view" />)
  if (!known || answer.error?.key === 'data.missing')
    return shell(<EmptyState kind="missing" title={t('missing')} code={id.slice(0, 64)} />)
  if (answer.error && !task) return shell(<ErrorState error={answer.error} onRetry={() => void answer.refetch()} />)
  if (!task) return shell(<Skeleton lines={10} height="24px" className="p-5" />)
  const open = (
    <Button icon={FileSearch} onPress={() => void navigate(taskPath(task.id))}>
      {t(task.state === 'detected' ? 'report' : 'toTask')}
    </Button>
  )
  const note = (
    <>
      {task.name} {task.version} <span className="font-mono">{task.package_id}</span>{' '}
      <RelativeTime at={task.ended_at ?? task.created_at} />
    </>
  )
  if (task.state !== 'detected')
    return shell(
      <EmptyState kind="none" title={t('notReady')} hint={<TaskStateMark state={task.state} />} action={open} />,
    )
  if (!task.privacy) return shell(<EmptyState kind="missing" title={t('notPrivacy')} action={open} />, undefined, note)
  const words = { fail: t('fail'), manual: t('manual'), not_assessed: t('notAssessed'), pass: t('pass') }
  return shell(
    <Detail
      id={task.id}
      figures={FIGURES.map((key) => ({ key, word: words[key], count: task.privacy?.[key] ?? 0 }))}
    />,
    open,
    note,
  )
}

function Detail({ id, figures }: { id: string; figures: readonly { key: string; word: string; count: number }[] }) {
  const t = useTexts(privacyTexts)
  const language = useLanguage()
  const address = useAddress()
  const all = useEndpoint(resultPrivacy, { query: { id, limit: CHECKS_MOST } })
  const ownerName = useOwnerName(id)
  const collected = collectedBy(all.data?.data ?? [])
  const show = address.params.get('show')
  return (
    <div className="mx-auto w-full max-w-[1160px] px-5 pb-6 max-lg:px-4">
      <div className="grid grid-cols-4 border-y max-sm:grid-cols-2">
        {figures.map(({ key, word, count }) => (
          <button
            key={key}
            type="button"
            aria-pressed={show === key}
            data-testid={`privacy-${key}`}
            data-value={count}
            onClick={() => address.setParams({ show: show === key ? null : key, page: null, open: null })}
            className={`border-l px-5 py-2.5 text-left first:border-l-0 hover:bg-hover max-sm:odd:border-l-0 sm:first:pl-0 ${show === key ? 'bg-selected' : ''}`}
          >
            <span className="block text-12 text-muted">{word}</span>
            <span className={`text-28/9 ${key === 'fail' && count > 0 ? 'text-bad-text' : ''}`}>{count}</span>
          </button>
        ))}
      </div>
      <Section
        plain
        title={t('collected')}
        note={t('collectedNote')}
        state={all.isPending ? 'loading' : 'ready'}
        className="-mx-5 max-lg:-mx-4"
        bodyClassName="pb-4"
      >
        {all.error ? (
          <ErrorState error={all.error} onRetry={() => void all.refetch()} />
        ) : collected.length === 0 ? (
          <p className="px-5 text-muted">{t('collectedNone')}</p>
        ) : (
          <dl className="grid grid-cols-[160px_minmax(0,1fr)_160px_minmax(0,1fr)] gap-y-1.5 px-5 max-lg:grid-cols-[160px_minmax(0,1fr)] max-lg:px-4">
            {collected.map(({ info, owners }) => (
              <div key={info} className="contents">
                <dt className="font-semibold">{personalInfo([info], language)}</dt>
                <dd className="flex flex-wrap gap-x-4">
                  {owners.map(({ owner, chains }) => (
                    <span key={owner ?? 'own'}>
                      {ownerName(owner)} <span className="text-12 text-muted">{t('chains', { count: chains })}</span>
                    </span>
                  ))}
                </dd>
              </div>
            ))}
          </dl>
        )}
      </Section>
      <PrivacyChecks task={id} address={address} />
    </div>
  )
}
