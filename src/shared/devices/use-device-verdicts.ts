import { useMemo } from 'react'
import { verdictsOf } from '#contracts/http/devices.ts'
import type { DeviceVerdict } from '#domain/device-score.ts'
import { useEndpoint } from '../api/use-endpoint.ts'

/** The current verdict of each of these devices, in any application; empty until loaded. */
export function useDeviceVerdicts(devices: readonly string[]): ReadonlyMap<string, DeviceVerdict> {
  const asked = [...new Set(devices)]
    .filter((one) => /^[0-9a-f]{32}$/.test(one))
    .sort()
    .slice(0, 200)
  const { data } = useEndpoint(
    verdictsOf,
    { body: { devices: asked } },
    { enabled: asked.length > 0, staleTime: 15_000 },
  )
  // They come newest first; with several applications the list shows the newest verdict.
  return useMemo(() => new Map(data?.data.toReversed().map(({ device, verdict }) => [device, verdict])), [data])
}
