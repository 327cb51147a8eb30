import { LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import { formatExact, formatNumber } from '../../../shared/format/number.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'
import { LevelGlyph } from './level-glyph.tsx'
import { CLASSES } from './map/choropleth.ts'
import { OutcomeGlyph } from './outcome-glyph.tsx'
import { WallSkeleton } from './totals-state.tsx'
import { useWall } from './wall-context.ts'

/** Levels with shape, word and count, which filter when pressed; what has no site; the scale of the shades. */
export function Legend({
  view,
  breaks,
  shadesOf,
  areShadesRead,
  minuteCounts,
}: {
  view: WallView
  breaks: readonly number[]
  shadesOf: 'byProvince' | 'byCity' | 'byCountry' | 'byPirated' | null
  areShadesRead: boolean
  /** The numbers beside the provinces' names are those of the last minute. */
  minuteCounts: boolean
}) {
  const { t, language, replaying, filtered, pick, totals } = useWall()
  const awaited = totals.kind === 'awaited'
  const word = t(replaying ? 'played' : filtered ? 'result' : 'today')
  const noSite = view.tops.site.rows.find(([key]) => key === '0' || key === '')?.[1] ?? 0
  return (
    <div
      className="wall-plate wall-legend"
      data-obstacle
      data-dimmed={totals.kind === 'remembered' || undefined}
      aria-busy={awaited || undefined}
    >
      <p className="wall-between wall-muted">
        <span>{t('level')}</span>
        <span>{word}</span>
      </p>
      {LEVELS_BY_SEVERITY.map((level) => {
        const content = (
          <>
            <LevelGlyph level={level} />
            <span>{LEVELS[level][language]}</span>
            <span>{awaited ? <WallSkeleton wide={44} /> : formatExact(view.counters.levels[level])}</span>
          </>
        )
        return pick ? (
          <button
            key={level}
            type="button"
            data-level={level}
            onClick={(event) => pick('level', level, event.shiftKey)}
          >
            {content}
          </button>
        ) : (
          <p key={level} className="wall-key">
            {content}
          </p>
        )
      })}
      <p className="wall-key wall-rule">
        <OutcomeGlyph blocked />
        <span>{t('stopsAtRing')}</span>
        <span className="wall-muted">{t('blocked')}</span>
      </p>
      <p className="wall-key">
        <OutcomeGlyph blocked={false} />
        <span>{t('passesRing')}</span>
        <span className="wall-muted">{t('observed')}</span>
      </p>
      {noSite > 0 && (
        <p className="wall-key">
          <svg
            viewBox="0 0 12 12"
            className="wall-mark"
            aria-hidden
            fill="none"
            stroke="var(--muted)"
            strokeWidth="1.4"
          >
            <circle cx="6" cy="6" r="5" />
            <circle cx="6" cy="6" r="1.2" fill="var(--muted)" />
          </svg>
          <span>{t('noSite')}</span>
          <span>{formatExact(noSite)}</span>
        </p>
      )}
      {shadesOf && (
        <>
          <p className="wall-between wall-muted wall-rule">
            <span>{t(shadesOf)}</span>
            <span>{shadesOf === 'byPirated' ? t('piratedDays') : word}</span>
          </p>
          {!areShadesRead ? (
            <p className="wall-muted">{t('noShades')}</p>
          ) : (
            <p className="wall-scale">
              <span>&lt;{formatNumber(breaks[0] ?? 1, 1000)}</span>
              <span aria-hidden>
                {Array.from({ length: CLASSES }, (_, i) => (
                  <i key={breaks[i] ?? 'top'} style={{ background: `var(--map-${i + 1})` }} />
                ))}
              </span>
              <span>≥{formatNumber(breaks.at(-1) ?? 5, 1000)}</span>
            </p>
          )}
        </>
      )}
      {minuteCounts && (
        <p className="wall-between wall-muted">
          <span>{t('besideNames')}</span>
          <span>{t('lastMinute')}</span>
        </p>
      )}
    </div>
  )
}
