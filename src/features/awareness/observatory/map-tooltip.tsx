import type { Site } from '#contracts/http/sites.ts'
import type { EventRow } from '#domain/query.ts'
import { LEVELS, RISK_TYPES, wordOf } from '#domain/vocabulary.ts'
import { isBlocked } from '../../../shared/events/event-words.ts'
import type { Geo } from '../../../shared/map/geo-data.ts'
import type { Places } from '../../../shared/map/places.ts'
import { areaAt } from '../../../shared/map/polygons.ts'
import type { RenderedArc } from './arc-renderer.ts'
import { placeOf } from './feed-card.tsx'
import { LevelGlyph } from './level-glyph.tsx'
import { clockTime, useWall } from './wall-context.ts'

/** What an arc shows: risk, level, from where to which site, when; the action too while the feed still has the event. */
export function MapTooltip({
  arc,
  x,
  y,
  places,
  geo,
  sites,
  feed,
}: {
  arc: RenderedArc
  x: number
  y: number
  places: Places
  geo: Geo
  sites: readonly Site[]
  feed: readonly EventRow[]
}) {
  const { t, language, zone, nameOf, unit, open } = useWall()
  const risk = wordOf(RISK_TYPES, arc.risk)
  const row = feed.find((one) => one.id === arc.id)
  const site = sites.find((one) => Number(one.id) === arc.site)
  const province = areaAt(arc.from, geo.provinces)
  const country = province ? undefined : areaAt(arc.from, geo.countries)
  const from = row
    ? placeOf(row, nameOf)
    : ((province ? places.provinces.get(province) : places.countries.get(country ?? ''))?.[language] ?? t('unknown'))
  const to = site ? (language === 'en' && site.name_en ? site.name_en : site.name) : t('noSite')
  const right = x > window.innerWidth * 0.6
  return (
    <div
      className="wall-tip wall-plate"
      style={{
        top: y + 14 * unit,
        ...(right ? { right: window.innerWidth - x + 14 * unit } : { left: x + 14 * unit }),
      }}
    >
      <p className="wall-item">
        <LevelGlyph level={arc.level} />
        <b>{risk ? RISK_TYPES[risk][language] : t('unknown')}</b>
        <span className="wall-muted">{LEVELS[arc.level][language]}</span>
      </p>
      <p>
        {from} → {to}
      </p>
      <p className="wall-muted">
        {clockTime(arc.at, zone)} {row && t(isBlocked(row) ? 'blocked' : 'observed')}
      </p>
      {open && arc.app && <p className="wall-muted">{t('openEvent')}</p>}
    </div>
  )
}
