import { keepPreviousData } from '@tanstack/react-query'
import { useNavigate } from 'react-router-dom'
import { type SuspiciousDevice, suspiciousDevices } from '#contracts/http/devices.ts'
import { exportList } from '#contracts/http/exports.ts'
import { PAGES } from '#contracts/pages.ts'
import { SCORE_RULES, SCORE_WINDOW_DAYS } from '#domain/device-score.ts'
import { call } from '#src/shared/api/call.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { DeviceVerdictChip } from '#src/shared/devices/device-verdict-words.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import { ApplicationSelect } from '#src/shared/query/query-selects.tsx'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { shortHash } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { ExportListMenu } from '#src/shared/table/export-menu.tsx'
import { TableFoot } from '#src/shared/table/table-tools.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { RelativeTime } from '#src/shared/ui/relative-time.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { abnormalTexts } from './abnormal-texts.ts'

const PAGE = 50
const REASONS = 3

/** Devices whose score reaches the limit, highest first; one opens its card with the reasons. */
export function SuspiciousList({ state }: { state: QueryState }) {
  const t = useTexts(abnormalTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const mayExport = useMay('events.export')
  const page = Math.max(1, Number(state.params.get('page')) || 1)
  const result = useEndpoint(
    suspiciousDevices,
    { body: { filters: state.query.filters, limit: PAGE, offset: (page - 1) * PAGE } },
    { placeholderData: keepPreviousData, refetchInterval: state.paused ? false : 60_000, meta: KEPT },
  )
  const columns: Column<SuspiciousDevice>[] = [
    {
      id: 'device',
      header: t('device'),
      cell: (row) => <code className="text-12">{shortHash('device', row.device)}</code>,
    },
    { id: 'score', header: t('score'), numeric: true, cell: (row) => <b className="font-semibold">{row.score}</b> },
    {
      id: 'reasons',
      header: t('reasons'),
      width: '50%',
      cell: (row) => (
        <span className="flex flex-wrap gap-x-4">
          {row.reasons.slice(0, REASONS).map((reason) => {
            const rule = SCORE_RULES.find(({ id }) => id === reason.rule)
            return rule ? (
              <span key={rule.id} className="inline-flex items-center gap-1.5">
                <LevelMark level={rule.level} word={false} />
                {rule[language]}
                <span className="text-muted">
                  ×{reason.count} +{reason.points}
                </span>
              </span>
            ) : null
          })}
          {row.reasons.length > REASONS && <span className="text-muted">+{row.reasons.length - REASONS}</span>}
        </span>
      ),
    },
    {
      id: 'verdict',
      header: t('verdictColumn'),
      cell: (row) =>
        row.verdicts[0] ? (
          <DeviceVerdictChip verdict={row.verdicts[0].verdict} />
        ) : (
          <span className="text-muted">{t('notJudged')}</span>
        ),
    },
    { id: 'last', header: t('last'), numeric: true, cell: (row) => <RelativeTime at={row.last_at} /> },
  ]
  const { data } = result
  return (
    <Section
      plain
      title={t('suspicious')}
      note={data && t('suspiciousNote', { count: data.total, limit: data.limit, days: SCORE_WINDOW_DAYS })}
      state={result.isPending ? 'loading' : result.isPlaceholderData ? 'refreshing' : 'ready'}
      actions={
        <>
          <ApplicationSelect state={state} />
          <ExportListMenu
            start={(file) =>
              call(
                exportList,
                { body: { list: { of: 'suspicious_devices', filters: state.query.filters }, ...file } },
                { quiet: true },
              )
            }
            mayExport={mayExport}
            title={t('suspicious')}
            total={data?.total ?? 0}
          />
        </>
      }
    >
      {result.error && !data ? (
        <ErrorState error={result.error} onRetry={() => void result.refetch()} />
      ) : (
        data && (
          <>
            <DataTable
              label={t('suspicious')}
              columns={columns}
              rows={data.data}
              rowKey={(row) => row.device}
              onOpen={(row) => void navigate(PAGES.suspicious_device.path.replace(':id', row.device))}
              empty={
                <EmptyState
                  kind="none"
                  title={t('noSuspicious', { limit: data.limit })}
                  hint={t('noSuspiciousHint', { days: SCORE_WINDOW_DAYS })}
                />
              }
            />
            {data.total > PAGE && (
              <TableFoot
                page={page}
                pageSize={PAGE}
                total={data.total}
                onPage={(next) => state.setParams({ page: next > 1 ? String(next) : null })}
              />
            )}
          </>
        )
      )}
    </Section>
  )
}
