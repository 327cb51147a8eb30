import { useEffect, useMemo, useState, useSyncExternalStore } from 'react'
import { useStore } from 'zustand'
import type { Filter } from '#domain/query.ts'
import type { ConnectionState } from './connection-store.ts'
import type { TotalsMemory } from './known-totals.ts'
import type { LiveConnection } from './live-connection.ts'
import { createStreamFeed, type StreamFeed, type StreamView } from './stream-feed.ts'
import { createWallFeed } from './wall-feed.ts'
import type { WallSource, WallView } from './wall-view.ts'

/** React's side of the live library: everything else in this folder knows nothing of React. */

/** A part of the connection's state, such as `(c) => c.state`. */
export function useConnection<T>(connection: LiveConnection, select: (state: ConnectionState) => T): T {
  return useStore(connection.state, select)
}

/** The current view of a wall source, live or replay; changes at most twice a second. */
export function useWallView(source: WallSource): WallView {
  return useSyncExternalStore(source.subscribe, source.view)
}

/** Opens a source while the component is there: a replay, for instance. */
export function useOpen(source: { open(): void; close(): void }): void {
  useEffect(() => {
    source.open()
    return () => source.close()
  }, [source])
}

/** The live wall of these filters; a change of the filters restarts it, leaving the page ends it. */
export function useWallFeed(connection: LiveConnection, filters: Filter[], zone: string): WallSource {
  const key = JSON.stringify(filters)
  // As long as the page: another account cannot sign in meanwhile.
  const [memory] = useState<TotalsMemory>(() => new Map())
  // biome-ignore lint/correctness/useExhaustiveDependencies: filters are compared by their text
  const feed = useMemo(() => createWallFeed(connection, filters, { zone, memory }), [connection, key, zone, memory])
  useOpen(feed)
  return feed
}

/** The live stream of these filters with its current view. */
export function useStream(connection: LiveConnection, filters: Filter[]): { feed: StreamFeed; view: StreamView } {
  const key = JSON.stringify(filters)
  // biome-ignore lint/correctness/useExhaustiveDependencies: filters are compared by their text
  const feed = useMemo(() => createStreamFeed(connection, filters), [connection, key])
  useOpen(feed)
  return { feed, view: useSyncExternalStore(feed.subscribe, feed.view) }
}
