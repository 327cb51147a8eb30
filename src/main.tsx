import './shared/api/zod-config.ts'
import './shared/theme/base.css'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { RouterProvider } from 'react-router-dom'
import { reloadKeepingNotices } from './app/notices-across-reload.ts'
import { followOtherTabs } from './app/root-loader.ts'
import { makeRouter } from './app/router.tsx'
import { configureApi } from './shared/api/configure.ts'
import { takeDisplayToken, useWall } from './shared/session/display-token.ts'
import { catchUncaughtErrors } from './shared/session/error-log.ts'
import { applyAppearance } from './shared/theme/appearance.ts'
import { loadFonts } from './shared/theme/load-fonts.ts'
import { toast } from './shared/ui/toast.ts'

catchUncaughtErrors()
takeDisplayToken()
applyAppearance()
// This starts the first navigation: its requests run while the fonts load.
const router = makeRouter()
configureApi({
  notify: (message, options) => void toast.error(message, options),
  navigate: (path) => void router.navigate(path),
  onSignedOut: reloadKeepingNotices,
  onWallRevoked: () => useWall.setState({ revoked: true }),
})
followOtherTabs()
await loadFonts(document.documentElement.lang)

createRoot(document.getElementById('root') as HTMLElement).render(
  <StrictMode>
    <RouterProvider router={router} />
  </StrictMode>,
)
