import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'react-router-dom'
import { zoneOffset } from '#domain/time-range.ts'
import { formatDateTime } from '../../../shared/format/time.ts'
import type { ConnectionState } from '../../../shared/live/connection-store.ts'
import { onTick } from '../../../shared/live/half-second-tick.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { clockTime, useWall } from './wall-context.ts'

/** Product, view, what is shown and how fresh it is, the clock: never hidden, in no mode. */
export function Header({
  product,
  name,
  demo,
  view,
  connection,
  lowPower,
  home,
  alerts,
  now,
}: {
  product: string
  name: string
  demo: boolean
  view: WallView
  connection: ConnectionState
  lowPower: boolean
  /** Address of the console, or null on a wall. */
  home: string | null
  /** Alerts on a live wall. */
  alerts: ReactNode
  /** Server clock. */
  now: () => number
}) {
  const { t, zone } = useWall()
  const today = `${t('today')} 00:00 – ${clockTime(view.at, zone).slice(0, 5)}`
  return (
    <header className="wall-head">
      <div className="wall-title">
        {home ? (
          <Link to={home} title={t('back')}>
            <b>{product}</b>
          </Link>
        ) : (
          <b>{product}</b>
        )}
        <span>{name}</span>
        {demo && <strong className="wall-demo">{t('demo')}</strong>}
      </div>
      <div>
        <State view={view} connection={connection} />
        {lowPower && (
          <span className="wall-item">
            <svg
              viewBox="0 0 16 16"
              className="wall-mark"
              fill="none"
              stroke="currentColor"
              strokeWidth="1.6"
              aria-hidden
            >
              <rect x="3.5" y="3.5" width="9" height="9" rx="1.5" />
              <path d="M6 1v2.5M10 1v2.5M6 12.500V15M10 12.500V15M1 6h2.500M1 10h2.500M12.500 6H15M12.500 10H15" />
            </svg>
            {t('lowPower')}
          </span>
        )}
        {view.replay ? (
          <>
            <span className="wall-item">
              <span className="wall-muted">{t('window')}</span>
              {formatDateTime(view.replay.from, zone, 'minute', now())} – {clockTime(view.replay.to, zone).slice(0, 5)}
            </span>
            <span className="wall-item">
              <span className="wall-muted">{t('nowLive')}</span>
              <Clock now={now} zone={zone} />
            </span>
          </>
        ) : (
          <span className="wall-item">
            <span className="wall-muted">{t('range')}</span>
            <b>{today}</b>
          </span>
        )}
        {alerts}
      </div>
      <div className="wall-times">
        {view.replay ? (
          <>
            <DateLine at={view.at} />
            <time className="wall-clock wall-amber">{clockTime(view.at, zone)}</time>
          </>
        ) : (
          <LiveDate now={now} />
        )}
      </div>
    </header>
  )
}

export function State({ view, connection }: { view: WallView; connection: ConnectionState }) {
  const { t, zone } = useWall()
  const { state, dataAge } = connection
  const age = ageText(dataAge)
  if (state === 'revoked')
    return (
      <span className="wall-item wall-amber" data-testid="connection">
        {t('revoked')}
      </span>
    )
  if (view.replay)
    return (
      <span className="wall-item" data-testid="connection">
        <b className="wall-amber">◀◀ {t('replay', { speed: view.replay.speed })}</b>
        <span className="wall-muted">{t('fromStore')}</span>
      </span>
    )
  if (state === 'stale' || state === 'offline')
    return (
      <span className="wall-item" data-testid="connection">
        <b className="wall-amber">⊘ {t('stale', { age })}</b>
        <span className="wall-muted">{t('last', { time: clockTime(view.at, zone) })}</span>
      </span>
    )
  if (view.mode === 'paused')
    return (
      <span className="wall-item" data-testid="connection">
        <b className="wall-amber">❚❚ {t('paused')}</b>
        <span className="wall-muted">{t('pausedAt', { time: clockTime(view.at, zone) })}</span>
      </span>
    )
  return (
    <span className="wall-item" data-testid="connection">
      <i className="wall-dot" data-state={state} />
      <b>{t(state === 'connecting' ? 'connecting' : view.mode === 'catching-up' ? 'catchingUp' : 'live')}</b>
      <span className="wall-muted">
        {dataAge === null ? '' : view.delivery === 'snapshots' ? t('snapshots') : t('age', { age })}
      </span>
    </span>
  )
}

/** `0.4 s`, `42 s`, `3 min`. */
export function ageText(ms: number | null): string {
  if (ms === null) return '–'
  if (ms < 10_000) return `${(ms / 1000).toFixed(1)} s`
  return ms < 120_000 ? `${Math.round(ms / 1000)} s` : `${Math.round(ms / 60_000)} min`
}

/** The server's time, updated on each tick. */
export function useBeat(now: () => number): number {
  const [at, setAt] = useState(now)
  useEffect(() => {
    setAt(now())
    return onTick(now, setAt)
  }, [now])
  return at
}

function Clock({ now, zone }: { now: () => number; zone: string }) {
  return <>{clockTime(useBeat(now), zone)}</>
}

function LiveDate({ now }: { now: () => number }) {
  const { zone } = useWall()
  const at = useBeat(now)
  return (
    <>
      <DateLine at={at} />
      <time className="wall-clock">{clockTime(at, zone)}</time>
    </>
  )
}

function DateLine({ at }: { at: number }) {
  const { language, zone } = useWall()
  const weekday = new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en', {
    weekday: 'short',
    timeZone: zone,
  }).format(at)
  const hours = zoneOffset(at, zone) / 3_600_000
  return (
    <span className="wall-item wall-muted">
      <span>{formatDateTime(at, zone, 'day')}</span>
      <span>{weekday}</span>
      <span>{`UTC${hours < 0 ? '−' : '+'}${Math.abs(hours)}`}</span>
    </span>
  )
}
