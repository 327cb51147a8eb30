import { create } from 'zustand'
import type { Application } from '#contracts/http/applications.ts'

/**
 * The applications that the account may see and the current one (STORE-01: `appid` in local storage and as a cookie), or 'all',
 * which takes the application filter away and nothing else.
 */
export type CurrentApplication = 'all' | (string & {})
type State = {
  /** null until loaded. */
  list: readonly Application[] | null
  current: CurrentApplication
}

const KEY = 'appid'

export const useApplications = create<State>(() => ({ list: null, current: localStorage.getItem(KEY) ?? 'all' }))

/** Takes a fresh list. A current application that is gone gives way to 'all', or to the only one there is. */
export function setApplicationList(list: readonly Application[]): void {
  const saved = localStorage.getItem(KEY)
  const known = saved !== null && (saved === 'all' || list.some((one) => one.id === saved))
  const only = list.length === 1 ? (list[0] as Application).id : 'all'
  useApplications.setState({ list })
  setCurrentApplication(known ? saved : only, known)
}

/** Makes it current: store, local storage and cookie. `keep` false forgets the stored choice (nothing left to be current). */
export function setCurrentApplication(current: CurrentApplication, keep = true): void {
  const id = current === 'all' ? '' : current
  if (keep) localStorage.setItem(KEY, current)
  else localStorage.removeItem(KEY)
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing in browsers that are supported
  document.cookie = `appid=${id}; path=/; samesite=strict${id ? '' : '; max-age=0'}`
  useApplications.setState({ current })
}

/** The current application's record, or null for 'all' and while the list loads. */
export function useCurrentApplication(): Application | null {
  return useApplications(({ list, current }) => list?.find((one) => one.id === current) ?? null)
}
