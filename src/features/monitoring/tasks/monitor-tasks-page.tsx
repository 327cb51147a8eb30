import { Plus, Store } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import {
  MONITOR_SCHEDULES,
  MONITOR_STATES,
  type MonitorState,
  type MonitorTask,
  monitorTasks,
} from '#contracts/http/monitoring/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { type Language, type Translate, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { PAGE_SIZE, useListState } from '#src/shared/table/use-list-state.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { hasAnswers, MonitorStateMark } from '../parts/monitor-state.tsx'
import { monitorTexts } from '../parts/monitor-texts.ts'
import { NewMonitorDialog } from './new-monitor-dialog.tsx'

const STATES = Object.keys(MONITOR_STATES) as MonitorState[]
const ALL = 'all'
const [ACTIVE_MS, IDLE_MS] = [2000, 20_000]
const pathOf = (id: string) => PAGES.monitor_task.path.replace(':id', id)

/** /monitor/tasks: one row for each application whose copies are looked for. */
export default function MonitorTasksPage() {
  const language = useLanguage()
  const mayView = useMay('monitor.view')
  const mayMonitor = useMay('asset.monitor')
  if (mayView || mayMonitor) return <Tasks mayMonitor={mayMonitor} />
  return (
    <>
      <PageTitle title={PAGES.monitor_tasks[language]} />
      <ForbiddenState permission="monitor.view" />
    </>
  )
}

function Tasks({ mayMonitor }: { mayMonitor: boolean }) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const current = useApplications((state) => state.current)
  const [isNew, setNew] = useState(false)
  const columns = useMemo(() => columnsOf(t, language), [t, language])
  const list = useListState({
    name: 'monitor',
    filters: ['find', 'state'] as const,
    sorts: [],
    columns,
    searchLabel: t('find'),
    actionGroup: t('group'),
  })
  const { params, filter, table, setTable, isFiltered, clear } = list
  const state = STATES.find((one) => one === params.get('state')) ?? ''
  const answer = useEndpoint(
    monitorTasks,
    {
      query: {
        search: (params.get('find') ?? '').slice(0, 100),
        state,
        appid: current === 'all' ? '' : current,
        ...list.paging,
      },
    },
    {
      placeholderData: (before) => before,
      refetchInterval: ({ state: { data } }) =>
        data?.data.some((task) => task.state === 'monitoring') ? ACTIVE_MS : IDLE_MS,
    },
  )
  const { data } = answer
  const total = data && Object.values(data.states).reduce((sum, one) => sum + one, 0)
  const createButton = (
    <Button variant="primary" icon={Plus} onPress={() => setNew(true)}>
      {t('create')}
    </Button>
  )
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.monitor_tasks[language]}
        note={total !== undefined && t('tasks', { count: total })}
        actions={
          <>
            <Button variant="quiet" icon={Store} onPress={() => void navigate(PAGES.monitor_markets.path)}>
              {t('channels')}
            </Button>
            {mayMonitor && createButton}
          </>
        }
      />
      <div className="flex flex-wrap items-center gap-2 border-t px-5 py-2 max-lg:px-4">
        <SearchBox
          id={list.searchId}
          label={t('find')}
          value={params.get('find') ?? ''}
          onSearch={(words) => filter('find', words || null)}
          className="w-44"
        />
        <Select
          prefix
          size="small"
          label={t('state')}
          value={state || ALL}
          onChange={(id) => filter('state', id === ALL ? null : id)}
          items={[
            { id: ALL, label: t('all') },
            ...STATES.map((id) => ({
              id,
              label: MONITOR_STATES[id][language],
              note: data ? String(data.states[id] ?? 0) : '',
            })),
          ]}
          className="w-40"
        />
        {isFiltered && (
          <Button size="small" variant="quiet" onPress={clear}>
            {t('clear')}
          </Button>
        )}
      </div>
      <PagedTable
        label={PAGES.monitor_tasks[language]}
        answer={answer}
        columns={columns}
        rowKey={({ id }) => id}
        onOpen={({ id }) => void navigate(pathOf(id))}
        page={table.page}
        pageSize={PAGE_SIZE}
        onPage={(page) => setTable({ page })}
        filtered={isFiltered && { title: t('noMatch'), clear: t('clear'), onClear: clear }}
        none={
          <EmptyState
            kind="none"
            title={t('none')}
            hint={t('noneHint')}
            action={mayMonitor ? <Button onPress={() => setNew(true)}>{t('create')}</Button> : undefined}
          />
        }
      />
      {isNew && (
        <NewMonitorDialog
          onClose={() => setNew(false)}
          onCreated={({ id }) => {
            setNew(false)
            toast.success(t('created'))
            void navigate(pathOf(id))
          }}
        />
      )}
    </div>
  )
}

function columnsOf(
  t: Translate<keyof typeof monitorTexts.entries & string>,
  language: Language,
): Column<MonitorTask>[] {
  return [
    {
      id: 'app',
      header: t('application'),
      fixed: true,
      cell: ({ app_name, keywords }) => (
        <span className="flex min-w-0 items-baseline gap-2">
          <span className="text-clip-line" title={app_name}>
            {app_name}
          </span>
          {keywords.length > 0 && (
            <span className="text-clip-line min-w-0 text-12 text-muted">{keywords.join(', ')}</span>
          )}
        </span>
      ),
    },
    { id: 'state', header: t('status'), width: '168px', cell: (task) => <MonitorStateMark task={task} bar /> },
    {
      id: 'pirated',
      header: t('pirated'),
      width: '132px',
      numeric: true,
      cell: (task) => (
        <span className="inline-flex items-baseline gap-2">
          {task.fresh > 0 && <span className="text-12 text-bad-text">{t('fresh', { count: task.fresh })}</span>}
          <span className={task.pirated > 0 ? 'font-semibold' : ''}>
            {hasAnswers(task) ? <Num value={task.pirated} /> : '—'}
          </span>
        </span>
      ),
    },
    {
      id: 'genuine',
      header: t('genuine'),
      width: '84px',
      numeric: true,
      wide: true,
      cell: (task) => (hasAnswers(task) ? <Num value={task.genuine} /> : '—'),
    },
    {
      id: 'markets',
      header: t('askedMarkets'),
      width: '112px',
      numeric: true,
      wide: true,
      cell: ({ asked, markets, run }) => (run === 0 ? '—' : `${asked} / ${markets}`),
    },
    {
      id: 'schedule',
      header: t('schedule'),
      width: '96px',
      wide: true,
      cell: ({ schedule }) => MONITOR_SCHEDULES[schedule][language],
    },
    {
      id: 'time',
      header: t('time'),
      width: '132px',
      wide: true,
      cell: ({ created_at, started_at, ended_at }) => <RelativeTime at={ended_at ?? started_at ?? created_at} />,
    },
  ]
}
