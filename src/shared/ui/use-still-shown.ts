import { useCallback, useEffect, useRef } from 'react'

/** Asked when work ends that takes a while: whether its page is still shown. A reader who has left meanwhile is not brought back. */
export function useStillShown(): () => boolean {
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return useCallback(() => shown.current, [])
}
