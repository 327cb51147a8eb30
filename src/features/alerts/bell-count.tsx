import { useEffect } from 'react'
import { alerts } from '#contracts/http/alerts.ts'
import { useAlertNews } from '#src/shared/alerts/use-alerts.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { pageConnection } from '#src/shared/live/page-connection.ts'

/** Counted again at least so often: an alert that ended by itself waits for nobody after a day. */
const EVERY_MS = 60_000

/** Tells how many alerts nobody has acknowledged, and again whenever one is raised or changed. Loaded after the shell. */
export default function BellCount({ onCount }: { onCount: (count: number) => void }) {
  useAlertNews(pageConnection())
  const answer = useEndpoint(
    alerts,
    { query: { state: 'unacknowledged', limit: 1 } },
    { quiet: true, refetchInterval: EVERY_MS },
  )
  const count = answer.data?.total
  useEffect(() => {
    if (count !== undefined) onCount(count)
  }, [count, onCount])
  return null
}
