import { Download, GitCompare, RotateCw, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link, useNavigate } from 'react-router-dom'
import type { DetectionKind } from '#contracts/detection/kinds.ts'
import { DETECTION_KINDS } from '#contracts/detection/kinds.ts'
import { compareTasks, detectionResult, downloadResult } from '#contracts/http/detection/result.ts'
import { downloadTaskLog } from '#contracts/http/detection/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { taskTexts } from '#src/features/detection/parts/task-texts.ts'
import { useTaskActions } from '#src/features/detection/parts/use-task-actions.ts'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime, formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { BasicTab } from './basic-tab.tsx'
import { CertificatesTab } from './certificates-tab.tsx'
import { ComponentsTab } from './components-tab.tsx'
import { ContentTab } from './content-tab.tsx'
import { CoverageTab } from './coverage-tab.tsx'
import { DomainsTab } from './domains-tab.tsx'
import { DynamicTab } from './dynamic-tab.tsx'
import { ItemsTab } from './items-tab.tsx'
import { PermissionsTab } from './permissions-tab.tsx'
import { PrivacyTab } from './privacy-tab.tsx'
import { ReportButtons } from './report-buttons.tsx'
import type { PartProps } from './report-part.ts'
import { reportTexts } from './report-texts.ts'
import { SdksTab } from './sdks-tab.tsx'
import { Summary } from './summary.tsx'
import { SummaryLine } from './summary-line.tsx'
import { TaskHead } from './task-head.tsx'
import { taskPageTexts } from './task-texts.ts'
import type { TaskAnswer } from './use-task.ts'
import { VulnerabilitiesTab } from './vulnerabilities-tab.tsx'

const TABS = [
  'items',
  'dynamic',
  'privacy',
  'permissions',
  'sdks',
  'vulnerabilities',
  'components',
  'domains',
  'content',
  'certificates',
  'basic',
  'coverage',
] as const
type TabName = (typeof TABS)[number]
/** Which kind of detection fills a part; the others come with every scan. */
const KIND_OF: Partial<Record<TabName, DetectionKind>> = {
  privacy: 'privacy',
  permissions: 'compliance',
  sdks: 'sdk',
  content: 'content',
}
const CONTENT: Record<TabName, (props: PartProps) => ReactNode> = {
  items: ItemsTab,
  dynamic: DynamicTab,
  privacy: PrivacyTab,
  permissions: PermissionsTab,
  sdks: SdksTab,
  vulnerabilities: VulnerabilitiesTab,
  components: ComponentsTab,
  domains: DomainsTab,
  content: ContentTab,
  certificates: CertificatesTab,
  basic: BasicTab,
  coverage: CoverageTab,
}

/** Report details: what prevents a release on top, then every part of what the scan says. The whole view is in the address. */
export function Report({ answer }: { answer: TaskAnswer }) {
  const t = useTexts(reportTexts)
  const p = useTexts(taskPageTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const address = useAddress()
  const task = answer.data
  const result = useEndpoint(detectionResult, { query: { id: task.id } })
  const before = answer.previous?.id ?? ''
  const compared = useEndpoint(compareTasks, { query: { before, after: task.id } }, { enabled: before !== '' })
  const summary = result.data?.data
  const tab = TABS.find((one) => one === address.params.get('tab')) ?? 'items'
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <div className="mx-auto flex w-full max-w-[1160px] flex-1 flex-col">
        <PageTitle title={PAGES.detection_task[language]} actions={<ReportActions answer={answer} />} />
        <div className="flex flex-1 flex-col px-5 pb-6 max-lg:px-4">
          <TaskHead task={task}>
            {task.ended_at !== null && (
              <span>
                {p('doneIn', {
                  at: formatDateTime(task.ended_at, zone, 'minute', Date.now()),
                  time: formatDuration(task.ended_at - (task.started_at ?? task.ended_at), language),
                })}
              </span>
            )}
            {summary && <span>{p('rules', { version: summary.rules.version })}</span>}
          </TaskHead>
          {result.error && !summary ? (
            <ErrorState error={result.error} onRetry={() => void result.refetch()} />
          ) : !summary ? (
            <Skeleton lines={14} height="24px" className="border-t py-4" />
          ) : (
            <>
              {/* A phone that shows one item shows that alone. */}
              <div className={address.params.has('item') ? 'max-lg:hidden' : ''}>
                {tab === 'items' ? (
                  <Summary answer={answer} summary={summary} comparison={compared.data} address={address} />
                ) : (
                  <SummaryLine summary={summary} address={address} />
                )}
              </div>
              <Tabs
                label={t('parts')}
                value={tab}
                onChange={(next) =>
                  address.setParams({
                    tab: next === 'items' ? null : next,
                    find: null,
                    open: null,
                    show: null,
                    page: null,
                  })
                }
                items={TABS.filter((id) => id !== 'dynamic' || task.kinds.includes('dynamic')).map((id) => ({
                  id,
                  label: `${t(id)}${sizeOf(id, summary)}`,
                  content: id === tab && (
                    <Part name={id} answer={answer} summary={summary} comparison={compared.data} address={address} />
                  ),
                }))}
              />
            </>
          )}
        </div>
      </div>
    </div>
  )
}

