import { Play, Square, Trash2 } from 'lucide-react'
import { type ReactNode, useEffect } from 'react'
import { Link, useNavigate, useParams } from 'react-router-dom'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  DEVICE_DAYS,
  deleteMonitorTasks,
  MONITOR_SCHEDULES,
  type MonitorTask,
  monitorCopies,
  monitorDetail,
  monitorDevices,
  monitorTasks,
  startMonitorTasks,
  stopMonitorTasks,
} from '#contracts/http/monitoring/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { useMay } from '#src/shared/session/session-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { ProgressBar } from '#src/shared/ui/progress-bar.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { abnormalPath } from '../parts/abnormal-path.ts'
import { hasAnswers, MonitorStateMark, progressOf } from '../parts/monitor-state.tsx'
import { monitorTexts } from '../parts/monitor-texts.ts'
import { CopyEvidence } from './copy-evidence.tsx'
import { CopyList, readCopyFilters } from './copy-list.tsx'
import { CopyMatrix } from './copy-matrix.tsx'
import { RunBars } from './run-bars.tsx'
import { TakedownList } from './takedown-list.tsx'
import { UnaskedList } from './unasked-list.tsx'

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const [ACTIVE_MS, IDLE_MS] = [1500, 20_000]
type Detail = ResponseOf<typeof monitorDetail>

/** /monitor/tasks/<id>/: the record of one application's monitoring, while it runs and afterwards. */
export default function MonitorTaskPage() {
  const language = useLanguage()
  const { id = '' } = useParams()
  const mayView = useMay('monitor.view')
  const isKnown = UUID.test(id)
  if (mayView && isKnown) return <Task key={id} id={id} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.monitor_task[language]} />
      {mayView ? <Missing /> : <ForbiddenState permission="monitor.view" />}
    </div>
  )
}

function Missing() {
  const t = useTexts(monitorTexts)
  const navigate = useNavigate()
  return (
    <EmptyState
      kind="missing"
      title={t('missing')}
      action={<Button onPress={() => void navigate(PAGES.monitor_tasks.path)}>{t('toList')}</Button>}
    />
  )
}

function Task({ id }: { id: string }) {
  const language = useLanguage()
  const answer = useEndpoint(
    monitorDetail,
    { query: { id } },
    { refetchInterval: ({ state: { data } }) => (data?.data.state === 'monitoring' ? ACTIVE_MS : IDLE_MS) },
  )
  const { data, error } = answer
  usePageSubject(data?.data.app_name)
  if (data) return <Record detail={data} />
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={PAGES.monitor_task[language]} />
      {error?.key === 'data.missing' ? (
        <Missing />
      ) : error ? (
        <ErrorState error={error} onRetry={() => void answer.refetch()} />
      ) : (
        <Skeleton lines={12} height="24px" className="p-5" />
      )}
    </div>
  )
}

function Record({ detail }: { detail: Detail }) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const { data: task, matrix, runs, unasked, references } = detail
  const { kind, verdict } = readCopyFilters(params)
  const open = params.get('copy')
  const isRunning = task.state === 'monitoring'
  const isTakedowns = params.get('list') === 'takedowns'
  const choice = (
    <SegmentedControl
      size="small"
      label={t('lists')}
      value={isTakedowns ? 'takedowns' : 'copies'}
      onChange={(list) => setParams({ list: list === 'copies' ? null : list, state: null, page: null }, true)}
      items={[
        { id: 'copies', label: t('copies') },
        { id: 'takedowns', label: t('takedowns') },
      ]}
    />
  )
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={task.app_name}
        note={
          <span className="inline-flex flex-wrap items-center gap-x-3">
            <MonitorStateMark task={task} />
            <span>{MONITOR_SCHEDULES[task.schedule][language]}</span>
            {task.ended_at !== null && <RelativeTime at={task.ended_at} />}
          </span>
        }
        actions={<Actions detail={detail} />}
      />
      {isRunning && (
        <div aria-live="polite" className="flex items-center gap-3 border-t px-5 py-2">
          <span className="min-w-24 flex-1">
            <ProgressBar value={task.waiting ? null : progressOf(task)} label={task.app_name} />
          </span>
          <span className="text-12 text-muted">
            {task.waiting ? t('waiting') : t('progress', { done: task.asked + task.unasked, all: task.markets })}
          </span>
        </div>
      )}
      {task.note && <p className="border-t px-5 py-2 text-bad-text">{task.note}</p>}
      <Figures detail={detail} />
      <div className="flex flex-1 border-t max-xl:flex-col">
        <div className="flex min-w-0 flex-1 flex-col">
          <Section plain title={t('matrix')} note={t('matrixNote')}>
            <CopyMatrix
              cells={matrix}
              asked={detail.kinds}
              kind={kind}
              verdict={verdict}
              onChoose={(nextKind, nextVerdict) =>
                setParams({ kind: nextKind, verdict: nextVerdict, list: null, state: null, page: null }, true)
              }
            />
          </Section>
          {isTakedowns ? (
            <TakedownList task={task.id} isRunning={isRunning} choice={choice} />
          ) : (
            <CopyList task={task.id} isRunning={isRunning} choice={choice} />
          )}
        </div>
        <div className="flex w-96 flex-none flex-col divide-y border-l max-xl:w-full max-xl:border-t max-xl:border-l-0">
          {runs.some(({ ended_at }) => ended_at !== null) && (
            <Section plain title={t('runs', { count: Math.min(24, runs.length) })}>
              <RunBars runs={runs.filter(({ ended_at }) => ended_at !== null)} />
            </Section>
          )}
          <Section plain title={t('unasked')} note={String(unasked.length)}>
            <UnaskedList unasked={unasked} />
          </Section>
          <Section plain title={t('references')} note={String(references.length)}>
            <ul className="flex flex-col px-5 pb-4">
              {references.map(({ file, name, version, sha256, problem }) => (
                <li key={file} className="flex min-h-8 items-center gap-3">
                  <span className="text-clip-line min-w-0 flex-1" title={sha256}>
                    {name} {version}
                  </span>
                  {problem && <span className="text-clip-line max-w-40 text-12 text-bad-text">{problem}</span>}
                </li>
              ))}
            </ul>
          </Section>
        </div>
      </div>
      {open && UUID.test(open) && <CopyEvidence key={open} id={open} onClose={() => setParams({ copy: null }, true)} />}
    </div>
  )
}

