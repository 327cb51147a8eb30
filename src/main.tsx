import './shared/theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { takeDisplayToken, useWall } from './shared/session/display-token.ts'
import { catchUncaughtErrors } from './shared/session/error-log.ts'
import { applyAppearance } from './shared/theme/appearance.ts'
import { loadFonts } from './shared/theme/load-fonts.ts'
import { toast } from './shared/ui/toast.ts'

catchUncaughtErrors()
takeDisplayToken()
applyAppearance()

// The router starts its first navigation when it is loaded: after the tab knows whether it is a wall.
const [{ router }, { configureApi }, { followOtherTabs }, { reloadKeepingNotices }] = await Promise.all([
  import('./app/router.tsx'),
  import('./shared/api/configure.ts'),
  import('./app/root-loader.ts'),
  import('./app/notices-across-reload.ts'),
  loadFonts(document.documentElement.lang),
])

configureApi({
  notify: (message, options) => void toast.error(message, options),
  navigate: (path) => void router.navigate(path),
  onSignedOut: reloadKeepingNotices,
  onWallRevoked: () => useWall.setState({ revoked: true }),
})
followOtherTabs()

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
