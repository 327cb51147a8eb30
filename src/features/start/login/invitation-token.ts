import { useEffect, useState } from 'react'

/** Of `/login#invitation=<token>`: a fragment is sent to no server and is in no log. */
const FRAGMENT = /^#invitation=([\w-]{20,100})$/

export function invitationOf(fragment: string): string | null {
  return FRAGMENT.exec(fragment)?.[1] ?? null
}

/** The token of an invitation link that opened this page, and what removes it from the address. */
export function useInvitation(): [token: string | null, close: () => void] {
  const [token, setToken] = useState(() => invitationOf(location.hash))
  useEffect(() => {
    // The same tab may be given another link.
    const follow = () => setToken(invitationOf(location.hash))
    addEventListener('hashchange', follow)
    return () => removeEventListener('hashchange', follow)
  }, [])
  const close = () => {
    history.replaceState(history.state, '', location.pathname + location.search)
    setToken(null)
  }
  return [token, close]
}
