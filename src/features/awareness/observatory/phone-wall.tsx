import './phone-wall.css'
import { Activity, Bell, Ellipsis, ListFilter, Table2 } from 'lucide-react'
import type { ReactNode, RefObject } from 'react'
import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { Compared, Outcomes, rateText, TotalNumber } from './attacks-card.tsx'
import { DayLine } from './day-line.tsx'
import { FeedCard } from './feed-card.tsx'
import { RankedCard } from './ranked-card.tsx'
import type { WallStatistics } from './use-wall-statistics.ts'
import { useWall } from './wall-context.ts'

/** The observatory below 600 px: number, day, outcome, a small map, what arrives; no key hints and no columns. */
export function PhoneWall({
  view,
  statistics,
  title,
  name,
  state,
  alerts,
  bar,
  map,
  zone,
  inset,
  notices,
  banner,
  approval,
  marked,
  onMark,
  linked,
}: {
  view: WallView
  statistics: WallStatistics
  title: string
  name: string
  /** Live or not. */
  state: ReactNode
  alerts: ReactNode
  /** Filters and views; null for a display token. */
  bar: ReactNode
  map: ReactNode
  zone: RefObject<HTMLDivElement | null>
  inset: ReactNode
  notices: ReactNode
  banner: ReactNode
  approval: string
  marked: string | null
  onMark: (id: string | null) => void
  /** False for a display token: it reaches no other page. */
  linked: boolean
}) {
  const { t } = useWall()
  const { attacksToday, seconds } = view.counters
  return (
    <>
      <header className="phone-head">
        <b>{name}</b>
        {state}
        {alerts}
      </header>
      {bar && (
        <details className="phone-filters">
          <summary>
            <ListFilter size={15} aria-hidden />
            &nbsp;{t('filters')}
          </summary>
          {bar}
        </details>
      )}
      <main>
        <section className="phone-number" aria-label={title}>
          <h2>
            <span>{title}</span>
            <span>
              {t('perSecond')} <b>{view.ready ? rateText(seconds) : '–'}</b>
            </span>
          </h2>
          <TotalNumber view={view} />
          <p className="wall-delta">
            <Compared view={view} />
          </p>
          <div className="phone-day">
            {!view.replay && <DayLine {...statistics.attacks} label={`${t('hourly')} · ${t('dashedIsYesterday')}`} />}
          </div>
          <p className="wall-note">{t('dashedIsYesterday')}</p>
          <Outcomes counters={view.counters} />
        </section>
        <div className="phone-map">
          {map}
          <div className="phone-zone" ref={zone} />
          <p className="phone-approval" data-testid="approval">
            {approval}
          </p>
          <div className="wall-corner" data-obstacle>
            <p>{t('southChinaSea')}</p>
            {inset}
          </div>
          <div className="phone-notices">{notices}</div>
        </div>
        <FeedCard feed={view.feed} ready={view.ready} marked={marked} onMark={onMark} />
        <RankedCard title={t('riskTypes')} field="risk" list={view.tops.risk} total={attacksToday} rest most={7} />
        <RankedCard
          title={t('places')}
          field="province"
          list={view.tops.province}
          total={attacksToday}
          most={7}
          foot={<span data-testid="no-place">{t('noPlace', { count: view.noPlace })}</span>}
        />
      </main>
      {banner}
      {linked && (
        <nav className="phone-tabs" aria-label={t('sections')}>
          <Link to={PAGES.observatory.path} aria-current="page">
            <Activity size={22} aria-hidden />
            {t('tabWall')}
          </Link>
          <Link to={PAGES.alerts.path}>
            <Bell size={22} aria-hidden />
            {t('tabAlerts')}
          </Link>
          <Link to={PAGES.realtime.path}>
            <Table2 size={22} aria-hidden />
            {t('tabEvents')}
          </Link>
          <Link to={PAGES.home.path}>
            <Ellipsis size={22} aria-hidden />
            {t('tabMore')}
          </Link>
        </nav>
      )}
    </>
  )
}
