import { useMemo, useRef } from 'react'
import type { Site } from '#contracts/http/sites.ts'
import { type Alert, isRunMeasure } from '#domain/alerts.ts'
import { type Level, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { formatExact } from '../../../../shared/format/number.ts'
import { useTexts } from '../../../../shared/i18n/texts.ts'
import type { Geo } from '../../../../shared/map/geo-data.ts'
import type { Box } from '../../../../shared/map/mercator.ts'
import type { Places } from '../../../../shared/map/places.ts'
import type { NameOf } from '../../../../shared/query/value-names.ts'
import type { MapFocus } from '../map-view.tsx'
import { clockTime } from '../wall-context.ts'
import { focusArcs, focusBox } from './alert-focus.ts'
import type { Scar } from './alert-layer.ts'
import { alertWallTexts } from './alert-wall-texts.ts'
import { SCAR_MS } from './burst.ts'
import type { WallAlert } from './use-wall-alert.ts'

/** Scars at once. */
const SCARS = 3

/** What the map shows of the alert: its arcs, its province lit, and where the camera goes. */
export function useAlertFocus(
  shown: WallAlert | null,
  {
    sites,
    geo,
    places,
    nameOf,
    jumps,
  }: { sites: readonly Site[]; geo: Geo | null; places: Places | null; nameOf: NameOf; jumps: boolean },
): MapFocus | null {
  const t = useTexts(alertWallTexts)
  const last = useRef<{ id: string; box: Box | undefined } | null>(null)
  const alert = shown?.alert
  const text = shown ? JSON.stringify([...shown.bySite].map(([site, { groups }]) => [site, groups])) : ''
  // biome-ignore lint/correctness/useExhaustiveDependencies: the answers count by their content
  return useMemo(() => {
    // Copies were found in markets: there is no place to go to.
    if (!shown || !alert || !places || isRunMeasure(alert.measure)) return null
    const arcs = focusArcs(shown.bySite, sites, places).map((arc) => ({ ...arc, name: nameOf('city', arc.city) }))
    const province = provinceOf(alert, places)
    const box = focusBox(arcs, province ? places.provinces.get(province)?.point : undefined)
    // The camera stays while it still shows everything: it does not wander after each new city.
    const before = last.current?.id === alert.id ? last.current.box : undefined
    const seen = before && box && contains(before, box) ? before : box
    last.current = { id: alert.id, box: seen }
    const perSecond = alert.value / (alert.window_ms / 1000)
    return {
      box: jumps ? seen : undefined,
      province,
      alert: {
        id: alert.id,
        arcs,
        level: alert.severity,
        mark: markOf(alert),
        value: alert.value,
        expected: Math.round(alert.expected),
        perSecond,
        rateText: t('perSecond', { rate: perSecond.toFixed(1) }),
        edge: geo?.provinces.features.find(({ properties }) => properties.id === province) ?? null,
      },
    }
  }, [alert?.id, alert?.severity, alert?.value, text, sites, geo, places, nameOf, jumps, t])
}

/** The newest alerts of the last ten minutes whose place is known, as marks that stay on the map. */
export function useScars(
  alerts: readonly Alert[],
  { places, nameOf, zone, now }: { places: Places | null; nameOf: NameOf; zone: string; now: () => number },
): Scar[] {
  const key = JSON.stringify(alerts.map(({ id, total }) => [id, total]))
  // biome-ignore lint/correctness/useExhaustiveDependencies: alerts count by their content
  return useMemo(() => {
    if (!places) return []
    return alerts
      .filter(({ silenced, raised_at }) => !silenced && now() - raised_at < SCAR_MS)
      .sort((a, b) => b.raised_at - a.raised_at)
      .flatMap((alert): Scar[] => {
        const point =
          alert.by === 'city'
            ? places.cities.get(alert.key)?.point
            : alert.by === 'province'
              ? places.provinces.get(alert.key)?.point
              : undefined
        if (!point || !alert.by) return []
        return [
          {
            id: alert.id,
            level: alert.severity,
            point,
            raisedAt: alert.raised_at,
            title: `+${formatExact(alert.total)}, ${clockTime(alert.from, zone).slice(0, 5)}`,
            note: `${alert.rule.name}  ${nameOf(alert.by, alert.key)}`,
          },
        ]
      })
      .slice(0, SCARS)
  }, [key, places, nameOf, zone, now])
}

function provinceOf({ by, key }: Pick<Alert, 'by' | 'key'>, places: Places): string | null {
  if (by === 'province') return key
  return by === 'city' ? (places.cities.get(key)?.province ?? null) : null
}

/** The level of the events that an alert counts, where its filters name kinds of one level; else the alert's own. */
function markOf({ filters, severity }: Pick<Alert, 'filters' | 'severity'>): Level {
  const kinds = filters.find(({ field, op }) => field === 'risk' && op === 'is')?.values ?? []
  const levels = new Set(kinds.map((kind) => RISK_TYPES[kind as RiskType]?.level))
  const [only] = levels
  return levels.size === 1 && only ? only : severity
}

function contains(outer: Box, inner: Box): boolean {
  return outer[0] <= inner[0] && outer[1] <= inner[1] && outer[2] >= inner[2] && outer[3] >= inner[3]
}
