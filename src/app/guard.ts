import { PAGES, type PageName, pageOf } from '#contracts/pages.ts'
import { NO_EMPOWER } from '#contracts/permissions.ts'
import { pageAllowed } from '#src/shared/session/session-store.ts'
import { isParent, redirectOf } from './menu.ts'

/** What the guard decides about one navigation (GUARD-01 to GUARD-08; decisions 9 to 11). Pure. */
export type NavigationDecision =
  | { kind: 'stay'; page: PageName }
  /** `message`: 'No matching route' is shown. */
  | { kind: 'go'; to: string; message?: true }
  /** Message, sign-out, login page: an account that may see nothing. */
  | { kind: 'leave' }

export type Traveller = {
  /** null: signed out. */
  auth: readonly string[] | null
  /** Must change the first password or set up a second factor: the login page asks for it, nothing else is reachable. */
  mustPrepare?: boolean
  /** This tab holds a display token: it reaches its wall and nothing else. */
  wall?: boolean
}

const PUBLIC: readonly PageName[] = ['login', 'auth_redirect']

/** `path` without search; `target` with search, to come back to after signing in. */
export function decideNavigation(
  path: string,
  target: string,
  { auth, mustPrepare = false, wall = false }: Traveller,
): NavigationDecision {
  const page = pageOf(path)
  if (wall) return page === 'observatory' ? { kind: 'stay', page } : { kind: 'go', to: PAGES.observatory.path }
  if (!auth) {
    if (page && PUBLIC.includes(page)) return { kind: 'stay', page }
    return { kind: 'go', to: loginFor(path, target) }
  }
  if (mustPrepare) return page === 'login' ? { kind: 'stay', page } : { kind: 'go', to: loginFor(path, target) }
  if (auth.length === 0) return { kind: 'leave' }
  if (page === 'login' || page === 'auth_redirect') return { kind: 'go', to: '/' }
  if (page) {
    if (pageAllowed(PAGES[page], auth)) return { kind: 'stay', page }
    return { kind: 'go', to: PAGES.login.path, message: true }
  }
  const child = redirectOf(path, auth)
  if (child) return { kind: 'go', to: child }
  if (isParent(path)) return { kind: 'go', to: PAGES.login.path, message: true }
  return { kind: 'go', to: PAGES.not_found.path }
}

/** The login page, which opens `target` afterwards. */
function loginFor(path: string, target: string): string {
  const next = path === '/' || path === '/404' || path === '/errorpage' ? '' : `?next=${encodeURIComponent(target)}`
  return PAGES.login.path + next
}

/** Whether creating things is allowed: the platform licence holds, and so does the account's authorisation. */
export function isEmpowered(auth: readonly string[]): boolean {
  return !auth.includes(NO_EMPOWER)
}

/** Where to go after signing in: a path of this origin, never another site. */
export function safeNext(next: string | null): string {
  return next && /^\/(?![/\\])/.test(next) ? next : '/'
}