function Actions({ detail: { data: task, runs } }: { detail: Detail }) {
  const t = useTexts(monitorTexts)
  const navigate = useNavigate()
  const mayMonitor = useMay('asset.monitor')
  const mayDelete = useMay('monitor.delete')
  const refreshes = [monitorTasks, monitorDetail, monitorCopies]
  const start = useAction(startMonitorTasks, { refreshes, onSuccess: () => toast.success(t('started')) })
  const stop = useAction(stopMonitorTasks, { refreshes, onSuccess: () => toast.info(t('stopped')) })
  const remove = useAction(deleteMonitorTasks, {
    refreshes: [monitorTasks],
    onSuccess: () => {
      deleted()
      void navigate(PAGES.monitor_tasks.path)
    },
  })
  const body = { ids: [task.id] }
  async function ask(): Promise<void> {
    if (
      await confirmDeletion({
        title: t('deleteTitle', { name: task.app_name }),
        text: t('deleteText'),
        action: t('delete'),
      })
    )
      remove.mutate({ body })
  }
  const hasEnded = runs.some(({ ended_at }) => ended_at !== null)
  return (
    <>
      <ReportMenu
        of="monitoring"
        label={t('report')}
        why={t('reportNone')}
        subject={hasEnded ? { of: 'monitoring', monitor: task.id } : null}
      />
      {mayDelete && (
        <IconButton label={`${t('delete')}…`} icon={Trash2} isDisabled={remove.isPending} onPress={() => void ask()} />
      )}
      {mayMonitor &&
        (task.state === 'monitoring' ? (
          <Button icon={Square} isDisabled={stop.isPending} onPress={() => stop.mutate({ body })}>
            {t('stop')}
          </Button>
        ) : (
          <Button variant="primary" icon={Play} isDisabled={start.isPending} onPress={() => start.mutate({ body })}>
            {t('start')}
          </Button>
        ))}
    </>
  )
}

function Figures({ detail: { data: task, downloads, runs } }: { detail: Detail }) {
  const t = useTexts(monitorTexts)
  const last = runs.find(({ ended_at }) => ended_at !== null)
  return (
    <dl className="grid grid-cols-5 divide-x border-t max-lg:grid-cols-3 max-md:grid-cols-2 max-lg:divide-x-0">
      <Figure
        name={t('piratedHint')}
        note={last ? t('onOffer', { count: last.pirated }) : ''}
        testId="pirated"
        value={hasAnswers(task) ? <Num value={task.pirated} /> : t('unknown')}
        aside={task.fresh > 0 && <span className="text-14 text-bad-text">{t('fresh', { count: task.fresh })}</span>}
      />
      <Figure name={t('genuineHint')} value={hasAnswers(task) ? <Num value={task.genuine} /> : t('unknown')} />
      <Figure
        name={t('downloads')}
        note={t('downloadsNote')}
        value={downloads === null ? t('unknown') : <Num value={downloads} />}
      />
      <DevicesFigure task={task} />
      <Figure
        name={t('askedMarkets')}
        value={<Num value={task.asked} />}
        aside={<span className="text-14 text-muted">{t('ofMarkets', { all: task.markets })}</span>}
        note={task.unasked > 0 ? t('unaskedNote', { count: task.unasked }) : task.markets > 0 ? t('allAsked') : ''}
      />
    </dl>
  )
}

/** Asked apart, of the event store; it leads to the returns. */
function DevicesFigure({ task }: { task: MonitorTask }) {
  const t = useTexts(monitorTexts)
  const isRunning = task.state === 'monitoring'
  const { data, refetch } = useEndpoint(
    monitorDevices,
    { query: { id: task.id } },
    { refetchInterval: isRunning ? 5000 : 60_000 },
  )
  // What the last markets had came after the last look.
  useEffect(() => {
    if (!isRunning) void refetch()
  }, [isRunning, refetch])
  const mayOpen = useMay('events.read')
  const value =
    !data || data.certificates.length === 0 ? (
      t('unknown')
    ) : data.devices > 0 && mayOpen ? (
      <Link className="hover:underline" to={abnormalPath(task.appid)}>
        <Num value={data.devices} />
      </Link>
    ) : (
      <Num value={data.devices} />
    )
  return (
    <Figure
      name={t('devices')}
      value={value}
      testId="devices"
      note={data && data.certificates.length === 0 ? t('devicesNone') : t('devicesNote', { days: DEVICE_DAYS })}
    />
  )
}

function Figure({
  name,
  value,
  note = '',
  aside,
  testId,
}: {
  name: string
  value: ReactNode
  note?: string
  aside?: ReactNode
  testId?: string
}) {
  return (
    <div className="flex min-w-0 flex-col px-5 py-3">
      <dt className="text-12 text-muted">{name}</dt>
      <dd className="flex h-9 items-baseline gap-2 text-28 leading-9" {...(testId && { 'data-testid': testId })}>
        {value}
        {aside}
      </dd>
      <dd className="min-h-5 text-12 text-muted">{note}</dd>
    </div>
  )
}
