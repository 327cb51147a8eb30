import { lazy, Suspense, useEffect, useRef } from 'react'
import { Outlet, useLocation, useNavigation } from 'react-router-dom'
import { PAGES, pageOf } from '#contracts/pages.ts'
import { Toaster } from '#src/app/toaster.tsx'
import { loadPlatform } from '#src/shared/api/session.ts'
import { useLanguage } from '#src/shared/i18n/texts.ts'
import { useWall } from '#src/shared/session/display-token.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useSubjects } from '#src/shared/ui/page-subject.ts'
import { restoreNotices } from './notices-across-reload.ts'
import { pageTitle } from './root-loader.ts'

const RevokedPage = lazy(() => import('#src/features/start/errors/revoked-page.tsx'))

/** Around everything: notices, the page's title, a thin line while the next page loads. */
export function Root() {
  const { pathname } = useLocation()
  const language = useLanguage()
  const tag = usePlatform((state) => state.tag)
  const revoked = useWall((state) => state.revoked)
  const subject = useSubjects((subjects) => subjects[pathname] ?? '')
  const loading = useNavigation().state === 'loading'
  // biome-ignore lint/correctness/useExhaustiveDependencies: the tag is part of the title
  useEffect(() => {
    document.title = pageTitle(`${PAGES[pageOf(pathname) ?? 'not_found'][language]} ${subject}`.trim())
  }, [pathname, subject, language, tag])
  useEffect(restoreNotices, [])
  const named = useRef(language)
  useEffect(() => {
    if (named.current === language) return
    named.current = language
    // The product has a name in each language.
    void loadPlatform().catch(() => undefined)
  }, [language])
  return (
    <>
      {loading && (
        <span aria-hidden className="late fixed inset-x-0 top-0 z-50 h-0.5 overflow-hidden">
          <span className="refreshing block h-full w-2/5 bg-brand" />
        </span>
      )}
      {revoked ? (
        <Suspense>
          <RevokedPage />
        </Suspense>
      ) : (
        <Outlet />
      )}
      <Toaster />
    </>
  )
}
