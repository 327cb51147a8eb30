import { useSyncExternalStore } from 'react'

/** Below this body width the layout counts as mobile (SHELL-08). */
const MOBILE_BELOW = 1024

const query = matchMedia(`(width < ${MOBILE_BELOW}px)`)

function subscribe(listener: () => void): () => void {
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

export function useMobile(): boolean {
  return useSyncExternalStore(subscribe, () => query.matches)
}
