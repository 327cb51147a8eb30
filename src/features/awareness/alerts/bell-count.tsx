import { useEffect } from 'react'
import { alerts } from '#contracts/http/alerts.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'

/** As often as the work beside it. A live connection in every tab would cost each sign-in 15 kB of script (decision 37). */
const EVERY_MS = 20_000

/** The number of unacknowledged alerts, refreshed three times a minute. Loaded after the shell. */
export default function BellCount({ onCount }: { onCount: (count: number) => void }) {
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
