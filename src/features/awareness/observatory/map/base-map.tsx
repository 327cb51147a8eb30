import 'maplibre-gl/dist/maplibre-gl.css'
import { type Map as MapLibre, type MapMouseEvent, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?worker&url'
import { type ReactNode, useCallback, useMemo, useRef } from 'react'
import { Map as ReactMap } from 'react-map-gl/maplibre'
import type { Geo } from '../../../../shared/map/geo-data.ts'
import type { Camera } from '../../../../shared/map/mercator.ts'
import { baseStyle } from './base-style.ts'

setWorkerUrl(workerUrl)

/** Absent where the program moved the camera. */
type Moved = { originalEvent?: unknown }

export type MapPick = { lon: number; lat: number; x: number; y: number; event: MouseEvent }

/**
 * The drawn map, filling its positioned parent. The camera belongs to maplibre; `onCamera` reports every change (each frame of a
 * movement), so that overlays follow without React state. Rotation and pitch are off: overlays use plain Mercator.
 */
export function BaseMap({
  geo,
  camera,
  label,
  element,
  pixelRatio,
  onReady,
  onCamera,
  onClick,
  onDoubleClick,
  onMove,
  onLeave,
  children,
}: {
  geo: Geo
  /** Where it starts; later moves go through the map given to onReady. */
  camera: Camera
  label: string
  /** Whose theme gives the colours. */
  element: Element
  pixelRatio: number
  onReady: (map: MapLibre) => void
  /** `still` after the movement ended; `byUser` when a hand moved it. */
  onCamera: (camera: Camera, still: boolean, byUser: boolean) => void
  onClick: (pick: MapPick) => void
  onDoubleClick: (pick: MapPick) => void
  onMove: (pick: MapPick) => void
  onLeave: () => void
  children?: ReactNode
}) {
  const style = useMemo(() => baseStyle(geo, element), [geo, element])
  const map = useRef<MapLibre | null>(null)
  const tell = useCallback(
    (still: boolean, byUser: boolean) => {
      const one = map.current
      if (!one) return
      const { lng, lat } = one.getCenter()
      const { clientWidth: width, clientHeight: height } = one.getContainer()
      onCamera({ lon: lng, lat, zoom: one.getZoom(), width, height }, still, byUser)
    },
    [onCamera],
  )
  const ready = useRef(onReady)
  ready.current = onReady
  const attach = useCallback(
    (ref: { getMap: () => MapLibre } | null) => {
      const one = ref?.getMap() ?? null
      map.current = one
      if (!one) return
      // As soon as sources accept data: the first frame must be shaded.
      const begin = () => {
        one.getCanvas().setAttribute('aria-label', label)
        one.keyboard.disableRotation()
        one.touchZoomRotate.disableRotation()
        ready.current(one)
        tell(true, false)
      }
      // Not isStyleLoaded(): that waits for the sources too, and `style.load` may have gone by already.
      const style: unknown = one.getStyle()
      if (style) begin()
      else one.once('style.load', begin)
    },
    [label, tell],
  )
  return (
    <ReactMap
      ref={attach}
      mapStyle={style}
      initialViewState={{ longitude: camera.lon, latitude: camera.lat, zoom: camera.zoom }}
      style={{ position: 'absolute', inset: 0 }}
      attributionControl={false}
      dragRotate={false}
      pitchWithRotate={false}
      touchPitch={false}
      doubleClickZoom={false}
      maxPitch={0}
      minZoom={0.5}
      maxZoom={9}
      fadeDuration={0}
      pixelRatio={pixelRatio}
      onMove={({ originalEvent }: Moved) => tell(false, !!originalEvent)}
      onMoveEnd={({ originalEvent }: Moved) => tell(true, !!originalEvent)}
      onResize={() => tell(true, false)}
      onClick={(event: MapMouseEvent) => onClick(pickOf(event))}
      onDblClick={(event: MapMouseEvent) => onDoubleClick(pickOf(event))}
      onMouseMove={(event: MapMouseEvent) => onMove(pickOf(event))}
      onMouseOut={onLeave}
    >
      {children}
    </ReactMap>
  )
}

function pickOf({ lngLat, point, originalEvent }: MapMouseEvent): MapPick {
  return { lon: lngLat.lng, lat: lngLat.lat, x: point.x, y: point.y, event: originalEvent }
}
