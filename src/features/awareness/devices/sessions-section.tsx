import { keepPreviousData } from '@tanstack/react-query'
import { deviceSessions, type Session } from '#contracts/http/devices.ts'
import type { Query } from '#domain/query.ts'
import { EVENT_TYPES, type EventType, LEVELS, type Level, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { type Language, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import { placeText, useNameOf } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { type Column, DataTable } from '#src/shared/table/data-table.tsx'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { deviceTexts } from './device-texts.ts'

const STEP = 50

/** What a step was: the risk of an attack, else the type of the event. */
function stepText(step: string, language: Language): string {
  return (RISK_TYPES[step as RiskType] ?? EVENT_TYPES[step as EventType])?.[language] ?? step
}

/** Sessions with and without attack, newest first; one opens its events. */
export function SessionsSection({
  device,
  state,
  now,
  onRows,
}: {
  device: string
  state: QueryState
  now: number
  onRows: (query: Query) => void
}) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const nameOf = useNameOf()
  const attacked = state.params.get('sessions') === 'attacked'
  const shown = Math.min(200, Math.max(STEP, Number(state.params.get('shown')) || STEP))
  const result = useEndpoint(
    deviceSessions,
    { body: { device, query: state.query, now, attacked, limit: shown } },
    { placeholderData: keepPreviousData },
  )
  const columns: Column<Session>[] = [
    { id: 'start', header: t('start'), cell: (row) => formatDateTime(row.from, zone, 'minute', now) },
    { id: 'length', header: t('length'), numeric: true, cell: (row) => lengthText(row, language) },
    {
      id: 'app',
      header: t('app'),
      cell: (row) => (
        <span title={row.version}>
          {nameOf('app', row.appid)} {row.version}
        </span>
      ),
    },
    { id: 'steps', header: t('steps'), width: '40%', cell: (row) => <Steps row={row} language={language} /> },
    { id: 'events', header: t('eventsColumn'), numeric: true, cell: (row) => <Num value={row.events} /> },
    { id: 'place', header: t('area'), cell: (row) => placeText(row, nameOf, language) },
    {
      id: 'attacks',
      header: t('attackColumn'),
      cell: (row) =>
        row.attacks > 0 && row.level in LEVELS ? (
          <span className="inline-flex items-center gap-2">
            <LevelMark level={row.level as Level} />
            <Num value={row.attacks} />
          </span>
        ) : (
          <span className="text-muted">{t('noAttack')}</span>
        ),
    },
  ]
  const total = result.data?.total ?? 0
  const rows = result.data?.data ?? []
  return (
    <Section
      plain
      title={t('sessions')}
      note={result.data && t('sessionsNote', { shown: formatExact(rows.length), count: total })}
      state={result.isPending ? 'loading' : result.isPlaceholderData ? 'refreshing' : 'ready'}
      actions={
        <SegmentedControl
          size="small"
          label={t('sessions')}
          value={attacked ? 'attacked' : 'all'}
          onChange={(next) => state.setParams({ sessions: next === 'attacked' ? 'attacked' : null, shown: null }, true)}
          items={[
            { id: 'all', label: t('all') },
            { id: 'attacked', label: t('attacked') },
          ]}
        />
      }
    >
      {result.error && !result.data ? (
        <ErrorState error={result.error} onRetry={() => void result.refetch()} />
      ) : (
        <>
          <DataTable
            label={t('sessions')}
            columns={columns}
            rows={rows}
            rowKey={(row) => `${row.appid}.${row.from}`}
            maxHeight="380px"
            onOpen={(row) =>
              onRows({
                ...state.query,
                range: `${row.from}~${row.to + 1}`,
                filters: [
                  { field: 'device', op: 'is', values: [device] },
                  { field: 'app', op: 'is', values: [row.appid] },
                ],
              })
            }
            empty={<EmptyState kind="range" title={t('noSessions')} />}
          />
          {total > rows.length && rows.length < 200 && (
            <p className="px-5 py-2">
              <Button size="small" onPress={() => state.setParams({ shown: String(shown + STEP) }, true)}>
                {t('moreSessions')}
              </Button>
            </p>
          )}
        </>
      )}
    </Section>
  )
}

function lengthText({ from, to }: Session, language: Language): string {
  const minutes = Math.round((to - from) / 60_000)
  if (minutes < 1) return language === 'zh' ? '不到 1 分' : '< 1 min'
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60]
  const [h, m] = language === 'zh' ? ['小时', '分'] : ['h', 'min']
  return hours > 0 ? `${hours} ${h} ${rest} ${m}` : `${rest} ${m}`
}

function Steps({ row, language }: { row: Session; language: Language }) {
  const runs: { step: string; times: number }[] = []
  for (const step of row.steps) {
    const last = runs.at(-1)
    if (last?.step === step) last.times++
    else runs.push({ step, times: 1 })
  }
  return (
    <span className="text-clip-line block max-w-[46ch] min-[1800px]:max-w-[64ch]">
      {runs.map(({ step, times }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the order is what a step is
        <span key={index}>
          {index > 0 && <span className="text-muted"> › </span>}
          <span className={step in RISK_TYPES ? 'font-semibold' : ''}>{stepText(step, language)}</span>
          {times > 1 && ` ×${times}`}
        </span>
      ))}
      {row.events > row.steps.length && <span className="text-muted"> … +{row.events - row.steps.length}</span>}
    </span>
  )
}
