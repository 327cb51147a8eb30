import { Globe } from 'lucide-react'
import { Link, useNavigate } from 'react-router-dom'
import { type HomeModule, homeOverview } from '#contracts/http/home.ts'
import { PAGES } from '#contracts/pages.ts'
import { type Dimension, queryToParams, type TopAnswer } from '#domain/query.ts'
import { RISK_TYPES } from '#domain/vocabulary.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { FacetBars } from '#src/shared/charts/facet-bars.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import { type PartState, useStatistics } from '#src/shared/query/use-statistics.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { EmptyState } from '#src/shared/ui/empty-state.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { ForbiddenState } from '#src/shared/ui/forbidden-state.tsx'
import { LevelMark } from '#src/shared/ui/level-mark.tsx'
import { PageTitle } from '#src/shared/ui/page-title.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { ApplicationList } from './application-list.tsx'
import { DAY, HOME_PARTS } from './home-query.ts'
import { homeTexts } from './home-texts.ts'
import { KpiRow } from './kpi-row.tsx'
import { LicenceSection } from './licence-section.tsx'
import { ModuleCards } from './module-cards.tsx'
import { NextSteps } from './next-steps.tsx'
import { RecentDetections } from './recent-detections.tsx'
import { RecentItems } from './recent-items.tsx'
import { RecentWork } from './recent-work.tsx'
import { ToDoSection } from './to-do-section.tsx'

/** Figures of modules change slowly; events have their own query. */
const OVERVIEW_EVERY_MS = 60_000

/** The dashboard: the day in numbers, what waits for somebody, where attacks came from, the applications, recent work. Modules that do not exist yet are absent. */
export default function HomePage() {
  const t = useTexts(homeTexts)
  const language = useLanguage()
  const navigate = useNavigate()
  const zone = usePlatform((state) => state.zone)
  const list = useApplications((state) => state.list)
  const mayRead = useMay('events.read')
  const mayWatch = useMay('maps')
  const mayDetections = useMay('detect.view')
  const answer = useStatistics(DAY, HOME_PARTS, { enabled: mayRead })
  const overview = useEndpoint(homeOverview, {}, { refetchInterval: OVERVIEW_EVERY_MS, meta: KEPT })
  const total = answer.part('total')
  const apps = answer.part('apps')
  const hours = answer.part('hours')
  const figuresOf = (name: HomeModule) => overview.data?.modules.find(({ module }) => module === name)?.figures
  const steps = overview.data &&
    (apps.kind === 'ready' || !mayRead) && {
      connected: apps.kind !== 'ready' || apps.answer.groups.some(({ row }) => (row.events ?? 0) > 0),
      uploaded: (figuresOf('assets')?.['files'] ?? 1) > 0,
      examined: (figuresOf('detection')?.['examined'] ?? 1) > 0,
    }
  const date = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en-GB', {
    timeZone: zone,
    month: 'long',
    day: 'numeric',
    weekday: 'long',
  }).format(answer.now ?? Date.now())
  return (
    <div className="flex min-h-full flex-col">
      <PageTitle
        title={PAGES.home[language]}
        note={t('note', { date, count: list?.length ?? 0 })}
        actions={
          mayWatch && (
            <Button variant="primary" icon={Globe} onPress={() => void navigate(PAGES.observatory.path)}>
              {t('observatory')}
            </Button>
          )
        }
      />
      {!mayRead ? (
        <div className="border-t">
          <ForbiddenState permission="events.read" />
        </div>
      ) : total.kind === 'error' ? (
        <div className="border-t">
          <ErrorState error={total.error} onRetry={total.retry} />
        </div>
      ) : (
        <KpiRow
          now={total.kind === 'ready' ? total.answer.row : undefined}
          before={total.kind === 'ready' ? total.answer.previous : undefined}
          apps={list?.length ?? 0}
        />
      )}
      {steps && <NextSteps done={steps} />}
      <ModuleCards
        overview={overview.data}
        isStale={overview.isError && overview.data !== undefined}
        error={overview.error}
        onRetry={() => void overview.refetch()}
      />
      <div className="grid flex-1 grid-cols-[minmax(0,2fr)_minmax(360px,1fr)] max-xl:grid-cols-1">
        <div className="min-w-0 border-r max-xl:border-r-0">
          <ToDoSection reported={apps.kind === 'ready' ? apps.answer : undefined} />
          {mayRead && (
            <div className="grid grid-cols-2 border-t max-sm:grid-cols-1">
              <TopSection title={t('risks')} by="risk" part={answer.part('risks')} />
              <div className="border-l max-sm:border-t max-sm:border-l-0">
                <TopSection title={t('provinces')} by="province" part={answer.part('provinces')} />
              </div>
            </div>
          )}
          {mayDetections && <RecentDetections />}
          <RecentItems list={overview.data?.recent} />
          <RecentWork />
          <LicenceSection />
        </div>
        {mayRead && (
          <Section
            plain
            title={t('apps')}
            note={list && t('appsNote', { count: list.length })}
            state={apps.kind === 'loading' ? 'loading' : 'ready'}
            className="max-xl:border-t"
          >
            {apps.kind === 'error' && <ErrorState error={apps.error} onRetry={apps.retry} />}
            {apps.kind === 'ready' && (
              <ApplicationList
                list={list ?? []}
                top={apps.answer}
                hours={hours.kind === 'ready' ? hours.answer : undefined}
              />
            )}
          </Section>
        )}
      </div>
    </div>
  )
}

