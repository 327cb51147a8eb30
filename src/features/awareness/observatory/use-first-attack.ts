import { useEffect, useRef, useState } from 'react'
import type { EventRow } from '#domain/query.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'

const SHOWN_MS = 6000

/** The first attack that arrives on a wall which knew of none, for six seconds: the moment an installation waits for. */
export function useFirstAttack({ totals, mode, counters, feed }: WallView): EventRow | null {
  const wasEmpty = useRef(false)
  const [first, setFirst] = useState<EventRow | null>(null)
  const newest = feed[0]
  const isLive = mode === 'live' && totals.kind === 'whole'
  const isEmpty = isLive && counters.attacksToday === 0 && !newest
  useEffect(() => {
    if (isEmpty) wasEmpty.current = true
    else if (isLive && wasEmpty.current && newest) {
      wasEmpty.current = false
      setFirst(newest)
    }
  }, [isEmpty, isLive, newest])
  useEffect(() => {
    if (!first) return
    const timer = setTimeout(() => setFirst(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [first])
  return first
}
