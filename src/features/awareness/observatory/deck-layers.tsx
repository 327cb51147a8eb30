import { HeatmapLayer, HexagonLayer } from '@deck.gl/aggregation-layers'
import { ArcLayer, ScatterplotLayer, TextLayer } from '@deck.gl/layers'
import { MapLibreOverlay } from '@deck.gl/maplibre'
import { useEffect, useMemo, useState } from 'react'
import { useControl } from 'react-map-gl/maplibre'
import type { Site } from '#contracts/http/sites.ts'
import { LEVELS, LEVELS_BY_SEVERITY } from '#domain/vocabulary.ts'
import { formatNumber } from '../../../shared/format/number.ts'
import type { WallSource, WallView } from '../../../shared/live/wall-view.ts'
import type { LonLat } from '../../../shared/map/mercator.ts'
import type { Places } from '../../../shared/map/places.ts'
import { token } from '../../../shared/theme/tokens.ts'
import { clusterPoints, mergeArcs, weightedPoints } from './aggregate.ts'

type Rgb = [number, number, number]
const REFRESH_MS = 2000

/** Aggregations over the map by deck.gl: exact counts by city and country as heat, hexagons or clusters; drawn arcs merged by source. */
export default function DeckLayers({
  layers,
  view,
  source,
  places,
  sites,
  element,
}: {
  layers: readonly ('heat' | 'hexagon' | 'cluster' | 'merged')[]
  view: WallView
  source: WallSource
  places: Places
  sites: readonly Site[]
  element: Element
}) {
  const overlay = useControl(
    () => new MapLibreOverlay({ interleaved: false, layers: [] }),
  ) as unknown as MapLibreOverlay
  // Counts change twice a second; a picture of them every two seconds is enough and leaves the machine alone.
  const [shown, setShown] = useState(view)
  const due = view.at - shown.at > REFRESH_MS || view.at < shown.at || shown.cities.length === 0
  useEffect(() => {
    if (due) setShown(view)
  }, [due, view])

  const colors = useMemo(() => {
    const rgb = (name: string): Rgb => hexToRgb(token(name, element))
    return {
      ramp: [2, 3, 4, 5].map((step) => rgb(`scale-${step}`)),
      levels: Object.fromEntries(
        LEVELS_BY_SEVERITY.map((level) => [LEVELS[level].code, rgb(`level-${level}`)]),
      ) as Record<number, Rgb>,
      text: rgb('text'),
      canvas: rgb('canvas'),
    }
  }, [element])

  useEffect(() => {
    const points = weightedPoints(shown, places)
    const sitePoints = new Map<number, LonLat>(sites.map((site) => [Number(site.id), [site.longitude, site.latitude]]))
    const position = ({ point }: { point: LonLat }): [number, number] => [point[0], point[1]]
    const built = []
    if (layers.includes('heat'))
      built.push(
        new HeatmapLayer<(typeof points)[number]>({
          id: 'heat',
          data: points,
          getPosition: position,
          getWeight: ({ count }) => count,
          radiusPixels: 42,
          intensity: 1.2,
          threshold: 0.04,
          colorRange: colors.ramp,
          opacity: 0.75,
        }),
      )
    if (layers.includes('hexagon'))
      built.push(
        new HexagonLayer<(typeof points)[number]>({
          id: 'hexagon',
          data: points,
          getPosition: position,
          getColorWeight: ({ count }) => count,
          colorAggregation: 'SUM',
          colorScaleType: 'quantile',
          radius: 90_000,
          coverage: 0.9,
          extruded: false,
          gpuAggregation: false,
          colorRange: colors.ramp,
          opacity: 0.7,
        }),
      )
    if (layers.includes('cluster')) {
      const clusters = clusterPoints(points)
      built.push(
        new ScatterplotLayer<(typeof clusters)[number]>({
          id: 'cluster',
          data: clusters,
          getPosition: position,
          getRadius: ({ count }) => 10 + 6 * Math.log10(1 + count),
          radiusUnits: 'pixels',
          getFillColor: [...colors.canvas, 200],
          getLineColor: colors.ramp[2] as Rgb,
          stroked: true,
          lineWidthUnits: 'pixels',
          getLineWidth: 1.5,
        }),
        new TextLayer<(typeof clusters)[number]>({
          id: 'cluster-count',
          data: clusters,
          getPosition: position,
          getText: ({ count }) => formatNumber(count, 1000),
          getSize: 12,
          getColor: colors.text,
          fontFamily: 'sans-serif',
        }),
      )
    }
    if (layers.includes('merged')) {
      const merged = mergeArcs([...source.hourArcs(), ...source.liveArcs()], sitePoints)
      built.push(
        new ArcLayer<(typeof merged)[number]>({
          id: 'merged',
          data: merged,
          greatCircle: false,
          getSourcePosition: ({ from }) => [from[0], from[1]],
          getTargetPosition: ({ to }) => [to[0], to[1]],
          getSourceColor: ({ level }) => [...(colors.levels[level] as Rgb), 70],
          getTargetColor: ({ level }) => [...(colors.levels[level] as Rgb), 220],
          getWidth: ({ count }) => Math.max(1.2, 0.5 * Math.sqrt(count) * 2),
          getHeight: 0.35,
          getTilt: 45,
        }),
      )
    }
    overlay.setProps({ layers: built })
  }, [overlay, layers, shown, places, sites, source, colors])
  return null
}

function hexToRgb(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16)
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255]
}
