import { useCallback, useEffect, useRef, useState } from 'react'
import type { FetchWindow } from './replay/replay-window.ts'
import { createScrub, type Moment, type Scrub } from './replay/scrub.ts'

/** The past under the pointer of the time line: what it shows, and how it is asked for; null where nothing can be read. */
export function useScrub(
  fetchPart: FetchWindow | null,
  now: () => number,
): { moment: Moment | null; want: ((span: { from: number; to: number } | null) => void) | null } {
  const [moment, setMoment] = useState<Moment | null>(null)
  const scrub = useRef<Scrub | null>(null)
  useEffect(() => {
    if (!fetchPart) return
    const one = createScrub(fetchPart, now, setMoment)
    scrub.current = one
    return () => {
      one.close()
      scrub.current = null
      setMoment(null)
    }
  }, [fetchPart, now])
  const want = useCallback((span: { from: number; to: number } | null) => scrub.current?.want(span), [])
  return { moment, want: fetchPart ? want : null }
}
