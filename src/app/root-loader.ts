import { type LoaderFunctionArgs, redirect } from 'react-router-dom'
import { userGroup } from '#contracts/http/accounts.ts'
import { loadApplications } from '#src/shared/account/load-applications.ts'
import { call } from '#src/shared/api/call.ts'
import { bootSession, loadPlatform, signOut } from '#src/shared/api/session.ts'
import { currentLanguage, defineTexts, setLanguage, translate } from '#src/shared/i18n/texts.ts'
import { setCurrentApplication, useApplications } from '#src/shared/session/application-store.ts'
import { displayToken } from '#src/shared/session/display-token.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { loginFlag, markSignedOut, sessionOfCookie, useSession } from '#src/shared/session/session-store.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { decideNavigation } from './guard.ts'
import { reloadKeepingNotices } from './notices-across-reload.ts'

const texts = defineTexts('guard', {
  noRoute: { zh: '没有匹配的路由', en: 'No matching route' },
  other: {
    zh: '此浏览器中已登录另一个账号，页面已切换',
    en: 'Another account signed in in this browser; this page now follows it',
  },
  unreachable: { zh: '无法读取登录信息，请重新登录', en: 'The sign-in could not be read, please log in again' },
})

/** The loader of the root route: runs before every navigation and either lets it pass or leads elsewhere (guard.ts decides). */
export async function rootLoader({ request }: LoaderFunctionArgs): Promise<null> {
  const { pathname, search, searchParams } = new URL(request.url)
  const wall = displayToken() !== null
  await Promise.all([ensurePlatformLoaded(), wall ? undefined : ensureUserLoaded()])
  const { user } = useSession.getState()
  const decision = decideNavigation(pathname, pathname + search, {
    auth: user?.auth_list ?? null,
    mustPrepare: user ? user.must_change_password || user.must_enrol : false,
    wall,
  })
  if (decision.kind === 'leave') {
    toast.error(translate(texts, 'noRoute'))
    await signOut()
    await new Promise(() => undefined)
  }
  if (decision.kind === 'go') {
    if (decision.message) toast.error(translate(texts, 'noRoute'))
    throw redirect(decision.to)
  }
  if (user && !user.must_change_password && !user.must_enrol) await knowApplications(searchParams.get('appid'))
  return null
}

/** Product, zone and language variant, once a page. If the server does not answer, the calls that follow report it. */
async function ensurePlatformLoaded(): Promise<void> {
  if (usePlatform.getState().version) return
  const info = await loadPlatform().catch(() => undefined)
  const forced = info?.data.forced_language
  if (!forced) return
  const isOther = currentLanguage() !== forced
  await setLanguage(forced)
  // The product has a name in each language.
  if (isOther) await loadPlatform().catch(() => undefined)
}

/** First whether another session took over in this browser, then who is signed in, with the user info if it is missing. */
async function ensureUserLoaded(): Promise<void> {
  const { sid, user } = useSession.getState()
  const cookie = sessionOfCookie()
  if (sid && cookie !== sid) {
    if (cookie) toast.warn(translate(texts, 'other'))
    else markSignedOut()
    reloadKeepingNotices()
    // The page is going away: nothing that is decided here may still show.
    await new Promise(() => undefined)
  }
  if (sid && user) return
  if (!loginFlag() && !cookie) return
  try {
    const answer = await bootSession()
    if (answer && !useSession.getState().user) {
      const { data } = await call(userGroup, {}, { quiet: true })
      useSession.setState({ user: data })
    }
  } catch {
    toast.error(translate(texts, 'unreachable'))
    markSignedOut()
  }
}

/** The list once a page; `?appid=` becomes current where the account may see it (decision 11). */
async function knowApplications(asked: string | null): Promise<void> {
  if (useApplications.getState().list === null) {
    await loadApplications().catch(() => undefined)
  }
  const { list, current } = useApplications.getState()
  if (asked && asked !== current && list?.some((one) => one.id === asked)) setCurrentApplication(asked)
}

/** Another tab signed in, or out: this one follows at once, without waiting for its next navigation. */
export function followOtherTabs(): void {
  const follow = () => {
    const { sid } = useSession.getState()
    const cookie = sessionOfCookie()
    if (displayToken() || cookie === sid) return
    if (sid && cookie) toast.warn(translate(texts, 'other'))
    if (sid || cookie) reloadKeepingNotices()
  }
  addEventListener('storage', (event) => {
    if (event.key === 'isLogin' || event.key === null) follow()
  })
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) follow()
  })
}

/** `Title - product`, as the page's title. */
export function pageTitle(title: string): string {
  return `${title} - ${usePlatform.getState().tag}`
}
