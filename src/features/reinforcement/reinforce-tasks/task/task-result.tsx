import { Download, Ellipsis, ExternalLink, RotateCw, Trash2 } from 'lucide-react'
import { Link, useNavigate } from 'react-router-dom'
import { downloadReinforced, type ReinforceReport } from '#contracts/http/reinforce-tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { isLibraryKind } from '#domain/reinforce-kinds.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { shortAccount } from '#src/shared/format/text.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { ReportMenu } from '#src/shared/report/report-menu.tsx'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { buttonClass } from '#src/shared/ui/button-class.ts'
import { CopyText } from '#src/shared/ui/copy-text.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { taskPath } from '../task-path.ts'
import { taskTexts } from '../task-texts.ts'
import { useTaskActions } from '../use-task-actions.ts'
import { OptionsTab } from './options-tab.tsx'
import { OverviewTab } from './overview-tab.tsx'
import { pageTexts } from './page-texts.ts'
import { RescanTab } from './rescan-tab.tsx'
import { resultTexts } from './result-texts.ts'
import type { TaskDetail } from './stage-rows.ts'
import { TaskHead } from './task-head.tsx'

const TABS = ['overview', 'applied', 'rescan'] as const
const filePath = (id: number) => PAGES.asset.path.replace(':id', String(id))

/** A task that succeeded: what became of the package. */
export function TaskResult({ detail, report }: { detail: TaskDetail; report: ReinforceReport }) {
  const t = useTexts(resultTexts)
  const p = useTexts(pageTexts)
  const mayRead = useMay('asset.read')
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const { params, setParams } = useAddress()
  const { data: task } = detail
  const isLibrary = isLibraryKind(task.kind)
  const tabs = isLibrary ? TABS.filter((one) => one !== 'rescan') : TABS
  const tab = tabs.find((one) => one === params.get('tab')) ?? 'overview'
  const found = report.rescan ? ` ${report.rescan.items.length}` : ''
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle title={t('title')} actions={<Actions detail={detail} />} />
      <TaskHead
        task={task}
        extra={
          <>
            <span className="inline-flex items-center gap-1">
              SHA-256 <CopyText value={report.sha256} short />
            </span>
            {mayRead && task.result_file !== null && (
              <Link to={filePath(task.result_file)} className="text-brand-text hover:underline">
                {p('openResult')}
              </Link>
            )}
          </>
        }
      >
        <span className="flex flex-wrap gap-x-4 text-12 text-muted">
          {task.ended_at !== null && (
            <span>
              {t('tookIn', {
                at: formatDateTime(task.ended_at, zone, 'minute', Date.now()),
                time: formatDuration(task.ended_at - (task.started_at ?? task.created_at), language),
              })}
            </span>
          )}
          <span title={task.operator}>{shortAccount(task.operator)}</span>
        </span>
      </TaskHead>
      <Tabs
        label={t('tabs')}
        value={tab}
        onChange={(next) =>
          setParams({ tab: next === 'overview' ? null : next, show: null, find: null, option: null, page: null })
        }
        items={[
          { id: 'overview', label: t('overview'), content: <OverviewTab detail={detail} report={report} /> },
          {
            id: 'applied',
            label: `${t('applied')} ${report.options.length}`,
            content: <OptionsTab detail={detail} report={report} />,
          },
          ...(isLibrary
            ? []
            : [{ id: 'rescan', label: `${t('rescan')}${found}`, content: <RescanTab report={report} /> } as const]),
        ]}
      />
    </div>
  )
}

function Actions({ detail: { data: task } }: { detail: TaskDetail }) {
  const t = useTexts(pageTexts)
  const s = useTexts(taskTexts)
  const navigate = useNavigate()
  const actions = useTaskActions()
  const mayRead = useMay('asset.read')
  const { file, result_file } = task
  const more = [
    ...(mayRead && file !== null
      ? [{ id: 'source', label: t('openSource'), icon: ExternalLink, onAction: () => void navigate(filePath(file)) }]
      : []),
    ...(actions.mayDelete
      ? [
          {
            id: 'delete',
            label: s('remove'),
            icon: Trash2,
            danger: true,
            onAction: async () => {
              if (await actions.remove([task])) void navigate(PAGES.reinforce_tasks.path)
            },
          },
        ]
      : []),
  ]
  return (
    <>
      {more.length > 0 && <MenuButton iconOnly icon={Ellipsis} label={t('more')} items={more} />}
      <ReportMenu of="reinforcement" subject={{ of: 'reinforcement', task: task.id }} />
      {actions.mayRedo && (
        <Button
          variant="quiet"
          icon={RotateCw}
          isDisabled={file === null}
          {...(file === null && { title: s('sourceGone') })}
          onPress={async () => {
            const id = await actions.redo(task)
            if (id) void navigate(taskPath(id))
          }}
        >
          {s('redo')}
        </Button>
      )}
      {actions.mayDownload &&
        (result_file === null ? (
          <Button icon={Download} isDisabled title={s('resultGone')}>
            {s('download')}
          </Button>
        ) : (
          <a className={buttonClass('primary')} href={downloadHref(downloadReinforced, { id: task.id })} download>
            <Icon of={Download} />
            <span>{s('download')}</span>
          </a>
        ))}
    </>
  )
}
