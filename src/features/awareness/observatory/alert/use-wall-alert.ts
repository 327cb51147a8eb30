import { useCallback, useEffect, useMemo, useState } from 'react'
import { acknowledgeAlert, alerts } from '#contracts/http/alerts.ts'
import type { Site } from '#contracts/http/sites.ts'
import { type Alert, isRunMeasure } from '#domain/alerts.ts'
import type { Dimension, Filter, PartInput, Query, TopAnswer } from '#domain/query.ts'
import { absoluteRange } from '#domain/time-range.ts'
import { LEVELS_BY_SEVERITY, type Level } from '#domain/vocabulary.ts'
import { rowsOfAlert } from '../../../../shared/alerts/alert-words.ts'
import { useAlertNews, useOpenAlerts } from '../../../../shared/alerts/use-alerts.ts'
import { useAction } from '../../../../shared/api/use-action.ts'
import { useEndpoint } from '../../../../shared/api/use-endpoint.ts'
import type { LiveConnection } from '../../../../shared/live/live-connection.ts'
import { useStatistics } from '../../../../shared/query/use-statistics.ts'
import { useMay } from '../../../../shared/session/session-store.ts'
import { useActions } from '../../../../shared/ui/actions.ts'
import { useEscapeLayer } from '../../../../shared/ui/use-escape-layer.ts'
import { EMPTY_QUEUE, receiveAlert, showNext, tick, toggleStay } from './alert-queue.ts'
import { soundAlert } from './alert-sound.ts'

const REFRESH_MS = 5000
/** Newest alerts, over or not: what the map and the time line remember. */
const RECENT = 20
const SITES = 6

/** What the wall shows of an alert: its numbers by field, and its cities by site. */
export type WallAlert = {
  alert: Alert
  /** Raised together with it: one more value of the rule's split each. */
  siblings: readonly Alert[]
  /** When the wall returns; null while it stays. */
  until: number | null
  counts: ReadonlyMap<Dimension, ReadonlyMap<string, number>>
  bySite: ReadonlyMap<string, TopAnswer>
  /** Null where the viewer may not. */
  acknowledge: (() => void) | null
  stay: () => void
  leave: () => void
}
export type AlertNumbers = { firing: number; unacknowledged: number; highest: Level | null }

const FIELDS = [
  'risk',
  'province',
  'city',
  'country',
  'app',
  'device',
  'version',
] as const satisfies readonly Dimension[]

/** Alerts on the wall: how many there are, and the one whose turn it is, with what it is made of. Only live pictures are interrupted. */
export function useWallAlert({
  connection,
  live,
  token,
  sites,
  now,
  texts,
}: {
  connection: LiveConnection
  /** The wall shows live data and no one is using it. */
  live: boolean
  token: boolean
  sites: readonly Site[]
  now: () => number
  texts: { acknowledge: string; stay: string; group: string }
}): { numbers: AlertNumbers | null; shown: WallAlert | null; recent: readonly Alert[] } {
  const [turn, setTurn] = useState(EMPTY_QUEUE)
  const open = useOpenAlerts()
  const recent = useEndpoint(alerts, { query: { limit: RECENT } }, { refetchInterval: 30_000 })
  const onAlert = useCallback((alert: Alert) => setTurn((before) => receiveAlert(before, alert, now())), [now])
  useAlertNews(connection, onAlert)
  useEffect(() => {
    for (const alert of open.data?.data ?? []) setTurn((before) => receiveAlert(before, alert, now()))
  }, [open.data, now])
  const current = live ? turn.current : null
  const id = current?.id
  useEffect(() => {
    if (id === undefined) return
    const timer = setInterval(() => setTurn((before) => tick(before, now())), 250)
    return () => clearInterval(timer)
  }, [id, now])
  const critical = current?.severity === 'critical'
  // biome-ignore lint/correctness/useExhaustiveDependencies: once an alert
  useEffect(() => {
    if (id !== undefined) void soundAlert(critical)
  }, [id])

  // The numbers of the banner's rows are counted by the store over the alert's own span, again every few seconds.
  const [slot, setSlot] = useState(0)
  useEffect(() => {
    if (id === undefined) return
    const timer = setInterval(() => setSlot((before) => before + 1), REFRESH_MS)
    return () => clearInterval(timer)
  }, [id])
  // biome-ignore lint/correctness/useExhaustiveDependencies: again with each time slot
  const query: Query = useMemo(
    () => ({
      range: absoluteRange({ from: current?.from ?? now() - 60_000, to: Math.max((current?.from ?? 0) + 1000, now()) }),
      timeBasis: 'received',
      compare: 'none',
      filters: current ? rowsOfAlert(current).filters : [],
    }),
    [id, slot],
  )
  const parts = useMemo(() => partsFor(sites), [sites])
  const answer = useStatistics(query, parts, {
    enabled: current !== null && !isRunMeasure(current.measure),
    paused: true,
  })
  const counts = new Map<Dimension, ReadonlyMap<string, number>>()
  const bySite = new Map<string, TopAnswer>()
  if (current)
    for (const name of Object.keys(parts)) {
      const part = answer.part(name)
      if (part.kind !== 'ready' || part.answer.kind !== 'top') continue
      if (name.startsWith('site')) bySite.set(name.slice(4), part.answer)
      else counts.set(name as Dimension, new Map(part.answer.groups.map(({ key, row }) => [key, row.events ?? 0])))
    }

  const mayAcknowledge = useMay('alert.acknowledge')
  const acknowledging = useAction(acknowledgeAlert, { refreshes: [alerts] })
  const acknowledge =
    current && !token && mayAcknowledge && current.acknowledged === null
      ? () => acknowledging.mutate({ body: { id: current.id, note: '' } })
      : null
  const stay = () => setTurn((before) => toggleStay(before, now()))
  const leave = () => setTurn((before) => showNext(before, now()))
  useEscapeLayer(current !== null, leave)
  useActions(
    current
      ? [
          {
            id: 'wall.acknowledge',
            label: texts.acknowledge,
            group: texts.group,
            keys: 'a',
            isDisabled: !acknowledge,
            run: () => acknowledge?.(),
          },
          { id: 'wall.stay', label: texts.stay, group: texts.group, keys: 's', run: stay },
        ]
      : [],
  )
  return {
    numbers: open.data
      ? {
          firing: open.data.firing,
          unacknowledged: open.data.unacknowledged,
          highest: highestOf(open.data.data),
        }
      : null,
    recent: recent.data?.data ?? NO_ALERTS,
    shown: current && {
      alert: current,
      siblings: turn.siblings,
      until: turn.until,
      counts,
      bySite,
      acknowledge,
      stay,
      leave,
    },
  }
}

const NO_ALERTS: readonly Alert[] = []

/** The highest level among alerts that are open and not silenced. */
function highestOf(list: readonly Alert[]): Level | null {
  const open = list.filter(({ silenced, state }) => !silenced && state !== 'resolved')
  return LEVELS_BY_SEVERITY.find((level) => open.some(({ severity }) => severity === level)) ?? null
}

function partsFor(sites: readonly Site[]): Record<string, PartInput> {
  const top = (by: Dimension, and: Filter[] = []): PartInput => ({
    kind: 'top',
    by,
    measures: ['events'],
    limit: 40,
    and,
  })
  return {
    ...Object.fromEntries(FIELDS.map((field) => [field, top(field)])),
    ...Object.fromEntries(
      ['0', ...sites.slice(0, SITES).map(({ id }) => id)].map((site) => [
        `site${site}`,
        top('city', [{ field: 'site', op: 'is', values: [site] }]),
      ]),
    ),
  }
}
