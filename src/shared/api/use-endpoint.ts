import { type UseQueryOptions, type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { Endpoint, ResponseOf } from '#contracts/http/endpoint.ts'
import type { ApiError } from './api-error.ts'
import { type CallOptions, call } from './call.ts'
import type { CallInput } from './exchange.ts'

export type EndpointOptions<E extends Endpoint> = CallOptions &
  Omit<UseQueryOptions<ResponseOf<E>, ApiError>, 'queryKey' | 'queryFn'>

/** The key of an endpoint's answer in the query cache; without input: of all its answers, for invalidation. */
export function endpointKey<E extends Endpoint>(endpoint: E, input?: Omit<CallInput<E>, 'signal'>): unknown[] {
  return input ? [endpoint.path, input.query ?? null, input.body ?? null] : [endpoint.path]
}

/** An endpoint's answer, kept and refreshed by TanStack Query. Refusals are shown by the component: quiet by default. */
export function useEndpoint<E extends Endpoint>(
  endpoint: E,
  input: Omit<CallInput<E>, 'signal'> = {},
  { quiet = true, ...options }: EndpointOptions<E> = {},
): UseQueryResult<ResponseOf<E>, ApiError> {
  return useQuery<ResponseOf<E>, ApiError>({
    ...options,
    queryKey: endpointKey(endpoint, input),
    queryFn: ({ signal }) => call(endpoint, { ...input, signal } as CallInput<E>, { quiet }),
  })
}