/** Ranked values of the day; a value opens user analysis with it as filter. */
function TopSection({
  title,
  by,
  part,
}: {
  title: string
  by: Extract<Dimension, 'risk' | 'province'>
  part: PartState<'top'>
}) {
  const t = useTexts(homeTexts)
  const nameOf = useNameOf()
  const navigate = useNavigate()
  const mayOpen = useMay('statistics')
  const open = (key: string, exclude: boolean) => {
    const filters = [{ field: by, op: exclude ? ('not' as const) : ('is' as const), values: [key] }]
    void navigate(`${PAGES.user_analysis.path}?${queryToParams({ ...DAY, filters })}`)
  }
  return (
    <Section
      plain
      title={title}
      note={t('risksNote')}
      state={part.kind === 'loading' ? 'loading' : 'ready'}
      actions={
        mayOpen && (
          <Link
            to={`${PAGES.user_analysis.path}?${queryToParams(DAY)}`}
            className="pr-2 text-12 text-brand-text hover:underline"
          >
            {t('all')}
          </Link>
        )
      }
      bodyClassName="min-h-48 px-3.5 pb-3"
    >
      {part.kind === 'error' && <ErrorState error={part.error} onRetry={part.retry} />}
      {part.kind === 'ready' &&
        (part.answer.groups.length === 0 ? (
          <EmptyState kind="range" title={t('none')} />
        ) : (
          <FacetBars label={title} items={itemsOf(part.answer, by, nameOf)} {...(mayOpen && { onPick: open })} />
        ))}
    </Section>
  )
}

function itemsOf(answer: TopAnswer, by: Dimension, nameOf: (field: Dimension, value: string) => string) {
  const all = answer.groups.reduce((sum, { row }) => sum + (row.attacks ?? 0), answer.others.attacks ?? 0)
  return answer.groups.map(({ key, row }) => ({
    key,
    label: nameOf(by, key),
    value: row.attacks ?? 0,
    share: all ? (row.attacks ?? 0) / all : 0,
    aside: by === 'province' && !/[1-9]/.test(key),
    mark: by === 'risk' && key in RISK_TYPES && (
      <span className="relative">
        <LevelMark level={RISK_TYPES[key as keyof typeof RISK_TYPES].level} word={false} size={9} />
      </span>
    ),
  }))
}
