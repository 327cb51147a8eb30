import { create } from 'zustand'
import type { UserInfo } from '#contracts/http/accounts.ts'
import { type PermissionItem, routeAllowed } from '#contracts/permissions.ts'

/** Who is signed in here. `sid` is the public label of the session, which the jwt_token cookie names too. */
export type SessionState = {
  sid: string | null
  /** Loaded by the guard at the first navigation; null before and when signed out. */
  user: UserInfo | null
  /** Seconds without input after which the server ends the session. */
  idleSeconds: number
}

const SIGNED_OUT: SessionState = { sid: null, user: null, idleSeconds: 1800 }
export const useSession = create<SessionState>(() => SIGNED_OUT)

/** A local flag keeps the login (LOGIN-03); its storage event informs other tabs. */
const FLAG = 'isLogin'
/** Session storage: the last answers of this tab (src/app/kept-answers.ts). */
export const KEPT_ANSWERS = 'keptAnswers'

export function markSignedIn(sid: string, idleSeconds: number): void {
  localStorage.setItem(FLAG, 'true')
  useSession.setState({ sid, idleSeconds })
}

/** Forgets everything of the account: the flag, the appid cookie, the last answers of this tab, the memory (LOGIN-03). */
export function markSignedOut(): void {
  localStorage.removeItem(FLAG)
  sessionStorage.removeItem(KEPT_ANSWERS)
  // biome-ignore lint/suspicious/noDocumentCookie: cookieStore is missing in browsers that are supported
  document.cookie = 'appid=; path=/; max-age=0; samesite=strict'
  useSession.setState(SIGNED_OUT)
}

/** Whether this browser thinks that somebody is signed in; the server decides. */
export function loginFlag(): boolean {
  return localStorage.getItem(FLAG) === 'true'
}

/** The session that the jwt_token cookie names now: another tab may have signed in as somebody else. */
export function sessionOfCookie(cookie: string = document.cookie): string | null {
  const jwt = /(?:^|;\s*)jwt_token=([^;]+)/.exec(cookie)?.[1]
  const body = jwt?.split('.')[1]
  if (!body) return null
  try {
    const claims: unknown = JSON.parse(atob(body.replace(/-/g, '+').replace(/_/g, '/')))
    return claims && typeof claims === 'object' && 'sid' in claims && typeof claims.sid === 'string' ? claims.sid : null
  } catch {
    return null
  }
}

const NOTHING: readonly string[] = []

/**
 * What the account holds: permission items and session roles. Before sign-in it is always the same empty array: a
 * selector that makes a new array each time causes React error 185 (maximum update depth) at sign-out.
 */
export function useAuthList(): readonly string[] {
  return useSession((state) => state.user?.auth_list) ?? NOTHING
}

/** Whether the account holds this permission item or session role. */
export function useMay(authority: PermissionItem | string): boolean {
  return useSession((state) => state.user?.auth_list.includes(authority) ?? false)
}

/** Whether the account may see this page: its role, and one of its items if it names any. */
export function pageAllowed(
  page: { roles: readonly string[]; items?: readonly string[] | undefined },
  auth: readonly string[],
): boolean {
  if (page.roles.length === 0) return true
  return routeAllowed(page.roles, auth) && (!page.items || page.items.some((item) => auth.includes(item)))
}
