import { useEffect, useRef, useState } from 'react'
import type { EventRow } from '#domain/query.ts'
import type { WallView } from '../../../shared/live/wall-view.ts'

const SHOWN_MS = 6000

type Watched = Pick<WallView, 'totals' | 'mode' | 'counters' | 'feed'>

/** The first attack that arrives on a wall without attacks, for six seconds. */
export function useFirstAttack(view: WallView): EventRow | null {
  const watch = useRef(createFirstAttackWatch())
  const [first, setFirst] = useState<EventRow | null>(null)
  useEffect(() => {
    const arrived = watch.current(view)
    if (arrived) setFirst(arrived)
  }, [view])
  useEffect(() => {
    if (!first) return
    const timer = setTimeout(() => setFirst(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [first])
  return first
}

/** Takes each view of a wall and returns its first attack, once. A change of the filters starts again: their totals are read first. */
export function createFirstAttackWatch(): (view: Watched) => EventRow | null {
  let wasEmpty = false
  return ({ totals, mode, counters, feed: [newest] }) => {
    if (totals.kind !== 'whole') wasEmpty = false
    if (totals.kind !== 'whole' || mode !== 'live') return null
    if (counters.attacksToday === 0 && !newest) wasEmpty = true
    if (!wasEmpty || !newest) return null
    wasEmpty = false
    return newest
  }
}
