import { useMemo, useRef } from 'react'
import type { Site } from '#contracts/http/sites.ts'
import type { Box } from '../../../../shared/map/mercator.ts'
import type { Places } from '../../../../shared/map/places.ts'
import type { NameOf } from '../../../../shared/query/value-names.ts'
import type { MapFocus } from '../map-view.tsx'
import { focusArcs, focusBox } from './alert-focus.ts'
import type { WallAlert } from './use-wall-alert.ts'

/** What the map shows of the alert: its arcs, its province outlined, and where the camera goes. */
export function useAlertFocus(
  shown: WallAlert | null,
  { sites, places, nameOf, jumps }: { sites: readonly Site[]; places: Places | null; nameOf: NameOf; jumps: boolean },
): MapFocus | null {
  const last = useRef<{ id: string; box: Box | undefined } | null>(null)
  const alert = shown?.alert
  const text = shown ? JSON.stringify([...shown.bySite].map(([site, { groups }]) => [site, groups])) : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers count by their content
  return useMemo(() => {
    if (!shown || !alert || !places) return null
    const arcs = focusArcs(shown.bySite, sites, places).map((arc) => ({ ...arc, name: nameOf('city', arc.city) }))
    const province = alert.by === 'province' ? alert.key : null
    const box = focusBox(arcs, province ? places.provinces.get(province)?.point : undefined)
    // The camera stays while it still shows everything: it does not wander after each new city.
    const before = last.current?.id === alert.id ? last.current.box : undefined
    const seen = before && box && contains(before, box) ? before : box
    last.current = { id: alert.id, box: seen }
    const goes = jumps && alert.severity === 'critical'
    return { box: goes ? seen : undefined, arcs, level: alert.severity, province }
  }, [alert?.id, alert?.severity, text, sites, places, nameOf, jumps])
}

function contains(outer: Box, inner: Box): boolean {
  return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3]
}
