import { GitCompare, ScanSearch, Square, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { DETECTION_KINDS, type DetectionKind, TASK_STATES, type TaskState } from '#contracts/detection/kinds.ts'
import { type DetectionTask, detectionTasks, exportTasks, TASK_SORTS } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { useApplicationFilter } from '#src/features/detection/parts/application-filter.tsx'
import { detectionTexts } from '#src/features/detection/parts/detection-texts.ts'
import { NoDetections } from '#src/features/detection/parts/no-detections.tsx'
import { taskPath } from '#src/features/detection/parts/task-path.ts'
import { isActive } from '#src/features/detection/parts/task-state.tsx'
import { taskTexts } from '#src/features/detection/parts/task-texts.ts'
import { useTaskActions } from '#src/features/detection/parts/use-task-actions.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { CountedChoice, SearchableListPage } from '#src/shared/table/searchable-list-page.tsx'
import { spanOfFilter, TimeFilter } from '#src/shared/table/time-filter.tsx'
import { useListState } from '#src/shared/table/use-list-state.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { taskColumns } from './task-columns.tsx'
import { tasksTexts } from './tasks-texts.ts'

const STATES = Object.keys(TASK_STATES) as TaskState[]
const KINDS = Object.keys(DETECTION_KINDS) as DetectionKind[]
const FILTERS = ['find', 'state', 'kind', 'gate', 'range'] as const
/** Fast while something runs, slow else, so that what others start shows too. */
const [ACTIVE_MS, IDLE_MS] = [2000, 20_000]

/** /detection/tasks: the management list. Filters, sort and page stand in the address; running tasks move by themselves. */
export default function DetectionTasksPage() {
  return (
    <PermittedPage page="detection_tasks" permission="detect.view">
      <Tasks />
    </PermittedPage>
  )
}

function Tasks() {
  const t = useTexts(tasksTexts)
  const s = useTexts(taskTexts)
  const d = useTexts(detectionTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const zone = usePlatform((state) => state.zone)
  const actions = useTaskActions()
  const mayDetect = useMay('asset.detect')
  const appid = useApplicationFilter()
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const columns = useMemo(
    () =>
      taskColumns({
        t,
        s,
        language,
        selected,
        actions,
        onSelect: (id) =>
          setSelected((before) => {
            const next = new Set(before)
            if (!next.delete(id)) next.add(id)
            return next
          }),
      }),
    [t, s, language, selected, actions],
  )
  const list = useListState({
    name: 'task',
    filters: FILTERS,
    sorts: TASK_SORTS,
    columns,
    searchLabel: t('find'),
    actionGroup: t('list'),
  })
  const { params, filter, setTable, table } = list
  const filters = {
    search: (params.get('find') ?? '').slice(0, 100),
    state: STATES.find((one) => one === params.get('state')) ?? ('' as const),
    kind: KINDS.find((one) => one === params.get('kind')) ?? ('' as const),
    gate: (['pass', 'fail'] as const).find((one) => one === params.get('gate')) ?? ('' as const),
    appid,
    sort: TASK_SORTS.find((one) => one === table.sort) ?? 'created',
    order: table.sort === 'name' ? ('asc' as const) : ('desc' as const),
  }
  const range = params.get('range')
  const span = useMemo(() => spanOfFilter(range, Date.now(), zone), [range, zone])
  const result = useEndpoint(
    detectionTasks,
    { query: { ...filters, ...span, ...list.paging } },
    {
      placeholderData: (before) => before,
      refetchInterval: ({ state }) => (state.data?.data.some((one) => isActive(one.state)) ? ACTIVE_MS : IDLE_MS),
    },
  )
  const rows = result.data?.data ?? []
  const chosen = rows.filter((one) => selected.has(one.id))
  const running = chosen.filter((one) => isActive(one.state) && actions.mayRun(one))
  const detected = chosen.filter((one) => one.state === 'detected')
  const create = () => void navigate(PAGES.detection_new.path)
  useActions(
    mayDetect
      ? [{ id: 'detection.create', label: t('create'), group: t('list'), keys: 'n', icon: ScanSearch, run: create }]
      : [],
  )
  return (
    <SearchableListPage
      list={list}
      title={PAGES.detection_tasks[language]}
      count={result.data && { name: 'task', total: result.data.total, text: t('note', { count: result.data.total }) }}
      actions={
        <>
          <SavedViews state={list} page="detection_tasks" />
          <ExportListMenu
            named
            start={(file) => call(exportTasks, { body: { list: { ...filters, ...span }, ...file } }, { quiet: true })}
            mayExport
            title={PAGES.detection_tasks[language]}
            total={result.data?.total ?? 0}
          />
          {mayDetect && (
            <Button variant="primary" icon={ScanSearch} onPress={create}>
              {t('create')}
            </Button>
          )}
        </>
      }
      filters={
        <>
          <SearchBox
            id={list.searchId}
            label={t('find')}
            value={params.get('find') ?? ''}
            onSearch={(words) => filter('find', words || null)}
            className="w-40"
          />
          <CountedChoice
            label={t('states')}
            all={t('all')}
            value={filters.state}
            onChange={(state) => filter('state', state || null)}
            items={STATES.map((id) => ({ id, label: TASK_STATES[id][language] }))}
            counts={result.data?.states}
          />
          <Select
            size="small"
            label={t('kind')}
            hideLabel
            value={filters.kind}
            onChange={(kind) => filter('kind', kind || null)}
            items={[
              { id: '' as const, label: t('anyKind') },
              ...KINDS.map((id) => ({ id, label: DETECTION_KINDS[id][language] })),
            ]}
            className="w-28"
          />
          <Select
            size="small"
            label={t('gate')}
            hideLabel
            value={filters.gate}
            onChange={(gate) => filter('gate', gate || null)}
            items={[
              { id: '' as const, label: t('anyGate') },
              { id: 'pass' as const, label: d('gatePass') },
              { id: 'fail' as const, label: d('gateFail') },
            ]}
            className="w-32"
          />
          <TimeFilter range={range} onChange={(next) => filter('range', next)} />
        </>
      }
      texts={{ clear: t('clearFilters'), filtered: t('filtered') }}
      above={
        chosen.length > 0 && (
          <div className="flex flex-wrap items-center gap-2 border-y bg-selected px-5 py-1.5">
            <span className="mr-2 font-semibold">{t('selected', { count: chosen.length })}</span>
            {detected.length === 2 && (
              <Button icon={GitCompare} onPress={() => void navigate(comparePath(detected))}>
                {t('compare')}
              </Button>
            )}
            {running.length > 0 && (
              <Button icon={Square} onPress={() => void actions.stop(running)}>
                {s('stop')}
              </Button>
            )}
            {actions.mayDelete && (
              <Button
                icon={Trash2}
                onPress={async () => {
                  if (await actions.remove(chosen)) setSelected(new Set())
                }}
              >
                {s('remove')}
              </Button>
            )}
            <Button variant="quiet" onPress={() => setSelected(new Set())}>
              {t('clear')}
            </Button>
          </div>
        )
      }
      label={t('list')}
      answer={result}
      columns={columns}
      rowKey={(task) => task.id}
      openMark={false}
      sort={filters.sort}
      onSort={(sort) => setTable({ sort })}
      onOpen={(task) => void navigate(taskPath(task.id))}
      none={<NoDetections appid={appid} title={t('none')} hint={t('noneHint')} create={mayDetect && t('create')} />}
    />
  )
}

/** The older one is what the newer one is compared with. */
function comparePath(two: readonly DetectionTask[]): string {
  const [before, after] = [...two].sort((a, b) => a.created_at - b.created_at)
  return `${PAGES.compare.path}?before=${before?.id}&after=${after?.id}`
}
