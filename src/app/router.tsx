import { createBrowserRouter, type RouteObject } from 'react-router-dom'
import { PAGE_NAMES, PAGES, type PageName } from '#contracts/pages.ts'
import { RouteError } from '#src/features/start/errors/route-error.tsx'
import { type Load, PAGE_COMPONENTS } from './page-components.ts'
import { ProviderReturn } from './provider-return.tsx'
import { Reload } from './reload.tsx'
import { Root } from './root.tsx'
import { rootLoader } from './root-loader.ts'
import { Splash } from './splash.tsx'

/** Pages that stand alone, signed in or not. */
const ALONE: readonly PageName[] = ['login', 'auth_redirect', 'errorpage', 'not_found', 'redirect']

const lazy = (load: Load) => async () => ({ Component: (await load()).default })
const errorPage = lazy(() => import('#src/features/start/errors/error-page.tsx'))

function routeOf(name: PageName): RouteObject {
  const load = PAGE_COMPONENTS[name] ?? (() => import('#src/features/start/not-built/not-built-page.tsx'))
  return {
    path: PAGES[name].path,
    ErrorBoundary: RouteError,
    lazy: lazy(load),
  }
}

const signedIn = PAGE_NAMES.filter((name) => !ALONE.includes(name))

const ROUTES: RouteObject[] = [
  {
    path: '/',
    loader: rootLoader,
    // The guard judges every navigation, not only those that load something.
    shouldRevalidate: () => true,
    Component: Root,
    HydrateFallback: Splash,
    ErrorBoundary: RouteError,
    children: [
      { index: true, element: null },
      {
        path: PAGES.login.path,
        lazy: lazy(() => import('#src/features/start/login/login-page.tsx')),
      },
      // Until an identity provider is configured, its way back goes on to login.
      { path: PAGES.auth_redirect.path, element: <ProviderReturn /> },
      { path: PAGES.redirect.path, element: <Reload /> },
      {
        path: PAGES.errorpage.path,
        lazy: errorPage,
      },
      {
        path: PAGES.not_found.path,
        lazy: lazy(() => import('#src/features/start/errors/not-found-page.tsx')),
      },
      {
        lazy: lazy(() => import('./signed-in.tsx')),
        ErrorBoundary: RouteError,
        children: [
          ...signedIn.filter((name) => PAGES[name].bare).map(routeOf),
          {
            lazy: lazy(() => import('./shell/shell.tsx')),
            ErrorBoundary: RouteError,
            children: signedIn.filter((name) => !PAGES[name].bare).map(routeOf),
          },
        ],
      },
      {
        path: '*',
        lazy: errorPage,
      },
    ],
  },
]

/** Starts the first navigation. Call it after takeDisplayToken(): the guard asks whether the tab is a wall. */
export function makeRouter() {
  return createBrowserRouter(ROUTES)
}
