import { memo, useMemo } from 'react'
import type { Geo } from '../../../shared/map/geo-data.ts'
import { stretched } from '../../../shared/map/mercator.ts'
import { boxOf, partsOf } from '../../../shared/map/polygons.ts'

const BOX = { west: 105.6, east: 125.4, south: 2.6, north: 25.6 }
const [WIDTH, HEIGHT] = [136, 176]
const SCALE = Math.min(WIDTH / (BOX.east - BOX.west), HEIGHT / (stretched(BOX.north) - stretched(BOX.south)))

type Line = readonly (readonly number[])[]
const path = (line: Line, close: boolean) =>
  `M${line.map(([lon = 0, lat = 0]) => `${((lon - BOX.west) * SCALE).toFixed(1)} ${((stretched(BOX.north) - stretched(lat)) * SCALE).toFixed(1)}`).join('L')}${close ? 'Z' : ''}`

const shows = (line: Line) => {
  const [west, south, east, north] = boxOf(line as number[][])
  return east > BOX.west && west < BOX.east && north > BOX.south && south < BOX.north
}

/** The South China Sea islands at their place, always whole: nothing on the page may cover it. Shades follow the map's. */
export const SouthChinaSea = memo(function SouthChinaSea({
  geo,
  shades,
  label,
}: {
  geo: Geo
  /** Class 0 to 6 by province. */
  shades: ReadonlyMap<string, number>
  label: string
}) {
  const shapes = useMemo(() => {
    const land = (areas: Geo['provinces'], skip: string) =>
      areas.features
        .filter(({ properties }) => properties.id !== skip)
        .map((area) => ({
          id: area.properties.id,
          d: partsOf(area)
            .flatMap((part) => part.slice(0, 1))
            .filter(shows)
            .map((ring) => path(ring, true))
            .join(''),
        }))
        .filter(({ d }) => d !== '')
    return {
      countries: land(geo.countries, 'CN'),
      provinces: land(geo.provinces, ''),
      dashes: geo.dashes.coordinates.map((line) => path(line, false)).join(''),
    }
  }, [geo])
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label} className="wall-inset">
      <g className="wall-inset-land">
        {shapes.countries.map(({ id, d }) => (
          <path key={id} d={d} />
        ))}
      </g>
      <g className="wall-inset-china">
        {shapes.provinces.map(({ id, d }) => (
          <path key={id} d={d} style={{ fill: `var(--map-${Math.max(1, shades.get(id) ?? 0)})` }} />
        ))}
      </g>
      <path d={shapes.dashes} className="wall-inset-dashes" />
    </svg>
  )
})
