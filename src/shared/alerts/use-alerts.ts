import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { alertDetail, alertRules, alerts } from '#contracts/http/alerts.ts'
import type { Alert } from '#domain/alerts.ts'
import { endpointKey, useEndpoint } from '../api/use-endpoint.ts'
import type { LiveConnection } from '../live/live-connection.ts'

/** Refetch interval, ms: finds alerts that were sent while the connection was down. */
const EVERY_MS = 30_000

/** Reads alerts again whenever one is raised or changed, and after a reconnect; `onAlert` receives each. */
export function useAlertNews(connection: LiveConnection, onAlert?: (alert: Alert) => void): void {
  const client = useQueryClient()
  useEffect(() => {
    const refresh = () => {
      for (const one of [alerts, alertDetail, alertRules]) void client.invalidateQueries({ queryKey: endpointKey(one) })
    }
    const stopAlerts = connection.onAlert((alert) => {
      refresh()
      onAlert?.(alert)
    })
    const stopState = connection.state.subscribe((now, before) => {
      if (now.state === 'live' && before.state !== 'live') refresh()
    })
    return () => {
      stopAlerts()
      stopState()
    }
  }, [connection, client, onAlert])
}

/** Alerts that are not over, newest first, with their numbers. */
export function useOpenAlerts(enabled = true) {
  return useEndpoint(alerts, { query: { state: 'open', limit: 50 } }, { enabled, refetchInterval: EVERY_MS })
}