function Part({ name, ...props }: PartProps & { name: TabName }) {
  const t = useTexts(reportTexts)
  const language = useLanguage()
  const kind = KIND_OF[name]
  const size = name in props.summary.sizes ? props.summary.sizes[name as keyof PartProps['summary']['sizes']] : 1
  if (kind && size === 0 && !props.summary.kinds.includes(kind))
    return (
      <EmptyState
        kind="missing"
        title={t('notPart')}
        hint={t('notPartHint', { kind: DETECTION_KINDS[kind][language] })}
      />
    )
  const Content = CONTENT[name]
  return <Content {...props} />
}

/** The count of a tab, beside its name. */
function sizeOf(name: TabName, summary: PartProps['summary']): string {
  if (name === 'items') return ` ${summary.sizes.items}`
  if (name === 'coverage') return summary.not_assessed.length > 0 ? ` ${summary.not_assessed.length}` : ''
  return name in summary.sizes ? ` ${summary.sizes[name as keyof PartProps['summary']['sizes']]}` : ''
}

function ReportActions({ answer }: { answer: TaskAnswer }) {
  const p = useTexts(taskPageTexts)
  const s = useTexts(taskTexts)
  const navigate = useNavigate()
  const actions = useTaskActions()
  const task = answer.data
  const remove = async () => {
    if (await actions.remove([task])) void navigate(PAGES.detection_tasks.path)
  }
  const get = (format: 'json' | 'sarif') => location.assign(downloadHref(downloadResult, { id: task.id, format }))
  return (
    <>
      {answer.previous && (
        <Link
          to={`${PAGES.compare.path}?before=${answer.previous.id}&after=${task.id}`}
          className="inline-flex h-control items-center gap-1.5 rounded px-2.5 text-muted hover:bg-hover hover:text-text"
        >
          <GitCompare size={16} aria-hidden strokeWidth={1.6} />
          {p('compare', { version: answer.previous.version })}
        </Link>
      )}
      {actions.mayRun(task) && (
        <Button
          variant="quiet"
          icon={RotateCw}
          isDisabled={!task.has_file}
          {...(!task.has_file && { title: s('fileGone') })}
          onPress={() => void actions.retry(task)}
        >
          {p('again')}
        </Button>
      )}
      <MenuButton
        label={p('download')}
        icon={Download}
        items={[
          {
            items: [
              { id: 'json', label: p('json'), onAction: () => get('json') },
              { id: 'sarif', label: p('sarif'), onAction: () => get('sarif') },
              {
                id: 'log',
                label: p('downloadRunLog'),
                onAction: () => location.assign(downloadHref(downloadTaskLog, { id: task.id })),
              },
            ],
          },
          ...(actions.mayDelete
            ? [
                {
                  items: [
                    { id: 'delete', label: s('remove'), icon: Trash2, danger: true, onAction: () => void remove() },
                  ],
                },
              ]
            : []),
        ]}
      />
      <ReportButtons task={task} />
    </>
  )
}
