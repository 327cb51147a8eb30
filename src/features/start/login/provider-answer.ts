import { useState } from 'react'
import { useLocation } from 'react-router-dom'

/** What the router's page of the return address hands over (src/app/provider-return.tsx). */
type Handed = { providerAnswer?: unknown } | null

/** The query that the provider sent the browser back with; null where it did not. Known once: a reload does not send it again. */
export function useProviderAnswer(): string | null {
  const { state } = useLocation()
  const [answer] = useState(() => {
    const given = (state as Handed)?.providerAnswer
    if (typeof given !== 'string' || given === '') return null
    history.replaceState({ ...history.state, usr: null }, '')
    return given
  })
  return answer
}
