import { useState } from 'react'
import { Link } from 'react-router-dom'
import type { Span } from '#domain/time-range.ts'
import { formatExact } from '../../../shared/format/number.ts'
import type { WallSource, WallView } from '../../../shared/live/wall-view.ts'
import { Tabs } from './ranked-card.tsx'
import type { Replay } from './replay/replay.ts'
import { totalOf } from './time-axis.ts'
import { usualLimit } from './time-limits.ts'
import { type AlertSpan, Timeline } from './timeline.tsx'
import { WallSkeleton } from './totals-state.tsx'
import { SPEEDS, type ViewState } from './view-state.ts'
import { clockTime, useWall } from './wall-context.ts'

const DRAWN_MOST = 300
const WAITING_MOST = 12

/** The bottom sheet: time line with its modes, what is drawn of how many, and the replay's controls. */
export function TimelinePanel({
  view,
  source,
  state,
  setView,
  drawn,
  linkTo,
  onReplay,
  onScrub,
  spans,
  toLive,
}: {
  view: WallView
  source: WallSource
  state: ViewState
  setView: (change: Partial<ViewState>, replace?: boolean) => void
  drawn: number
  linkTo: ((page: 'realtime' | 'attack_analysis', span: Span) => string) | null
  onReplay: ((span: Span) => void) | null
  /** The map under the pointer while a span is drawn; null where nothing can be read. */
  onScrub: ((span: Span | null) => void) | null
  spans: readonly AlertSpan[]
  toLive: () => void
}) {
  const { t, zone, storedUntil, totals } = useWall()
  const [brush, setBrush] = useState<Span | null>(null)
  const { replay } = view
  const day = state.timeline === 'day' && !replay
  const bars = replay ? replay.bars : day ? view.day : view.hour
  const barMs = replay ? replay.barMs : day ? 600_000 : 60_000
  const runningAt = replay ? null : view.at
  const isWhole = (bars[0]?.[0] ?? 0) >= view.barsFrom
  const lastOver = replay || (bars.at(-1)?.[0] ?? 0) + barMs <= view.at ? bars : bars.slice(0, -1)
  const limit = isWhole ? usualLimit(lastOver) : null
  const total = bars.reduce((sum, bar) => sum + totalOf(bar), 0)
  const hourTotal = view.hour.reduce((sum, bar) => sum + totalOf(bar), 0)
  // A part is never more than the whole, also while the store has not answered.
  const drawnOf = replay ? view.counters.attacksToday : hourTotal
  const end = (bars.at(-1)?.[0] ?? 0) + barMs
  const unstored = storedUntil !== null && storedUntil < end && (
    <small className="wall-amber">
      {t('notStored', {
        from: clockTime(storedUntil, zone).slice(0, 5),
        to: clockTime(Math.min(end, view.at), zone).slice(0, 5),
      })}
    </small>
  )
  const waiting = view.paused ? Math.min(WAITING_MOST, Math.ceil((Date.now() - view.paused.since) / barMs)) : 0
  const slots = Math.max(1, bars.length + waiting)
  const playhead = replay ? (replay.at - replay.from) / (replay.to - replay.from) : bars.length / slots
  const inBrush = brush
    ? bars.filter(([start]) => start >= brush.from && start < brush.to).reduce((sum, bar) => sum + totalOf(bar), 0)
    : 0
  const seek = (share: number) => {
    if (!replay) return
    const at = replay.from + share * (replay.to - replay.from)
    ;(source as Replay).seek(at)
    setView({ offset: at - replay.from }, true)
  }
  return (
    <section className="wall-time" aria-label={t('bars')}>
      <Timeline
        bars={bars}
        barMs={barMs}
        title={t('bars')}
        playhead={playhead}
        waiting={waiting}
        limit={limit}
        runningAt={runningAt}
        barsFrom={view.barsFrom}
        storedUntil={storedUntil}
        spans={spans}
        brush={replay ? null : brush}
        onBrush={replay || !onReplay ? null : setBrush}
        onScrub={
          replay || !onScrub ? null : (start) => onScrub(start === null ? null : { from: start, to: start + barMs })
        }
        onSeek={replay ? seek : null}
        head={
          replay ? (
            <>
              <ReplayHead view={view} source={source as Replay} state={state} setView={setView} />
              {unstored}
            </>
          ) : (
            <>
              <span className="wall-strong">{t(day ? 'lastDay' : 'lastHour')}</span>
              {isWhole ? <span className="wall-strong">{formatExact(total)}</span> : <WallSkeleton wide={58} />}
              <small>
                {view.mode === 'paused' && `${t('asOf', { time: clockTime(view.at, zone) })} `}
                {t(day ? 'perTen' : 'perMinute')}
                {limit !== null && ` · ${t('usualLimit', { limit: formatExact(limit) })}`}
                {` · ${t('hatched')}`}
              </small>
              {unstored}
              {onReplay && (
                <Tabs
                  label={t('bars')}
                  items={[
                    { id: 'hour' as const, label: t('hour') },
                    { id: 'day' as const, label: t('day') },
                  ]}
                  value={state.timeline}
                  onChange={(timeline) => setView({ timeline })}
                />
              )}
            </>
          )
        }
        controls={
          <>
            {view.paused && <span className="wall-strong">{t('waiting', { count: view.paused.attacks })}</span>}
            {replay && replay.counted.n < replay.counted.of && (
              <small>{t('counted', { n: formatExact(replay.counted.n), of: formatExact(replay.counted.of) })}</small>
            )}
            <small>{t(isWhole && totals.kind === 'whole' ? 'drawn' : 'drawnSince')}</small>
            <span className="wall-strong" data-testid="drawn">
              {isWhole && totals.kind === 'whole'
                ? `${formatExact(Math.min(DRAWN_MOST, drawn, drawnOf))} / ${formatExact(drawnOf)}`
                : formatExact(Math.min(DRAWN_MOST, drawn))}
            </span>
            {replay && onReplay && (
              <button type="button" className="wall-button" data-main onClick={toLive}>
                {t('toLive')} <kbd>L</kbd>
              </button>
            )}
          </>
        }
        menu={
          brush && (
            <>
              <span className="wall-strong">
                {clockTime(brush.from, zone).slice(0, 5)} – {clockTime(brush.to, zone).slice(0, 5)}
              </span>
              <span>{formatExact(inBrush)}</span>
              <button
                type="button"
                className="wall-button"
                data-main
                onClick={() => {
                  setBrush(null)
                  onReplay?.(brush)
                }}
              >
                {t('replayFrom')}
              </button>
              {linkTo && (
                <>
                  <Link className="wall-button" to={linkTo('realtime', brush)}>
                    {t('openMonitoring')}
                  </Link>
                  <Link className="wall-button" to={linkTo('attack_analysis', brush)}>
                    {t('openAnalysis')}
                  </Link>
                </>
              )}
              <button type="button" className="wall-button" aria-label={t('cancel')} onClick={() => setBrush(null)}>
                ×
              </button>
            </>
          )
        }
      />
    </section>
  )
}

