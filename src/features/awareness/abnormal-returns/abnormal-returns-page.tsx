import { useNavigate } from 'react-router-dom'
import type { AbnormalReturn } from '#contracts/http/abnormal-returns.ts'
import { baselines } from '#contracts/http/baselines.ts'
import { exportList } from '#contracts/http/exports.ts'
import type { PiratedCertificate } from '#contracts/http/monitoring/tasks.ts'
import { PAGES } from '#contracts/pages.ts'
import { CONTRADICTIONS, reportedBuild } from '#domain/baseline.ts'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { PiratedCopyLink } from '#src/shared/devices/pirated-copy-link.tsx'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { pinned } from '#src/shared/query/drill.ts'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { BasisSelect } from '#src/shared/query/query-selects.tsx'
import { carryQuery } from '#src/shared/query/query-url.ts'
import { SavedViews } from '#src/shared/query/saved-views.tsx'
import { useQueryState } from '#src/shared/query/use-query-state.ts'
import { placeText, shortHash, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { abnormalTexts } from './abnormal-texts.ts'
import { BaselineList } from './baseline-list.tsx'
import { SummarySection } from './summary-section.tsx'
import { SuspiciousList } from './suspicious-list.tsx'
import { useAbnormal } from './use-abnormal.ts'

/** Returns that contradict the baseline of their version, and the baselines themselves. */
export default function AbnormalPage() {
  const t = useTexts(abnormalTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const state = useQueryState({ range: '-7d' })
  const mayExport = useMay('events.export')
  const known = useEndpoint(baselines)
  const { result, rows, pirated, first, summary, kinds, signer } = useAbnormal(state)
  const asked = state.params.get('tab')
  const view = asked === 'baselines' || asked === 'devices' ? asked : 'returns'
  const count = known.data?.data.length ?? 0
  const columns: Column<AbnormalReturn>[] = [
    {
      id: 'time',
      header: t('time'),
      cell: ({ event }) => formatDateTime(event.occurredAt, zone, 'second', first?.now),
    },
    { id: 'app', header: t('app'), cell: ({ event }) => `${nameOf('app', event.app)} ${event.version}` },
    {
      id: 'kinds',
      header: t('kinds'),
      cell: (row) => (
        <span className="flex min-w-0 flex-col">
          <b className="font-semibold">
            {row.kinds.map((kind) => CONTRADICTIONS[kind][language]).join(language === 'zh' ? '、' : ', ')}
          </b>
          <CopyOf row={row} pirated={pirated} />
        </span>
      ),
    },
    { id: 'reported', header: t('reported'), width: '32%', cell: (row) => <Reported row={row} /> },
    { id: 'channel', header: t('channel'), cell: ({ event }) => event.channel || '–' },
    { id: 'place', header: t('place'), cell: ({ event }) => placeText(event, nameOf, language) },
    {
      id: 'device',
      header: t('device'),
      cell: ({ event }) => <code className="text-12">{shortHash('device', event.device)}</code>,
    },
  ]
  const openRow = ({ event }: AbnormalReturn) =>
    void navigate(`${PAGES.abnormal_return.path.replace(':id', `${event.app}:${event.id}`)}?${carryQuery(state.query)}`)
  const list = () => {
    if (result.error && !first) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
    if (!first || !summary) return <Skeleton lines={10} height="24px" className="p-5" />
    if (count === 0 && known.data && summary.total === 0 && !signer)
      return (
        <EmptyState
          kind="none"
          title={t('noBaselines')}
          hint={t('noBaselinesHint')}
          action={<Button onPress={() => state.setParams({ tab: 'baselines' })}>{t('addFirst')}</Button>}
        />
      )
    return (
      <>
        {signer && (
          <p className="flex flex-wrap items-center gap-2 border-b px-5 py-2">
            <Chip label={signer} onRemove={() => state.setParams({ signer: null })}>
              {t('ofSigner', { signer: `${signer.slice(0, 8)}…${signer.slice(-8)}` })}
            </Chip>
          </p>
        )}
        <SummarySection summary={summary} span={first.span} kinds={kinds} state={state} />
        <Section
          plain
          title={t('abnormal')}
          note={t('listNote', { shown: formatExact(rows.length), count: summary.total })}
          state={result.isPlaceholderData ? 'refreshing' : 'ready'}
          actions={
            <ExportListMenu
              start={(file) =>
                call(
                  exportList,
                  {
                    body: {
                      list: {
                        of: 'abnormal_returns',
                        query: { ...pinned(state.query, first.span), compare: 'none' },
                        kinds,
                        signer,
                      },
                      ...file,
                    },
                  },
                  { quiet: true },
                )
              }
              mayExport={mayExport}
              title={t('abnormal')}
              total={summary.total}
            />
          }
        >
          <DataTable
            label={t('abnormal')}
            columns={columns}
            rows={rows}
            rowKey={({ event }) => `${event.app}:${event.id}`}
            onOpen={openRow}
            empty={
              <EmptyState
                kind="range"
                title={summary.compared > 0 ? t('noneTitle') : t('noneAll')}
                hint={summary.compared > 0 && t('noneHint', { count: summary.compared })}
              />
            }
          />
          {result.hasNextPage && (
            <p className="px-5 py-3">
              <Button isDisabled={result.isFetchingNextPage} onPress={() => void result.fetchNextPage()}>
                {t('more')}
              </Button>
            </p>
          )}
        </Section>
      </>
    )
  }
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t('title')}
        note={
          <>
            <span className="max-2xl:sr-only">{t('note')}</span> <BasisSelect state={state} />
          </>
        }
        actions={
          <>
            <SegmentedControl
              label={t('view')}
              value={view}
              onChange={(next) => state.setParams({ tab: next === 'returns' ? null : next, page: null })}
              items={[
                { id: 'returns', label: t('returns') },
                { id: 'devices', label: t('suspicious') },
                { id: 'baselines', label: t('baselines', { count }) },
              ]}
            />
            <CopyLink state={state} />
            <SavedViews state={state} page="abnormal_returns" />
          </>
        }
      />
      {view === 'devices' ? (
        <SuspiciousList state={state} />
      ) : view === 'baselines' ? (
        known.error && !known.data ? (
          <ErrorState error={known.error} onRetry={() => void known.refetch()} />
        ) : (
          <BaselineList rows={known.data?.data ?? []} />
        )
      ) : (
        <>
          <QueryBar
            state={state}
            dataAt={result.dataUpdatedAt || undefined}
            span={first?.span}
            stale={result.isError && Boolean(first)}
            compare={false}
          />
          {list()}
        </>
      )}
    </div>
  )
}

