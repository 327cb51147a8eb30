import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'

const PREFIX = PAGES.redirect.path.replace('/*', '')

/**
 * `/redirect{fullPath}`: the page is unmounted and mounted again with fresh data. It renders once, so that the old page is really gone,
 * then goes on.
 */
export function Reload({ to }: { to?: string }) {
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const path = to ?? `/${pathname.slice(PREFIX.length).replace(/^[/\\]+/, '')}${search}`
  useEffect(() => {
    void refresh().then(() => navigate(path, { replace: true }))
  }, [navigate, path])
  return null
}

/** Forgets what was read, so that the page asks again. Loaded on demand: the login page has no query cache. */
async function refresh(): Promise<void> {
  const { queryClient } = await import('./query-client.ts')
  await queryClient.resetQueries({ type: 'inactive' })
}