function ReplayHead({
  view,
  source,
  state,
  setView,
}: {
  view: WallView
  source: Replay
  state: ViewState
  setView: (change: Partial<ViewState>, replace?: boolean) => void
}) {
  const { t, pick } = useWall()
  const { replay } = view
  if (!replay) return null
  const toggle = () => {
    if (replay.playing) {
      source.pause()
      setView({ offset: replay.at - replay.from }, true)
    } else source.play()
  }
  return (
    <>
      <span className="wall-strong">{t('replayTitle')}</span>
      <small>{replay.error ? replay.error.message : replay.loading ? t('loading') : t('byLevel')}</small>
      {pick && (
        <>
          <button type="button" className="wall-button" onClick={toggle}>
            {t(replay.playing ? 'pause' : 'play')} <kbd>P</kbd>
          </button>
          <Tabs
            label={t('speed')}
            items={SPEEDS.map((speed) => ({ id: String(speed), label: `${speed}x` }))}
            value={String(state.speed)}
            onChange={(speed) => setView({ speed: SPEEDS.find((one) => String(one) === speed) ?? state.speed }, true)}
          />
          <button
            type="button"
            className="wall-button"
            aria-pressed={replay.loop}
            onClick={() => source.setLoop(!replay.loop)}
          >
            {t('loop')} {replay.loop ? '✓' : ''}
          </button>
        </>
      )}
    </>
  )
}
