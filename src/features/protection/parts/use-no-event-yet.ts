import { useMemo, useState } from 'react'
import { statistics } from '#contracts/http/statistics.ts'
import { absoluteRange, MAX_RANGE_MS } from '#domain/time-range.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useCurrentApplication } from '#src/shared/session/application-store.ts'
import { useMay } from '#src/shared/session/session-store.ts'

/**
 * The id of the current application while it has no event at all, and the function that leaves its steps for the page; null where it
 * has one. `seemsEmpty`: the page found nothing in its own range, so that it is worth asking. Once they are shown the steps stay until
 * they are left, so that the first event does not take them away while somebody reads what came.
 */
export function useNoEventYet(seemsEmpty: boolean): { appid: string; leave: () => void } | null {
  const id = useCurrentApplication()?.id
  const mayRead = useMay('events.read')
  const [left, setLeft] = useState<string | null>(null)
  const [shown, setShown] = useState<string | null>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new application is asked about as of now
  const range = useMemo(() => {
    const now = Date.now()
    return absoluteRange({ from: now - MAX_RANGE_MS, to: now })
  }, [id])
  const asks = id !== undefined && mayRead && seemsEmpty && left !== id
  const answer = useEndpoint(
    statistics,
    {
      body: {
        query: { range, timeBasis: 'received', filters: [{ field: 'app', op: 'is', values: [id ?? ''] }] },
        parts: { newest: { kind: 'rows', limit: 1 } },
      },
    },
    { enabled: asks && shown !== id },
  )
  const newest = answer.data?.parts['newest']
  const none = asks && newest?.kind === 'rows' && newest.rows.length === 0
  if (none && shown !== id) setShown(id)
  // Another application was chosen: this one is asked about again when it comes back.
  else if (shown !== null && shown !== id) setShown(null)
  return id !== undefined && shown === id && left !== id ? { appid: id, leave: () => setLeft(id) } : null
}
