import { useCallback, useEffect, useState } from 'react'
import { type Geo, loadGeo } from '../../../shared/map/geo-data.ts'
import { loadPlaces, type Places } from '../../../shared/map/places.ts'

/** The offline map data; `failed` until a retry succeeds. The rest of the wall does not wait for it. */
export function useGeo(): { geo: Geo | null; places: Places | null; failed: boolean; retry: () => void } {
  const [data, setData] = useState<{ geo: Geo; places: Places } | null>(null)
  const [failed, setFailed] = useState(false)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads again
  useEffect(() => {
    let current = true
    setFailed(false)
    Promise.all([loadGeo(), loadPlaces()]).then(
      ([geo, places]) => current && setData({ geo, places }),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [attempt])
  const retry = useCallback(() => setAttempt((before) => before + 1), [])
  return { geo: data?.geo ?? null, places: data?.places ?? null, failed, retry }
}
