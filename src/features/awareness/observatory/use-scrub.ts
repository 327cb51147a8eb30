import { useCallback, useEffect, useRef, useState } from 'react'
import type { FetchWindow } from './replay/replay-window.ts'
import { createScrub, type Moment, type Scrub } from './replay/scrub.ts'

const NOTHING = { moment: null, isUnreadable: false }

/** The past under the pointer of the time line: what it shows, whether it could not be read, and how it is asked for (null for a display token). */
export function useScrub(
  fetchPart: FetchWindow | null,
  now: () => number,
): {
  moment: Moment | null
  isUnreadable: boolean
  want: ((span: { from: number; to: number } | null) => void) | null
} {
  const [{ moment, isUnreadable }, setShown] = useState<{ moment: Moment | null; isUnreadable: boolean }>(NOTHING)
  const scrub = useRef<Scrub | null>(null)
  useEffect(() => {
    if (!fetchPart) return
    const one = createScrub(fetchPart, now, (moment, isUnreadable) => setShown({ moment, isUnreadable }))
    scrub.current = one
    return () => {
      one.close()
      scrub.current = null
      setShown(NOTHING)
    }
  }, [fetchPart, now])
  const want = useCallback((span: { from: number; to: number } | null) => scrub.current?.want(span), [])
  return { moment, isUnreadable, want: fetchPart ? want : null }
}