/** The copy in a market that a row's certificate signs. */
function CopyOf({ row: { event }, pirated }: { row: AbnormalReturn; pirated: readonly PiratedCertificate[] }) {
  const { signer } = reportedBuild(event.extra, event.channel)
  const copy = pirated.find((one) => one.appid === event.app && one.certificate === signer)
  if (!copy) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents lint/a11y/noStaticElementInteractions: the link inside is what is used; the row does not open as well
    <span className="flex min-w-0 text-12" onClick={(event) => event.stopPropagation()}>
      <PiratedCopyLink of={copy} />
    </span>
  )
}

/** Of what came back, only what differs. */
function Reported({ row }: { row: AbnormalReturn }) {
  const reported = reportedBuild(row.event.extra, row.event.channel)
  const values = {
    package: reported.packageName,
    signer: reported.signer && `${reported.signer.slice(0, 8)}…${reported.signer.slice(-8)}`,
    hash: Object.keys(reported.hashes).join(', '),
    channel: reported.channel,
    // Its certificate is the signer's.
    pirated: '',
  }
  const differing = row.kinds.map((kind) => values[kind]).filter(Boolean)
  const shown = differing.length > 0 ? differing : [values.signer]
  return (
    <code className="text-clip-line block max-w-[42ch] text-12 min-[1800px]:max-w-[80ch]" title={shown.join('\n')}>
      {shown.join('  ')}
    </code>
  )
}
