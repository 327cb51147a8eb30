import { CalendarClock, Square, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { Link } from 'react-router-dom'
import {
  REPORT_ITEMS,
  REPORT_KINDS,
  type ReportKind,
  STORED_FORMATS,
  type StoredFormat,
} from '#contracts/http/reports/make-report.ts'
import { REPORT_SORTS, type StoredReport, storedReports } from '#contracts/http/reports/stored-reports.ts'
import { JOB_STATES } from '#contracts/jobs.ts'
import { PAGES } from '#contracts/pages.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatBytes } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay, useSession } from '#src/shared/session/session-store.ts'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { CountedChoice, SearchableListPage } from '#src/shared/table/searchable-list-page.tsx'
import { spanOfFilter, TimeFilter } from '#src/shared/table/time-filter.tsx'
import { useListState } from '#src/shared/table/use-list-state.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { reportColumns } from './report-columns.tsx'
import { ReportDrawer } from './report-drawer.tsx'
import { isWorking } from './report-state.tsx'
import { reportsTexts } from './reports-texts.ts'
import { scheduleTexts } from './schedule-texts.ts'
import { SchedulesDrawer } from './schedules-drawer.tsx'
import { useReportActions } from './use-report-actions.ts'

const FILTERS = ['find', 'kind', 'format', 'state', 'app', 'language', 'own', 'range'] as const
const KINDS = Object.keys(REPORT_KINDS) as ReportKind[]
const FORMATS = Object.keys(STORED_FORMATS) as StoredFormat[]
/** Sorts of the list, the default first. */
const SORTS = REPORT_SORTS
const ALL = 'all'
/** Fast while one is being written, slow else, so that what others start shows too. */
const [ACTIVE_MS, IDLE_MS] = [1500, 20_000]

/** /platform/reportManage: every report that is kept. Filters, sort, page and the open report stand in the address. */
export default function ReportsPage() {
  const t = useTexts(reportsTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const applications = useApplications((state) => state.list)
  const mayManage = useMay('report.manage')
  const mayDetect = useMay('detect.view')
  const mayWrite = useSession((state) =>
    REPORT_ITEMS.some((item) => item !== 'report.manage' && state.user?.auth_list.includes(item)),
  )
  const s = useTexts(scheduleTexts)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const columns = useMemo(
    () =>
      reportColumns({
        t,
        language,
        selected,
        onSelect: (id) =>
          setSelected((before) => {
            const next = new Set(before)
            if (!next.delete(id)) next.add(id)
            return next
          }),
      }),
    [t, language, selected],
  )
  const list = useListState({
    name: 'report',
    filters: FILTERS,
    sorts: SORTS,
    columns,
    searchLabel: t('find'),
    actionGroup: t('list'),
  })
  const { params, setParams, filter, table, setTable } = list
  const range = params.get('range')
  const span = useMemo(() => spanOfFilter(range, Date.now(), zone), [range, zone])
  const one = <Id extends string>(name: string, all: readonly Id[]): Id | '' =>
    all.find((id) => id === params.get(name)) ?? ''
  const filters = {
    search: (params.get('find') ?? '').slice(0, 100),
    kind: one('kind', KINDS),
    format: one('format', FORMATS),
    state: one('state', JOB_STATES),
    language: one('language', ['zh', 'en'] as const),
    appid: applications?.find(({ id }) => id === params.get('app'))?.id ?? '',
    own: params.get('own') === '1' ? 'true' : 'false',
  }
  const sort = REPORT_SORTS.find((id) => id === table.sort) ?? 'created_at'
  const answer = useEndpoint(
    storedReports,
    { query: { ...filters, ...span, sort, descending: sort === 'title' ? 'false' : 'true', ...list.paging } },
    {
      placeholderData: (before) => before,
      refetchInterval: ({ state }) => (state.data?.data.some(isWorking) ? ACTIVE_MS : IDLE_MS),
    },
  )
  const actions = useReportActions((ids) => {
    setSelected((before) => new Set([...before].filter((id) => !ids.includes(id))))
    if (ids.includes(params.get('report') ?? '')) setParams({ report: null }, true)
  })
  const { data } = answer
  const rows = data?.data ?? []
  const chosen = rows.filter(({ id }) => selected.has(id))
  const open = rows.find(({ id }) => id === params.get('report'))
  const choice = <Id extends string>(
    name: (typeof FILTERS)[number],
    label: string,
    value: string,
    items: readonly { id: Id; label: string }[],
  ) => (
    <Select
      prefix
      size="small"
      label={label}
      value={value || ALL}
      onChange={(id) => filter(name, id === ALL ? null : id)}
      items={[{ id: ALL, label: t('all') }, ...items]}
      className="w-32"
    />
  )
  return (
    <SearchableListPage<StoredReport>
      list={list}
      title={PAGES.reports[language]}
      count={
        data && {
          name: 'report',
          total: data.total,
          text: t('note', { count: data.total, size: formatBytes(data.bytes) }),
        }
      }
      actions={
        mayWrite && (
          <Button icon={CalendarClock} onPress={() => setParams({ schedules: '1', report: null }, true)}>
            {s('open')}
          </Button>
        )
      }
      filters={
        <>
          <SearchBox
            id={list.searchId}
            label={t('find')}
            value={params.get('find') ?? ''}
            onSearch={(words) => filter('find', words || null)}
            className="w-44"
          />
          <CountedChoice
            label={t('kind')}
            all={t('all')}
            value={filters.kind}
            onChange={(kind) => filter('kind', kind || null)}
            items={KINDS.map((id) => ({ id, label: REPORT_KINDS[id][language] }))}
            counts={data?.kinds}
          />
          {choice(
            'state',
            t('state'),
            filters.state,
            JOB_STATES.map((id) => ({ id, label: t(id) })),
          )}
          {choice(
            'app',
            t('application'),
            filters.appid,
            (applications ?? []).map(({ id, name }) => ({ id, label: name })),
          )}
          {choice(
            'format',
            t('format'),
            filters.format,
            FORMATS.map((id) => ({ id, label: STORED_FORMATS[id] })),
          )}
          {choice(
            'language',
            t('language'),
            filters.language,
            (['zh', 'en'] as const).map((id) => ({ id, label: t(id) })),
          )}
          {mayManage && choice('own', t('whose'), params.get('own') === '1' ? '1' : '', [{ id: '1', label: t('own') }])}
          <TimeFilter range={range} onChange={(next) => filter('range', next)} />
        </>
      }
      texts={{ clear: t('clear'), filtered: t('noMatch') }}
      above={
        chosen.length > 0 && (
          <div className="flex flex-wrap items-center gap-2 border-y bg-selected px-5 py-1.5">
            <span className="mr-2 font-semibold">{t('selected', { count: chosen.length })}</span>
            {chosen.some(isWorking) && (
              <Button
                icon={Square}
                isDisabled={actions.isBusy}
                onPress={() => actions.cancel(chosen.filter(isWorking))}
              >
                {t('cancel')}
              </Button>
            )}
            <Button
              variant="danger"
              icon={Trash2}
              isDisabled={actions.isBusy}
              onPress={() => void actions.remove(chosen)}
            >
              {t('delete')}…
            </Button>
            <Button variant="quiet" onPress={() => setSelected(new Set())}>
              {t('unselect')}
            </Button>
          </div>
        )
      }
      label={PAGES.reports[language]}
      answer={answer}
      columns={columns}
      rowKey={({ id }) => id}
      sort={table.sort}
      onSort={(key) => setTable({ sort: key })}
      current={params.get('report')}
      onOpen={({ id }) => setParams({ report: id, schedules: null }, true)}
      note={data && t('kept', { days: data.days, gigabytes: data.gigabytes })}
      none={
        <EmptyState
          kind="none"
          title={t('none')}
          hint={t('noneHint')}
          action={
            mayDetect && (
              <Link className="text-brand-text hover:underline" to={PAGES.detection_tasks.path}>
                {t('toTasks')}
              </Link>
            )
          }
        />
      }
    >
      {params.get('schedules') === '1' && mayWrite && (
        <SchedulesDrawer onClose={() => setParams({ schedules: null }, true)} />
      )}
      {open && !params.has('schedules') && (
        <ReportDrawer key={open.id} report={open} actions={actions} onClose={() => setParams({ report: null }, true)} />
      )}
    </SearchableListPage>
  )
}
