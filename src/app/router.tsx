import { createBrowserRouter, type RouteObject } from 'react-router-dom'
import { PAGE_NAMES, PAGES, type PageName } from '#contracts/pages.ts'
import { RouteError } from '#src/features/start/errors/route-error.tsx'
import { PAGE_COMPONENTS } from './page-components.ts'
import { ProviderReturn } from './provider-return.tsx'
import { Reload } from './reload.tsx'
import { Root } from './root.tsx'
import { rootLoader } from './root-loader.ts'
import { Splash } from './splash.tsx'

/** Pages that stand alone, signed in or not. */
const ALONE: readonly PageName[] = ['login', 'auth_redirect', 'errorpage', 'not_found', 'redirect']

function routeOf(name: PageName): RouteObject {
  const load = PAGE_COMPONENTS[name] ?? (() => import('#src/features/start/not-built/not-built-page.tsx'))
  return {
    path: PAGES[name].path,
    ErrorBoundary: RouteError,
    lazy: async () => ({ Component: (await load()).default }),
  }
}

const signedIn = PAGE_NAMES.filter((name) => !ALONE.includes(name))

export const router = createBrowserRouter([
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
        lazy: async () => ({ Component: (await import('#src/features/start/login/login-page.tsx')).default }),
      },
      // Until an identity provider is configured, its way back goes on to login.
      { path: PAGES.auth_redirect.path, element: <ProviderReturn /> },
      { path: PAGES.redirect.path, element: <Reload /> },
      {
        path: PAGES.errorpage.path,
        lazy: async () => ({ Component: (await import('#src/features/start/errors/error-page.tsx')).default }),
      },
      {
        path: PAGES.not_found.path,
        lazy: async () => ({ Component: (await import('#src/features/start/errors/not-found-page.tsx')).default }),
      },
      {
        lazy: async () => ({ Component: (await import('./signed-in.tsx')).default }),
        ErrorBoundary: RouteError,
        children: [
          ...signedIn.filter((name) => PAGES[name].bare).map(routeOf),
          {
            lazy: async () => ({ Component: (await import('./shell/shell.tsx')).default }),
            ErrorBoundary: RouteError,
            children: signedIn.filter((name) => !PAGES[name].bare).map(routeOf),
          },
        ],
      },
      {
        path: '*',
        lazy: async () => ({ Component: (await import('#src/features/start/errors/error-page.tsx')).default }),
      },
    ],
  },
])
