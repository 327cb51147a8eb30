import { ScanSearch } from 'lucide-react'
import { useMemo } from 'react'
import { useNavigate } from 'react-router-dom'
import { APPLICATION_TYPES } from '#contracts/detection/kinds.ts'
import { type DetectionTask, detectionTasks } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { useApplicationFilter } from '#src/features/detection/parts/application-filter.tsx'
import { NoDetections } from '#src/features/detection/parts/no-detections.tsx'
import { privacyPath, taskPath } from '#src/features/detection/parts/task-path.ts'
import { isActive, TaskStateText } from '#src/features/detection/parts/task-state.tsx'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { type Translate, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import type { Column } from '#src/shared/table/data-table.tsx'
import { ListPage } from '#src/shared/table/list-page.tsx'
import { PagedTable } from '#src/shared/table/paged-table.tsx'
import { SearchBox } from '#src/shared/table/search-box.tsx'
import { useAddress } from '#src/shared/table/use-address.ts'
import { AppIcon } from '#src/shared/ui/app-icon.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { privacyTexts } from './privacy-texts.ts'

const PAGE_SIZE = 20
const [ACTIVE_MS, IDLE_MS] = [2000, 20_000]

/** /detection/privacy: every task that examined privacy, with what it concluded. */
export default function PrivacyPage() {
  return (
    <PermittedPage page="privacy_detection" permission="detect.view">
      <PrivacyTasks />
    </PermittedPage>
  )
}

function PrivacyTasks() {
  const t = useTexts(privacyTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { params, setParams } = useAddress()
  const mayDetect = useMay('asset.detect_privacy')
  const appid = useApplicationFilter()
  const find = (params.get('find') ?? '').slice(0, 100)
  const page = Math.max(1, Number(params.get('page')) || 1)
  const result = useEndpoint(
    detectionTasks,
    {
      query: {
        kind: 'privacy',
        search: find,
        appid,
        offset: (page - 1) * PAGE_SIZE,
        limit: PAGE_SIZE,
      },
    },
    {
      placeholderData: (before) => before,
      refetchInterval: ({ state }) => (state.data?.data.some((one) => isActive(one.state)) ? ACTIVE_MS : IDLE_MS),
    },
  )
  const columns = useMemo(() => columnsOf(t, language), [t, language])
  const create = () => void navigate(PAGES.detection_new.path)
  return (
    <ListPage
      title={PAGES.privacy_detection[language]}
      note={result.data && t('note', { count: result.data.total })}
      actions={
        mayDetect && (
          <Button variant="primary" icon={ScanSearch} onPress={create}>
            {t('create')}
          </Button>
        )
      }
      filters={
        <SearchBox
          label={t('find')}
          value={find}
          onSearch={(words) => setParams({ find: words || null, page: null }, true)}
        />
      }
    >
      <PagedTable
        label={t('list')}
        answer={result}
        columns={columns}
        rowKey={(task) => task.id}
        onOpen={(task) => void navigate(task.state === 'detected' ? privacyPath(task.id) : taskPath(task.id))}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={(next) => setParams({ page: next > 1 ? String(next) : null })}
        filtered={
          find !== '' && {
            title: t('filtered'),
            clear: t('clear'),
            onClear: () => setParams({ find: null, page: null }),
          }
        }
        none={<NoDetections appid={appid} title={t('none')} hint={t('noneHint')} create={mayDetect && t('create')} />}
      />
    </ListPage>
  )
}

function columnsOf(
  t: Translate<keyof typeof privacyTexts.entries & string>,
  language: 'zh' | 'en',
): Column<DetectionTask>[] {
  const figure = (
    id: 'fail' | 'manual' | 'not_assessed' | 'pass',
    header: string,
    color = '',
  ): Column<DetectionTask> => ({
    id,
    header,
    numeric: true,
    width: '84px',
    wide: id !== 'fail',
    cell: ({ privacy }) =>
      privacy && <span className={privacy[id] > 0 ? `font-semibold ${color}` : 'text-muted'}>{privacy[id]}</span>,
  })
  return [
    {
      id: 'name',
      header: t('name'),
      cell: (task) => (
        <span className="flex items-center gap-3 py-1">
          <AppIcon name={task.name} icon={task.icon} size={26} />
          <span className="min-w-0">
            <span className="text-clip-line block max-w-72 font-semibold max-sm:max-w-40">
              {task.name} {task.version}
            </span>
            <span className="text-clip-line block max-w-72 font-mono text-12/4 text-muted max-sm:max-w-40">
              {task.package_id}
            </span>
          </span>
        </span>
      ),
    },
    {
      id: 'type',
      header: t('type'),
      width: '140px',
      wide: true,
      cell: (task) =>
        task.application_type ? (
          APPLICATION_TYPES[task.application_type][language]
        ) : (
          <span className="text-muted">{t('noType')}</span>
        ),
    },
    { id: 'state', header: t('state'), width: '150px', cell: (task) => <TaskStateText task={task} /> },
    figure('fail', t('fail'), 'text-bad-text'),
    figure('manual', t('manual'), 'text-brand-text'),
    figure('not_assessed', t('notAssessed'), 'text-warn-text'),
    figure('pass', t('pass')),
    {
      id: 'created',
      header: t('created'),
      width: '110px',
      wide: true,
      cell: (task) => (
        <span className="text-12 text-muted">
          <RelativeTime at={task.created_at} />
        </span>
      ),
    },
    {
      id: 'by',
      header: t('by'),
      width: '140px',
      wide: true,
      cell: (task) => <span className="text-clip-line block max-w-40 text-12 text-muted">{task.by}</span>,
    },
  ]
}
