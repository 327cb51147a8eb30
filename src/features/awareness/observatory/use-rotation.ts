import { useEffect, useState } from 'react'
import { savedViews } from '#contracts/http/saved-views.ts'
import { wallSelf } from '#contracts/http/tokens.ts'
import { useEndpoint } from '../../../shared/api/use-endpoint.ts'

type Item = { id: string; name: string; search: string; seconds: number }
const SHORTEST = 5

/** Scenes that come after the views of a rotation, with their names: the globe, where the graphics can draw it, and devices with pirated copies, where there are any. */
export type Scenes = Partial<Record<'globe' | 'pirated', string>>

const scenesAfter = (items: readonly Item[], scenes: Scenes): Item[] => [
  ...items,
  ...Object.entries(scenes).map(([id, name]) => ({
    ...{ id, name, search: `area=${id}`, seconds: Math.max(20, items[0]?.seconds ?? 0) },
  })),
]

/**
 * Walks a wall through saved views: a display token's own list, or for a signed-in wall all views of the page, each for the `rotate`
 * seconds of the address. With one view or none the wall stays where it is.
 */
export function useRotation({
  token,
  on,
  search,
  go,
  scenes,
}: {
  token: boolean
  on: boolean
  search: URLSearchParams
  scenes: Scenes
  go: (search: URLSearchParams, options: { replace: boolean }) => void
}): { name: string | null } {
  const seconds = Math.max(0, Number(search.get('rotate')) || 0)
  const own = useEndpoint(wallSelf, {}, { enabled: token, refetchInterval: 60_000 })
  const saved = useEndpoint(
    savedViews,
    { query: { page: 'observatory' } },
    { enabled: on && !token && seconds >= SHORTEST },
  )
  const views: readonly Item[] = token
    ? (own.data?.data.views ?? [])
    : (saved.data?.data ?? []).map(({ id, name, search: at }) => ({ id, name, search: at, seconds }))
  const items = views.length > 1 ? scenesAfter(views, scenes) : views
  const [index, setIndex] = useState(0)
  const active = on && items.length > 0 && (token || seconds >= SHORTEST)
  const item = active ? items[index % items.length] : undefined

  // biome-ignore lint/correctness/useExhaustiveDependencies: a view is entered once, when its turn comes
  useEffect(() => {
    if (!item) return
    const params = new URLSearchParams(item.search)
    params.set('wall', '1')
    if (!token) params.set('rotate', String(seconds))
    go(params, { replace: true })
    if (items.length < 2) return
    const timer = setTimeout(() => setIndex((before) => (before + 1) % items.length), item.seconds * 1000)
    return () => clearTimeout(timer)
  }, [item?.id, item?.search, item?.seconds, items.length, token, seconds])
  return { name: item?.name ?? null }
}
