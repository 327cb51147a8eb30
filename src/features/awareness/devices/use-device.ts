import { keepPreviousData } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'
import { deviceProfile, HashSchema } from '#contracts/http/devices.ts'
import type { Query } from '#domain/query.ts'
import { ALL_TIME } from '#domain/time-range.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { KEPT } from '#src/shared/query/kept.ts'
import { type QueryState, useQueryState } from '#src/shared/query/use-query-state.ts'
import { refreshInterval } from '#src/shared/query/use-statistics.ts'

/** The device that the address names, with the page's query narrowed to it. */
export function useDevice() {
  const { id = '' } = useParams()
  const parsed = HashSchema.safeParse(id)
  const device = parsed.success ? parsed.data : null
  const page = useQueryState({ range: ALL_TIME })
  const query: Query = {
    ...page.query,
    compare: 'none',
    filters: [
      ...page.query.filters.filter(({ field }) => field !== 'device'),
      { field: 'device', op: 'is', values: [device ?? ''] },
    ],
  }
  const state: QueryState = { ...page, query }
  const result = useEndpoint(
    deviceProfile,
    { body: { device: device ?? '', query: page.query } },
    {
      enabled: device !== null,
      placeholderData: keepPreviousData,
      refetchInterval: page.paused ? false : refreshInterval(page.query),
      meta: KEPT,
    },
  )
  return { device, page, state, result }
}
export type DeviceAnswer = NonNullable<ReturnType<typeof useDevice>['result']['data']>
