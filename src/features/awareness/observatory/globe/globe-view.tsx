import { type RefObject, useEffect, useRef } from 'react'
import type { Site } from '#contracts/http/sites.ts'
import type { WallSource, WallView } from '../../../../shared/live/wall-view.ts'
import type { Geo } from '../../../../shared/map/geo-data.ts'
import type { Places } from '../../../../shared/map/places.ts'
import type { AreaShading } from '../area-shading.ts'
import { useWall } from '../wall-context.ts'
import { createGlobe, type GlobeRenderer } from './globe-renderer.ts'
import { busiestRegion } from './orthographic.ts'

/** The globe of the rotation: faces the region with most attacks from abroad today, and the sites that they hit. */
export default function GlobeView({
  geo,
  places,
  source,
  view,
  shades,
  sites,
  zone,
  onDrawn,
  now,
}: {
  geo: Geo
  places: Places
  source: WallSource
  view: WallView
  shades: AreaShading
  sites: readonly Site[]
  zone: RefObject<HTMLElement | null>
  onDrawn: (drawn: number) => void
  /** Server clock: where it is night. */
  now: () => number
}) {
  const { t, unit } = useWall()
  const host = useRef<HTMLDivElement>(null)
  const back = useRef<HTMLCanvasElement>(null)
  const front = useRef<HTMLCanvasElement>(null)
  const globe = useRef<GlobeRenderer | null>(null)
  useEffect(() => {
    if (!back.current || !front.current) return
    const one = createGlobe(back.current, front.current, geo, () => performance.now(), now)
    globe.current = one
    const stop = source.onArcs((arcs) => one.add(arcs))
    return () => {
      stop()
      one.destroy()
      globe.current = null
    }
  }, [geo, source, now])
  useEffect(() => {
    const place = () => {
      if (!host.current || !zone.current) return
      const outer = host.current.getBoundingClientRect()
      const inner = zone.current.getBoundingClientRect()
      const radius = Math.min(inner.width * 0.46, inner.height * 0.47)
      const [x, y] = [inner.x - outer.x + inner.width / 2, inner.y - outer.y + inner.height / 2]
      globe.current?.setPlace(outer.width, outer.height, x, y, radius, unit, Math.min(2, window.devicePixelRatio))
    }
    place()
    const observer = new ResizeObserver(place)
    if (zone.current) observer.observe(zone.current)
    return () => observer.disconnect()
  }, [unit, zone])
  useEffect(() => globe.current?.setShades(shades), [shades])
  useEffect(() => {
    globe.current?.setSites(new Map(sites.map((site) => [Number(site.id), [site.longitude, site.latitude] as const])))
  }, [sites])
  // biome-ignore lint/correctness/useExhaustiveDependencies: again with each view
  useEffect(() => onDrawn(globe.current?.drawn() ?? 0), [view, onDrawn])
  const region =
    view.totals.kind !== 'whole'
      ? undefined
      : busiestRegion(view.countries, (code) => places.countries.get(code)?.point)
  const site = sites[0]
  // Between the region and the first site, so that both ends of its arcs are in sight.
  useEffect(() => {
    if (!region) return
    const away = site ? ((site.longitude - region.lon + 540) % 360) - 180 : 0
    globe.current?.turnTo({
      lon: region.lon + away * 0.45,
      lat: region.lat + ((site?.latitude ?? region.lat) - region.lat) * 0.45,
    })
  }, [region, site])
  return (
    <div className="wall-map" ref={host} data-theme="dark" role="img" aria-label={t('map')} data-testid="globe">
      <canvas className="wall-layer" ref={back} aria-hidden />
      <canvas className="wall-layer" data-part="arcs" ref={front} aria-hidden />
      {region && (
        <p className="wall-globe-note wall-plate">
          {t('facing', { region: t(`region_${region.id}`) })}
          <br />
          <span className="wall-muted">{t('darkIsNight')}</span>
        </p>
      )}
    </div>
  )
}
