import { useCallback, useEffect, useRef } from 'react'
import { type NavigateOptions, useNavigate } from 'react-router-dom'

/** Opens the page that follows a change the server takes a while for. A reader who has left meanwhile stays where he is. */
export function useNextPage(): (path: string, options?: NavigateOptions) => void {
  const navigate = useNavigate()
  const shown = useRef(false)
  useEffect(() => {
    shown.current = true
    return () => {
      shown.current = false
    }
  }, [])
  return useCallback(
    (path, options) => {
      if (shown.current) void navigate(path, options)
    },
    [navigate],
  )
}
