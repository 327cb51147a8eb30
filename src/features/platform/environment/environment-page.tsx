import { Bell, Download, PackageSearch, Unplug } from 'lucide-react'
import { useState } from 'react'
import {
  type EnvironmentAnswer,
  environment,
  environmentDiagnostics,
  exportEnvironment,
} from '#contracts/http/environment.ts'
import { PAGES } from '#contracts/pages.ts'
import { RANGE_NAMES, STALE_MS } from '#domain/environment.ts'
import { PermittedPage } from '#src/shared/account/permitted-page.tsx'
import { downloadHref } from '#src/shared/api/download-href.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatDateTime, relativeTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useAddress } from '#src/shared/table/use-address.ts'
import { useActions } from '#src/shared/ui/actions.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { Icon } from '#src/shared/ui/icon.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { AlertHistory, OpenAlerts } from './alert-list.tsx'
import { ChartGrid } from './chart-grid.tsx'
import { environmentTexts } from './environment-texts.ts'
import { KeyFigures } from './key-figures.tsx'
import { formatUptime } from './metric-format.ts'
import { ProcessTable } from './process-table.tsx'
import { StoreTable } from './store-table.tsx'
import { ThresholdsDialog } from './thresholds-dialog.tsx'

const REFRESH_MS = 15_000
/** On a new installation the history is said to be short. */
const YOUNG_MS = 3_600_000

/** /platform/environment: how the machine and the platform are, and how they were (ENV-01). */
export default function EnvironmentPage() {
  return (
    <PermittedPage page="environment" permission="platform.maintain">
      <Environment />
    </PermittedPage>
  )
}

function Environment() {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const { params, setParams } = useAddress()
  const [editing, setEditing] = useState(false)
  const node = params.get('node')
  const range = RANGE_NAMES.find((one) => one === params.get('range')) ?? '1h'
  const answer = useEndpoint(
    environment,
    { query: node === null ? {} : { node } },
    { refetchInterval: REFRESH_MS, placeholderData: (before) => before },
  )
  const setRange = (id: (typeof RANGE_NAMES)[number]) => setParams({ range: id === '1h' ? null : id })
  const { data: all } = answer
  useActions([
    ...RANGE_NAMES.map((id, index) => ({
      id: `environment.range-${id}`,
      label: t('rangeTo', { range: t(id) }),
      group: t('actions'),
      keys: String(index + 1),
      run: () => setRange(id),
    })),
    {
      id: 'environment.thresholds',
      label: t('thresholds'),
      group: t('actions'),
      keys: 'a',
      run: () => setEditing(true),
    },
  ])
  const data = all?.data
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={PAGES.environment[language]}
        note={all && data && <NodeNote data={data} now={all.now} />}
        actions={
          all && (
            <>
              {all.nodes.length > 1 && (
                <Select
                  prefix
                  size="small"
                  label={t('node')}
                  value={data?.node ?? ''}
                  onChange={(id) => setParams({ node: id })}
                  items={all.nodes.map(({ name }) => ({ id: name, label: name }))}
                  className="w-56"
                />
              )}
              {data && (
                <Button
                  variant="quiet"
                  icon={Download}
                  onPress={() => location.assign(downloadHref(exportEnvironment, { node: data.node, range }))}
                >
                  {t('export')}
                </Button>
              )}
              <Button
                variant="quiet"
                icon={PackageSearch}
                title={t('diagnosticsNote')}
                onPress={() => location.assign(downloadHref(environmentDiagnostics))}
              >
                {t('diagnostics')}
              </Button>
              <Button icon={Bell} onPress={() => setEditing(true)}>
                {t('thresholds')}
              </Button>
              <SegmentedControl
                label={t('range')}
                items={RANGE_NAMES.map((id) => ({ id, label: t(id) }))}
                value={range}
                onChange={setRange}
              />
            </>
          )
        }
      />
      {all && data ? (
        <>
          <OpenAlerts alerts={all.alerts} several={all.nodes.length > 1} />
          <StaleNotice at={data.snapshot.at} now={all.now} />
          <KeyFigures data={data} alerts={all.alerts} now={all.now} isStale={isStale(data, all.now)} />
          <ChartGrid data={data} settings={all.settings} alerts={all.alerts} range={range} now={all.now} />
          <div className="grid flex-1 grid-cols-[minmax(0,1fr)_minmax(380px,33.3%)] max-xl:grid-cols-1">
            <ProcessTable processes={data.snapshot.processes} now={all.now} isStale={isStale(data, all.now)} />
            <div className="min-w-0 border-l max-xl:border-t max-xl:border-l-0">
              <StoreTable data={data} isStale={isStale(data, all.now)} />
              <AlertHistory alerts={all.alerts} several={all.nodes.length > 1} />
            </div>
          </div>
        </>
      ) : answer.error ? (
        <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
      ) : all ? (
        <EmptyState kind="none" title={t('nothing')} hint={t('nothingHint')} />
      ) : (
        <Skeleton lines={14} height="24px" className="px-5 py-3" />
      )}
      {editing && all && <ThresholdsDialog settings={all.settings} onClose={() => setEditing(false)} />}
    </div>
  )
}

function isStale({ snapshot }: EnvironmentAnswer, now: number): boolean {
  return now - snapshot.at > STALE_MS
}

/** The node, how long it runs, and since when a new one is measured. */
function NodeNote({ data, now }: { data: EnvironmentAnswer; now: number }) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const { started_at } = data.snapshot
  const parts = [
    data.node,
    started_at !== null && t('running', { time: formatUptime(now - started_at, language) }),
    now - data.first_at < YOUNG_MS && t('since', { time: formatDateTime(data.first_at, zone, 'minute', now) }),
  ]
  return <span data-testid="node">{parts.filter(Boolean).join(language === 'zh' ? '，' : ', ')}</span>
}

function StaleNotice({ at, now }: { at: number; now: number }) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  if (now - at <= STALE_MS) return null
  return (
    <p role="status" className="flex items-baseline gap-2.5 border-t bg-warn-soft px-5 py-2" data-testid="stale">
      <Icon of={Unplug} size={14} className="flex-none translate-y-0.5 text-warn-text" />
      <span>
        <strong className="font-semibold">{t('stale', { time: relativeTime(at, now, language, zone) })}</strong>
        <span className="block text-muted">{t('staleHint')}</span>
      </span>
    </p>
  )
}
