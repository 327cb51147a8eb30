import type { SearchHit } from '#contracts/http/search.ts'
import { useSession } from '#src/shared/session/session-store.ts'

/** The last hits that this account opened in this tab: they name devices and people, so nothing of them outlives the tab. */
const MOST = 6
const keyOf = () => `recent-hits:${useSession.getState().user?.username ?? ''}`

export function recentHits(): SearchHit[] {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(keyOf()) ?? '[]')
    return Array.isArray(stored) ? (stored as SearchHit[]) : []
  } catch {
    return [] // somebody else wrote there
  }
}

export function rememberHit(hit: SearchHit): void {
  const others = recentHits().filter(({ kind, id }) => kind !== hit.kind || id !== hit.id)
  sessionStorage.setItem(keyOf(), JSON.stringify([hit, ...others].slice(0, MOST)))
}
