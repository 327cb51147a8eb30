import type { Map as MapLibre } from 'maplibre-gl'
import { lazy, type RefObject, Suspense, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Site } from '#contracts/http/sites.ts'
import type { ArcTuple } from '#contracts/live/messages.ts'
import { formatExact } from '../../../shared/format/number.ts'
import type { WallSource, WallView } from '../../../shared/live/wall-view.ts'
import { type CityGeo, type Geo, loadCityGeo } from '../../../shared/map/geo-data.ts'
import { type Box, type Camera, cameraFor, type LonLat, type Rect, zoomOf } from '../../../shared/map/mercator.ts'
import type { Places } from '../../../shared/map/places.ts'
import { areaAt } from '../../../shared/map/polygons.ts'
import { type AlertLayer, createAlertLayer, type Scar, type ShownAlert } from './alert/alert-layer.ts'
import { CAMERA_MS, cameraEase, RETURN_MS } from './alert/burst.ts'
import { type AttackRenderer, createArcRenderer, type RenderedArc } from './arc-renderer.ts'
import type { AreaShading } from './area-shading.ts'
import { createLabelLayer, type LabelLayer } from './label-layer.ts'
import { PERIMETER } from './map/arcs.ts'
import { BaseMap, type MapPick } from './map/base-map.tsx'
import { cameraForScope } from './map-camera.ts'
import { MapTooltip } from './map-tooltip.tsx'
import { createPointRenderer } from './point-renderer.ts'
import { useAreaShading } from './use-area-shading.ts'
import { useFlatMap } from './use-flat-map.ts'
import { useMapNames } from './use-map-names.ts'
import { useMedia } from './use-media.ts'
import { isProvince, type ViewState } from './view-state.ts'
import { useWall } from './wall-context.ts'

const DeckLayers = lazy(() => import('./deck-layers.tsx'))
const DOUBLE_CLICK_MS = 230
/** Pixels a degree at most while the camera follows an alert. */
const CLOSEST = 50
const CLOSE_VIEW = ['heat', 'hexagon', 'cluster', 'merged'] as const

export type MapFocus = {
  /** The camera goes there; undefined: it stays. */
  box: Box | undefined
  province: string | null
  alert: ShownAlert
}
export type MapActions = {
  setCamera: (camera: ViewState['camera']) => void
  enter: (scope: string) => void
  onDrawn: (drawn: number) => void
  /** Hands over what takes the map as canvases, bottom first, for a picture `wide` px along its longer side. */
  onCapture: (capture: ((wide: number) => Promise<CanvasImageSource[]>) | null) => void
}

/**
 * The map with everything on it: base, shades, arcs, names, sites, and the aggregations when one is switched on. Mounted again when
 * `lowPower` changes.
 */
