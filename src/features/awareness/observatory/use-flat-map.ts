import type { Map as MapLibre } from 'maplibre-gl'
import { type RefObject, useEffect } from 'react'
import type { LabelLayer } from './label-layer.ts'

/**
 * Low power: the resting map is painted into the label canvas, which replaces it ([data-flat] in wall-over.css); a moving or changing
 * one shows itself.
 */
export function useFlatMap(
  map: MapLibre | null,
  lowPower: boolean,
  host: RefObject<HTMLElement | null>,
  labels: RefObject<LabelLayer | null>,
): void {
  useEffect(() => {
    if (!map || !lowPower) return
    const show = () => {
      if (host.current) delete host.current.dataset['flat']
      labels.current?.setBackdrop(null)
    }
    // Called in the task that drew the map: its buffer can still be copied.
    const flatten = () => {
      labels.current?.setBackdrop(map.getCanvas())
      if (host.current) host.current.dataset['flat'] = ''
    }
    map.on('idle', flatten)
    map.on('movestart', show)
    map.triggerRepaint()
    return () => {
      map.off('idle', flatten)
      map.off('movestart', show)
    }
  }, [map, lowPower, host, labels])
}
