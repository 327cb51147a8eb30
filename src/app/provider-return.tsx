import { Navigate, useLocation } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'

/**
 * Where an identity provider sends the browser back to (decision 10). What it brings is handed to the login page beside the address, so that it
 * stays in no history entry and no log.
 */
export function ProviderReturn() {
  const { search } = useLocation()
  return <Navigate to={PAGES.login.path} replace state={{ providerAnswer: search.slice(1) }} />
}
