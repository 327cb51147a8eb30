import { Download, Flag, Route, Rows4, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { ALL_TIME } from '#domain/time-range.ts'
import { EVENT_TYPES, type EventType, LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import { TrendCard } from '#src/features/statistics/parts/trend-card.tsx'
import { EventDrawers } from '#src/shared/events/event-drawers.tsx'
import { useEventRows } from '#src/shared/events/use-event-rows.ts'
import { useOpenEvents } from '#src/shared/events/use-open-events.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CopyLink } from '#src/shared/query/copy-link.tsx'
import { QueryBar } from '#src/shared/query/query-bar.tsx'
import { useStatistics } from '#src/shared/query/use-statistics.ts'
import { shortHash } from '#src/shared/query/value-names.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { exportOf, useExport } from '#src/shared/table/use-export.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { MenuButton } from '#src/shared/ui/menu-button.tsx'
import { usePageSubject } from '#src/shared/ui/page-subject.ts'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Tabs } from '#src/shared/ui/tabs.tsx'
import { BuildsSection } from './builds-section.tsx'
import { DeviceFactsCard } from './device-facts-card.tsx'
import { deviceTexts } from './device-texts.ts'
import { DeviceVerdictCard } from './device-verdict-card.tsx'
import { DeviceVerdictDialog } from './device-verdict-dialog.tsx'
import { PeopleSection } from './people-section.tsx'
import { PlacesTab } from './places-tab.tsx'
import { ScoreCard } from './score-card.tsx'
import { SessionsSection } from './sessions-section.tsx'
import { FAILURES, ofTypes, TimelineTab } from './timeline-tab.tsx'
import { useDevice } from './use-device.ts'
import { useErase } from './use-erase.ts'
import { WhyTab } from './why-tab.tsx'

const TABS = ['overview', 'timeline', 'why', 'places', 'failures'] as const
type DeviceTab = (typeof TABS)[number]
const TYPES = Object.keys(EVENT_TYPES) as EventType[]

/** One device: what it is, its score with the reasons, verdicts, and everything it reported. Three pages open it on different tabs. */
export function DevicePage({ title, first }: { title: 'detail' | 'suspicious'; first: DeviceTab }) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const { device, page, state, result } = useDevice()
  usePageSubject(device === null ? undefined : shortHash('device', device))
  const open = useOpenEvents(page)
  const [judging, setJudging] = useState(false)
  const mayJudge = useMay('investigation.edit')
  const mayExport = useMay('events.export')
  const mayErase = useMay('personal.erase')
  const mayTrace = useMay('mssa')
  const startExport = useExport()
  const erase = useErase(() => void result.refetch())
  const answer = result.data
  const facts = answer?.facts ?? null
  const asked = page.params.get('tab')
  const tab = TABS.find((one) => one === asked) ?? first
  const type = page.params.get('type') ?? ''
  // Of all time the chart shows the device's own: half a year of empty days says nothing.
  const days =
    facts && answer && page.query.range === ALL_TIME && facts.first_at < answer.now
      ? { ...state, query: { ...state.query, range: `${facts.first_at}~${answer.now}` } }
      : state
  const trend = useStatistics(
    days.query,
    {
      days: {
        kind: 'series',
        measures: ['attacks'],

        by: 'level',
        and: [{ field: 'type', op: 'is', values: ['risk'] }],
      },
    },
    { enabled: facts !== null && tab === 'overview', now: answer?.now },
  )
  const types = tab === 'failures' ? FAILURES : TYPES
  const wanted = types.find((one) => one === type)
  const listed = ofTypes(state.query, wanted ? [wanted] : tab === 'failures' ? FAILURES : [])
  const list = useEventRows(listed, { enabled: facts !== null && (tab === 'timeline' || tab === 'failures') })

  if (device === null)
    return (
      <div className="flex h-full flex-col bg-surface">
        <PageTitle title={t(title)} />
        <EmptyState kind="missing" title={t('notFound')} hint={t('notFoundHint')} />
      </div>
    )
  const failures = facts ? facts.crashes + facts.anrs + facts.exceptions : 0
  const body = () => {
    if (result.error && !answer) return <ErrorState error={result.error} onRetry={() => void result.refetch()} />
    if (!answer) return <Skeleton lines={10} height="24px" className="p-5" />
    return (
      <>
        <div className="grid grid-cols-[minmax(0,5fr)_minmax(0,7fr)_minmax(0,6fr)] divide-x border-b max-xl:grid-cols-2 max-md:grid-cols-1 max-md:divide-x-0 max-md:divide-y">
          <DeviceFactsCard device={device} answer={answer} />
          <div className={`flex min-w-0 flex-col ${title === 'suspicious' ? 'max-md:-order-1' : ''}`}>
            <ScoreCard score={answer.score} onWhy={() => page.setParams({ tab: 'why' })} />
          </div>
          <div className="min-w-0 max-xl:col-span-2 max-xl:border-t max-md:col-span-1">
            <DeviceVerdictCard answer={answer} />
          </div>
        </div>
        {facts === null ? (
          <EmptyState
            kind="range"
            title={t('noEvents')}
            hint={t('noEventsHint')}
            action={
              page.query.range !== ALL_TIME && (
                <Button onPress={() => page.set({ range: ALL_TIME, filters: [] })}>{t('allTime')}</Button>
              )
            }
          />
        ) : (
          <Tabs
            label={t('tabs')}
            value={tab}
            onChange={(next) => page.setParams({ tab: next === first ? null : next, type: null })}
            items={[
              {
                id: 'overview',
                label: t('overview'),
                content: tab === 'overview' && (
                  <>
                    <TrendCard
                      state={days}
                      trend={{
                        title: t('daily'),
                        measure: 'attacks',
                        by: 'level',
                        additive: true,
                        layers: LEVELS_BY_SEVERITY.map((level) => ({
                          key: level,
                          label: LEVELS[level][language],
                          token: `level-${level}`,
                        })),
                      }}
                      part={trend.part('days')}
                      span={trend.span}
                      previous={null}
                      sectionState={trend.state}
                      height={168}
                      onRows={open.openRows}
                    />
                    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,1fr)] border-t max-xl:grid-cols-1">
                      <div className="min-w-0 border-r max-xl:border-r-0">
                        <SessionsSection device={device} state={state} now={answer.now} onRows={open.openRows} />
                      </div>
                      <div className="min-w-0 max-xl:border-t">
                        <BuildsSection
                          builds={facts.builds}
                          pirated={answer.pirated}
                          count={facts.counts.builds}
                          state={state}
                        />
                        <PeopleSection
                          facts={facts}
                          state={state}
                          onRows={open.openRows}
                          onEraseUser={(user) => void erase('user', user)}
                        />
                      </div>
                    </div>
                  </>
                ),
              },
              {
                id: 'timeline',
                label: t('timeline'),
                content: tab === 'timeline' && (
                  <TimelineTab list={list} open={open} type={wanted ?? ''} onType={onType} types={TYPES} />
                ),
              },
              {
                id: 'why',
                label: t('why'),
                content: <WhyTab device={device} score={answer.score} onRows={open.openRows} />,
              },
              {
                id: 'places',
                label: t('places'),
                content: (
                  <PlacesTab device={device} facts={facts} state={state} now={answer.now} onRows={open.openRows} />
                ),
              },
              {
                id: 'failures',
                label: t('failures', { count: failures }),
                content:
                  tab !== 'failures' ? null : failures === 0 ? (
                    <EmptyState kind="none" title={t('noFailures')} />
                  ) : (
                    <TimelineTab list={list} open={open} type={wanted ?? ''} onType={onType} types={FAILURES} />
                  ),
              },
            ]}
          />
        )}
      </>
    )
  }
  const onType = (next: string) => page.setParams({ type: next || null }, true)
  return (
    <div className="flex min-h-full flex-col bg-surface">
      <PageTitle
        title={t(title)}
        actions={
          <>
            <CopyLink state={page} />
            <MenuButton
              label={t('more')}
              items={[
                {
                  id: 'all',
                  label: t('openAll', { count: facts?.events ?? 0 }),
                  icon: Rows4,
                  isDisabled: !facts,
                  onAction: () => open.openRows(state.query),
                },
                {
                  id: 'export',
                  label: t('exportAll'),
                  icon: Download,
                  isDisabled: !mayExport || !facts,
                  onAction: () => startExport(exportOf(state.query, { kind: 'rows' }), t(title)),
                },
                {
                  id: 'erase',
                  label: t('eraseDevice'),
                  icon: Trash2,
                  isDisabled: !mayErase,
                  onAction: () => void erase('device', device),
                },
              ]}
            />
            {mayTrace && (
              <Button
                icon={Route}
                onPress={() => void navigate(`${PAGES.investigation.path}?subject=device:${device}`)}
              >
                {t('trace')}
              </Button>
            )}
            <Button
              variant="primary"
              icon={Flag}
              isDisabled={!mayJudge || !facts}
              {...(!mayJudge && { title: t('judgeMissing') })}
              onPress={() => setJudging(true)}
            >
              {t('judge')}
            </Button>
          </>
        }
      />
      <QueryBar
        state={page}
        dataAt={result.dataUpdatedAt || undefined}
        span={answer?.span}
        stale={result.isError && Boolean(answer)}
        compare={false}
      />
      {body()}
      {judging && facts && answer && (
        <DeviceVerdictDialog
          device={device}
          appids={facts.apps.map(({ appid }) => appid)}
          current={answer.verdicts[0]?.verdict ?? null}
          onClose={() => setJudging(false)}
        />
      )}
      <EventDrawers state={page} now={undefined} navigator={{ rows: list.rows, total: list.total }} />
    </div>
  )
}
