import { type DehydratedState, dehydrate, hydrate, type QueryClient } from '@tanstack/react-query'
import { credentials } from '#src/shared/api/credentials.ts'
import { KEPT_MS } from '#src/shared/query/kept.ts'
import { KEPT_ANSWERS, sessionOfCookie, useSession } from '#src/shared/session/session-store.ts'

/** Characters of JSON; the newest answers come first. Browsers allow 5 million for everything in the storage. */
const ROOM = 1_000_000

/**
 * A page that is loaded again shows its last answers at once, with their age, and refreshes them in place: what queries with `meta: KEPT`
 * answered goes to the session storage of the tab when the page goes away. It is bound to the session, removed at sign-out, and never
 * written where calls are encrypted, since it lies there in plain.
 */
type Kept = { sid: string; queries: DehydratedState['queries'] }

/** Puts the answers of an earlier page of this session into the cache. What is damaged, older, or of another session is removed. */
export function restoreAnswers(client: QueryClient, now: number = Date.now()): void {
  const text = sessionStorage.getItem(KEPT_ANSWERS)
  if (text === null) return
  sessionStorage.removeItem(KEPT_ANSWERS)
  try {
    const { sid, queries } = JSON.parse(text) as Kept
    if (sid !== useSession.getState().sid) return
    const fresh = queries.filter(({ state }) => state.dataUpdatedAt > now - KEPT_MS && state.dataUpdatedAt <= now)
    hydrate(client, { mutations: [], queries: fresh })
  } catch {
    // Another version of this console wrote it: the page asks, as it does without it.
  }
}

/** Writes what restoreAnswers reads. */
export function keepAnswers(client: QueryClient): void {
  sessionStorage.removeItem(KEPT_ANSWERS)
  const who = credentials()
  const { sid } = useSession.getState()
  // Another tab may have signed out, or somebody else in, while this one was open.
  if (sid === null || sessionOfCookie() !== sid || who === null || who.isEncrypt) return
  const { queries } = dehydrate(client, {
    shouldDehydrateQuery: ({ meta, state }) => meta?.['kept'] === true && state.status === 'success',
    shouldDehydrateMutation: () => false,
  })
  const kept: Kept = { sid, queries: [] }
  let room = ROOM
  for (const query of queries.sort((a, b) => b.state.dataUpdatedAt - a.state.dataUpdatedAt)) {
    room -= JSON.stringify(query).length
    if (room < 0) break
    kept.queries.push(query)
  }
  try {
    if (kept.queries.length > 0) sessionStorage.setItem(KEPT_ANSWERS, JSON.stringify(kept))
  } catch {
    // The storage is full: the next page asks.
  }
}

/** Keeps the answers whenever this page goes away, until the page is gone. */
export function keepAnswersOnLeave(client: QueryClient): void {
  addEventListener('pagehide', () => keepAnswers(client))
}
