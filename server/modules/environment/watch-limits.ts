import { randomUUID } from 'node:crypto'
import {
  type EnvironmentSettings,
  nextWatch,
  QUIET,
  type Values,
  WATCHED,
  WATCHED_NAMES,
  type Watch,
  type Watched,
} from '#domain/environment.ts'

/** An alert of this node; times in epoch ms. */
export type LimitAlert = {
  id: string
  metric: Watched
  opened_at: number
  closed_at: number | null
  value: number
  peak: number
  limit: number
}

/** Ended alerts that wait to be stored; older ones are forgotten. */
const MOST_ENDED = 100

export type LimitWatch = {
  /** Takes one sample. */
  judge(at: number, values: Values, settings: EnvironmentSettings): void
  open(): LimitAlert[]
  /** Those that ended and were not stored yet; `forget` after they were. */
  ended(): LimitAlert[]
  forget(ids: readonly string[]): void
  /** An alert that was open when this node was last measured goes on: it neither opens again nor stays open for ever. */
  adopt(alert: LimitAlert): void
}

/** Compares samples with the limits. `judgesShared`: also those of the cluster. */
export function createLimitWatch(judgesShared: boolean): LimitWatch {
  const watches = new Map<Watched, Watch>()
  const alerts = new Map<Watched, LimitAlert>()
  let ended: LimitAlert[] = []

  return {
    judge(at, values, { limits, open_after, close_after }) {
      for (const metric of WATCHED_NAMES) {
        const limit = WATCHED[metric].shared && !judgesShared ? null : limits[metric]
        const value = values[metric] ?? null
        const watch = nextWatch(watches.get(metric) ?? QUIET, value, limit, {
          openAfter: open_after,
          closeAfter: close_after,
        })
        watches.set(metric, watch)
        const alert = alerts.get(metric)
        if (watch.open && value !== null) {
          if (alert) alert.peak = Math.max(alert.peak, value)
          else if (limit !== null)
            alerts.set(metric, { id: randomUUID(), metric, opened_at: at, closed_at: null, value, peak: value, limit })
        }
        if (!watch.open && alert) {
          alerts.delete(metric)
          ended = [...ended, { ...alert, closed_at: at }].slice(-MOST_ENDED)
        }
      }
    },
    open: () => [...alerts.values()],
    ended: () => [...ended],
    forget(ids) {
      ended = ended.filter(({ id }) => !ids.includes(id))
    },
    adopt(alert) {
      const own = alerts.get(alert.metric)
      alerts.set(alert.metric, own ? { ...alert, peak: Math.max(alert.peak, own.peak) } : alert)
      watches.set(alert.metric, { open: true, over: 0, under: watches.get(alert.metric)?.under ?? 0 })
    },
  }
}
