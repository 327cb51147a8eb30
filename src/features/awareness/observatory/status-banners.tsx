import type { ReactNode } from 'react'
import { LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import { formatExact } from '../../../shared/format/number.ts'
import { formatDuration } from '../../../shared/format/time.ts'
import type { ConnectionState } from '../../../shared/live/connection-store.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { ageText } from './header.tsx'
import { LevelGlyph } from './level-glyph.tsx'
import { clockTime, useWall } from './wall-context.ts'

function Notice({ title, amber = false, children }: { title: ReactNode; amber?: boolean; children: ReactNode }) {
  return (
    <section className="wall-notice" data-obstacle>
      <h3 className={amber ? 'wall-amber' : ''}>{title}</h3>
      {children}
    </section>
  )
}

function Facts({ lines }: { lines: readonly [term: string, text: string][] }) {
  return (
    <dl>
      {lines.map(([term, text]) => (
        <div key={term} style={{ display: 'contents' }}>
          <dt>{term}</dt>
          <dd>{text}</dd>
        </div>
      ))}
    </dl>
  )
}

/** What waits behind a pause, and both ways on. */
export function PausedBanner({
  view,
  onJump,
  onCatchUp,
}: {
  view: WallView
  onJump: () => void
  onCatchUp: () => void
}) {
  const { t, language } = useWall()
  const { paused } = view
  if (!paused) return null
  return (
    <Notice
      title={
        <>
          <span data-testid="waiting">+{formatExact(paused.attacks)}</span>
          <span style={{ fontSize: 'var(--s16)', fontWeight: 400 }}>{t('newEvents')}</span>
          <span className="wall-note" style={{ marginLeft: 'auto' }}>
            {t('pausedFor', { time: formatDuration(Date.now() - paused.since, language) })}
          </span>
        </>
      }
    >
      <p className="wall-counts">
        {LEVELS_BY_SEVERITY.map((level) => (
          <span key={level}>
            <LevelGlyph level={level} label={LEVELS[level][language]} /> {formatExact(paused.counts[level])}
          </span>
        ))}
      </p>
      <div className="wall-actions">
        <button type="button" className="wall-button" data-main onClick={onJump}>
          {t('jump')} <kbd>L</kbd>
        </button>
        <button type="button" className="wall-button" disabled={paused.overflow} onClick={onCatchUp}>
          {t('catchUp')} 9x
        </button>
      </div>
      {paused.overflow && <p className="wall-note">{t('overflow')}</p>}
    </Notice>
  )
}

export function StaleBanner({ view, connection }: { view: WallView; connection: ConnectionState }) {
  const { t, zone } = useWall()
  return (
    <Notice amber title={t('relayLost', { age: ageText(connection.dataAge) })}>
      <Facts
        lines={[
          [t('doing'), t('doingText')],
          [t('lastShown'), clockTime(view.at, zone)],
          [t('still'), t('stillText')],
          [t('after'), t('afterText')],
        ]}
      />
    </Notice>
  )
}

export function RevokedBanner({ reason, onRetry }: { reason: ConnectionState['reason']; onRetry: () => void }) {
  const { t } = useWall()
  const why = reason === 'replaced' || reason === 'signed_out' ? reason : 'token_revoked'
  return (
    <Notice amber title={t('revokedTitle')}>
      <p>{t(`revokedWhy_${why}`)}</p>
      <div className="wall-actions">
        <button type="button" className="wall-button" onClick={onRetry}>
          {t('retry')}
        </button>
      </div>
    </Notice>
  )
}

export function LowPowerBanner({ why, onFull, onClose }: { why: string; onFull: () => void; onClose: () => void }) {
  const { t } = useWall()
  return (
    <Notice title={t('lowTitle')}>
      <Facts
        lines={[
          [t('lowReason'), why],
          [t('lowChanges'), t('lowChangesText')],
          [t('lowSame'), t('lowSameText')],
        ]}
      />
      <div className="wall-actions">
        <button type="button" className="wall-button" data-main onClick={onClose}>
          {t('dismiss')}
        </button>
        <button type="button" className="wall-button" onClick={onFull}>
          {t('drawAnyway')}
        </button>
      </div>
    </Notice>
  )
}

/** One line for each prerequisite that is missing, and for what was not shown during a gap. */
export function MissingLines({ view, connection }: { view: WallView; connection: ConnectionState }) {
  const { t, zone, language, storedUntil } = useWall()
  const status = connection.status
  const { missed } = view
  const lines = [
    status?.prerequisites.geo === 'missing' && t('geoMissing'),
    status?.prerequisites.store === 'down' && t('storeDown'),
    storedUntil !== null &&
      status?.prerequisites.store !== 'down' &&
      t('storeBehind', {
        lag: formatDuration((status?.backlog.seconds ?? 0) * 1000, language),
        time: clockTime(storedUntil, zone).slice(0, 5),
      }),
    view.totals.kind !== 'whole' && view.ready && !view.replay && t('liveMeanwhile'),
    status && status.prerequisites.journal !== 'ok' && t('journalBad'),
    view.refused && t('refused', { message: view.refused.message }),
    missed &&
      missed.attacks !== null &&
      view.at - missed.to < 60_000 &&
      t('missed', {
        from: clockTime(missed.from, zone),
        to: clockTime(missed.to, zone),
        count: missed.attacks,
      }),
  ].filter((line): line is string => typeof line === 'string')
  return lines.map((line) => (
    <p key={line} className="wall-line" role="status">
      {line}
    </p>
  ))
}
