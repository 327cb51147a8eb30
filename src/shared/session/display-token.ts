import { create } from 'zustand'

/**
 * A wall screen runs on a display token (decision 9): it comes in the address fragment (`/maps#token=aw_dt_…`), lives in this tab's
 * session storage and goes as Bearer. A tab that holds one reaches its wall only and displaces no session.
 */
const KEY = 'displayToken'
const FRAGMENT = /^#token=(aw_dt_[\w-]{43})$/

/** Whether the server refused this tab's token: the wall then says so instead of the console's 401 and 403 messages. */
export const useWall = create<{ revoked: boolean }>(() => ({ revoked: false }))

/** The token of this tab, or null. */
export function displayToken(): string | null {
  return sessionStorage.getItem(KEY)
}

/** Moves a token from the address into the tab, so that no history entry contains it. Called once, before anything else. */
export function takeDisplayToken(): void {
  const token = FRAGMENT.exec(location.hash)?.[1]
  if (!token) return
  sessionStorage.setItem(KEY, token)
  history.replaceState(history.state, '', location.pathname + location.search)
}

export function forgetDisplayToken(): void {
  sessionStorage.removeItem(KEY)
}

/** The link to hand to a wall. */
export function wallLink(token: string): string {
  return `${location.origin}/maps#token=${token}`
}