export function MapView({
  geo,
  places,
  source,
  view,
  state,
  shades,
  sites,
  lowPower,
  isCounted = true,
  zone,
  marked,
  onMark,
  actions,
  focus,
  scars,
  past,
  now,
}: {
  geo: Geo
  places: Places
  source: WallSource
  view: WallView
  state: ViewState
  shades: AreaShading
  sites: readonly Site[]
  lowPower: boolean
  /** Whether attacks of the last minute stand beside names in low power; not where the shades mean something else. */
  isCounted?: boolean
  /** The element that marks the part of the map that nothing covers. */
  zone: RefObject<HTMLElement | null>
  marked: string | null
  onMark: (id: string | null) => void
  actions: MapActions
  /** What the camera shows while an alert has its turn. */
  focus: MapFocus | null
  scars: readonly Scar[]
  /** Attacks of the time under the pointer of the time line; null: what is live. */
  past: readonly ArcTuple[] | null
  /** Server clock. */
  now: () => number
}) {
  const { unit, pick, open, t } = useWall()
  const host = useRef<HTMLDivElement>(null)
  const stillCanvas = useRef<HTMLCanvasElement>(null)
  const liveCanvas = useRef<HTMLCanvasElement>(null)
  const labelCanvas = useRef<HTMLCanvasElement>(null)
  const alertCanvas = useRef<HTMLCanvasElement>(null)
  const pointHost = useRef<HTMLDivElement>(null)
  const renderer = useRef<AttackRenderer | null>(null)
  const labels = useRef<LabelLayer | null>(null)
  const alertLayer = useRef<AlertLayer | null>(null)
  const camera = useRef<Camera | null>(null)
  /** An alert moved the camera: its position is not the user's choice. */
  const focused = useRef(false)
  const inPast = useRef(false)
  const [element, setElement] = useState<HTMLElement | null>(null)
  const [map, setMap] = useState<MapLibre | null>(null)
  const [cityGeo, setCityGeo] = useState<CityGeo | null>(null)
  const [hover, setHover] = useState<{ arc: RenderedArc; x: number; y: number } | null>(null)
  const clicked = useRef<ReturnType<typeof setTimeout>>(undefined)
  const ratio = lowPower ? 1 : Math.min(2, window.devicePixelRatio)
  const drilled = isProvince(state.scope)
  const small = useMedia('(max-width: 600px)')
  const perimeter = small ? PERIMETER.phone : state.scope === 'world' ? PERIMETER.world : PERIMETER.usual

  const zoneRect = useCallback((): Rect => {
    const outer = (host.current as HTMLElement).getBoundingClientRect()
    const inner = zone.current?.getBoundingClientRect() ?? outer
    return { x: inner.x - outer.x, y: inner.y - outer.y, width: inner.width, height: inner.height }
  }, [zone])

  useLayoutEffect(() => {
    if (!labelCanvas.current) return
    const clock = () => performance.now()
    const [stillLines, arcs] = [stillCanvas.current, liveCanvas.current]
    const one =
      stillLines && arcs
        ? createArcRenderer(stillLines, arcs, clock)
        : createPointRenderer(pointHost.current as HTMLElement, clock)
    renderer.current = one
    labels.current = createLabelLayer(labelCanvas.current, stillLines === null)
    one.setPlateOf((site) => labels.current?.plateOf(site))
    const alerts = createAlertLayer(
      alertCanvas.current as HTMLCanvasElement,
      clock,
      stillLines === null,
      () => labels.current?.taken() ?? [],
    )
    alertLayer.current = alerts
    setElement(host.current)
    return () => {
      one.destroy()
      alerts.destroy()
      renderer.current = null
    }
  }, [])

  useEffect(() => {
    if (!drilled || cityGeo) return
    loadCityGeo().then(setCityGeo, () => undefined)
  }, [drilled, cityGeo])

  // Arcs go straight from the socket to the canvas; what the cards tell is drawn in the same picture as the cards.
  useLayoutEffect(() => {
    renderer.current?.clear()
    return source.onArcs((arcs) => inPast.current || renderer.current?.add(arcs))
  }, [source])
  useLayoutEffect(() => {
    if (past === null && !inPast.current) return
    inPast.current = past !== null
    renderer.current?.clear()
    if (past) renderer.current?.add(past, true)
    renderer.current?.tick()
  }, [past])
  useLayoutEffect(() => {
    if (view.ready && !inPast.current) renderer.current?.setSample(source.hourArcs())
    renderer.current?.tick()
    actions.onDrawn(renderer.current?.drawn() ?? 0)
  }, [view, source, actions])
  useEffect(() => {
    const byId = new Map<number, LonLat>(sites.map((site) => [Number(site.id), [site.longitude, site.latitude]]))
    renderer.current?.setSites(byId)
  }, [sites])
  useEffect(() => {
    const has = (layer: ViewState['layers'][number]) => state.layers.includes(layer)
    renderer.current?.setLook({ arcs: has('arcs'), pulses: has('pulses'), still: !has('merged'), perimeter })
  }, [state.layers, perimeter])
  const isFrozen = view.mode === 'paused' || (view.replay !== null && !view.replay.playing)
  useEffect(() => renderer.current?.freeze(isFrozen), [isFrozen])
  useEffect(() => renderer.current?.mark(marked, state.event?.id ?? null), [marked, state.event])

  const onCamera = useCallback(
    (next: Camera, still: boolean, byUser: boolean) => {
      camera.current = next
      renderer.current?.setCamera(next, unit, ratio)
      labels.current?.setCamera(next, unit, ratio, still)
      alertLayer.current?.setCamera(next, unit, ratio)
      if (still && byUser && !focused.current) actions.setCamera({ lon: next.lon, lat: next.lat, zoom: next.zoom })
    },
    [unit, ratio, actions],
  )

  // The camera follows the alert whose turn it is, then the address: a place of its own, else the frame of the scope.
  const { scope } = state
  const fixed = state.camera && `${state.camera.lon},${state.camera.lat},${state.camera.zoom}`
  const aimed = focus?.box?.map((degrees) => degrees.toFixed(1)).join(',')
  const aim = useCallback(() => {
    const box = (host.current as HTMLElement).getBoundingClientRect()
    if (aimed) {
      const area = aimed.split(',').map(Number) as unknown as Box
      const inner = zoneRect()
      // Below the banner, beside legend and inset.
      const free = {
        x: inner.x + 60 * unit,
        y: inner.y + 130 * unit,
        width: inner.width - 120 * unit,
        height: inner.height - 160 * unit,
      }
      const camera = cameraFor(area, free, { width: box.width, height: box.height })
      return { ...camera, zoom: Math.min(camera.zoom, zoomOf(CLOSEST * unit)) }
    }
    if (fixed) {
      const [lon, lat, zoom] = fixed.split(',').map(Number) as [number, number, number]
      return { lon, lat, zoom, width: box.width, height: box.height }
    }
    return cameraForScope(scope, geo, zoneRect(), box, unit)
  }, [aimed, fixed, scope, geo, zoneRect, unit])
  const first = useRef(true)
  /** The camera is where an alert led it. */
  const flown = useRef(false)
  useEffect(() => {
    if (!map) return
    const go = (animate: boolean) => {
      const target = aim()
      const { lng, lat } = map.getCenter()
      const off = Math.max(
        Math.abs(lng - target.lon),
        Math.abs(lat - target.lat),
        Math.abs(map.getZoom() - target.zoom),
      )
      // The hand that moved it has put it there.
      if (off < 0.002) return
      const options = { center: [target.lon, target.lat] as [number, number], zoom: target.zoom }
      const duration = aimed ? CAMERA_MS : flown.current ? RETURN_MS : 700
      flown.current = aimed !== undefined
      if (animate && !lowPower) map.easeTo({ ...options, duration, easing: cameraEase })
      else map.jumpTo(options)
    }
    go(!first.current)
    first.current = false
    const observer = new ResizeObserver(() => {
      if (!host.current) return // the page is left: effects end a moment after it is gone
      map.resize()
      go(false)
    })
    if (zone.current) observer.observe(zone.current)
    return () => observer.disconnect()
  }, [map, aim, aimed, lowPower, zone])
  useEffect(() => {
    if (camera.current) onCamera({ ...camera.current }, true, false)
  }, [onCamera])

  useEffect(() => {
    if (!map) return
    const capture = async (wide: number): Promise<CanvasImageSource[]> => {
      const current = camera.current
      const overlays = [stillCanvas, labelCanvas, liveCanvas, alertCanvas].flatMap((one) => one.current ?? [])
      // Low power: the resting map is part of the label canvas.
      if (!current || lowPower) return overlays.map(copyOf)
      const draw = (at: number) => {
        map.setPixelRatio(at)
        renderer.current?.setCamera(current, unit, at)
        labels.current?.setCamera(current, unit, at, false)
        alertLayer.current?.setCamera(current, unit, at)
      }
      draw(wide / Math.max(current.width, current.height))
      const base = await new Promise<HTMLCanvasElement>((done) => {
        // In the task that drew it: the buffer is gone afterwards.
        map.once('render', () => done(copyOf(map.getCanvas())))
        map.triggerRepaint()
      })
      const copies = [base, ...overlays.map(copyOf)]
      draw(ratio)
      return copies
    }
    actions.onCapture(capture)
    return () => actions.onCapture(null)
  }, [map, lowPower, unit, ratio, actions])
  useFlatMap(map, lowPower, host, labels)
  useEffect(() => {
    focused.current = focus !== null
    alertLayer.current?.show(focus?.alert ?? null)
    labels.current?.setDimmed(focus !== null)
  }, [focus])
  useEffect(() => alertLayer.current?.setScars(scars, now), [scars, now])
  useAreaShading(map, {
    shades: state.layers.includes('choropleth') ? shades : null,
    scope,
    outlined: focus?.province ?? null,
    geo,
    cityGeo,
  })

  // Names, counts and sites.
  useMapNames({
    labels,
    element,
    zoneRect,
    geo,
    cityGeo,
    places,
    scope,
    lowPower: lowPower && isCounted,
    view,
    sites,
    shown: state.layers.includes('labels') && !small,
    unnamed: focus?.province ?? null,
    perimeter,
  })
  const areaUnder = ({ lon, lat }: MapPick): { field: 'city' | 'province' | 'country'; code: string } | null => {
    const point: LonLat = [lon - 360 * Math.round(lon / 360), lat]
    const province = areaAt(point, geo.provinces)
    if (province && drilled && province === scope && cityGeo) {
      const city = areaAt(point, cityGeo.cities)
      return city ? { field: 'city', code: city } : null
    }
    if (province) return scope === 'world' ? { field: 'country', code: 'CN' } : { field: 'province', code: province }
    const country = areaAt(point, geo.countries)
    return country && country !== 'CN' ? { field: 'country', code: country } : null
  }
  const onClick = (at: MapPick) => {
    clearTimeout(clicked.current)
    const arc = renderer.current?.pick(at.x, at.y)
    if (arc) {
      if (arc.app && open) open({ app: arc.app, id: arc.id })
      return
    }
    const site = labels.current?.siteAt(at.x, at.y)
    const exclude = at.event.shiftKey
    // A double click enters: a single one waits until it can't become that.
    clicked.current = setTimeout(() => {
      if (site !== undefined) return pick?.('site', String(site), exclude)
      const area = areaUnder(at)
      if (area) pick?.(area.field, area.code, exclude)
    }, DOUBLE_CLICK_MS)
  }
  const onDoubleClick = (at: MapPick) => {
    clearTimeout(clicked.current)
    const area = areaUnder(at)
    if (area?.code === 'CN') actions.enter('china')
    else if (area?.field === 'province') actions.enter(area.code)
  }
  const onMove = ({ x, y }: MapPick) => {
    const arc = renderer.current?.pick(x, y)
    if (arc?.id !== hover?.arc.id) {
      setHover(arc ? { arc, x, y } : null)
      onMark(arc?.id ?? null)
    }
  }

  const deck = CLOSE_VIEW.filter((layer) => state.layers.includes(layer))
  return (
    <div className="wall-map" ref={host} data-theme="dark">
      {element && (
        <BaseMap
          geo={geo}
          camera={aim()}
          label={`${t('map')}: ${t('mapHelp')}`}
          element={element}
          pixelRatio={ratio}
          onReady={setMap}
          onCamera={onCamera}
          onClick={onClick}
          onDoubleClick={onDoubleClick}
          onMove={onMove}
          onLeave={() => {
            setHover(null)
            onMark(null)
          }}
        >
          {map && deck.length > 0 && (
            <Suspense fallback={null}>
              <DeckLayers layers={deck} view={view} source={source} places={places} sites={sites} element={element} />
            </Suspense>
          )}
        </BaseMap>
      )}
      <div className="wall-veil" />
      {!lowPower && <canvas className="wall-layer" data-part="arcs" ref={stillCanvas} aria-hidden />}
      <canvas className="wall-layer" ref={labelCanvas} aria-hidden />
      {lowPower ? (
        <div className="wall-points" ref={pointHost} aria-hidden />
      ) : (
        <canvas className="wall-layer" data-part="arcs" ref={liveCanvas} aria-hidden />
      )}
      <canvas className="wall-layer" data-part="alert" ref={alertCanvas} aria-hidden />
      <div className="wall-shade" />
      {hover && (
        <MapTooltip arc={hover.arc} x={hover.x} y={hover.y} places={places} geo={geo} sites={sites} feed={view.feed} />
      )}
      <p className="sr-only" data-testid="drawn-arcs">
        {formatExact(view.sample.n)}
      </p>
    </div>
  )
}

function copyOf(canvas: HTMLCanvasElement): HTMLCanvasElement {
  const copy = document.createElement('canvas')
  ;[copy.width, copy.height] = [canvas.width, canvas.height]
  copy.getContext('2d')?.drawImage(canvas, 0, 0)
  return copy
}
