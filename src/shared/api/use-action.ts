import { type UseMutationOptions, type UseMutationResult, useMutation, useQueryClient } from '@tanstack/react-query'
import type { Endpoint, ResponseOf } from '#contracts/http/endpoint.ts'
import type { ApiError } from './api-error.ts'
import { type CallOptions, call } from './call.ts'
import type { CallInput } from './exchange.ts'
import { endpointKey } from './use-endpoint.ts'

export type ActionInput<E extends Endpoint> = Omit<CallInput<E>, 'signal'>
export type ActionOptions<E extends Endpoint> = CallOptions &
  Omit<UseMutationOptions<ResponseOf<E>, ApiError, ActionInput<E>>, 'mutationFn'> & {
    /** Endpoints whose answers this action changes. */
    refreshes?: readonly Endpoint[]
  }

/**
 * An endpoint that changes something: `mutate({ body })`. Refusals are shown as a message unless quiet. Where another user was faster, all that is
 * shown is asked for again before the refusal is reported: no page has to be loaded again, and what was written stays.
 */
export function useAction<E extends Endpoint>(
  endpoint: E,
  { quiet = false, refreshes = [], ...options }: ActionOptions<E> = {},
): UseMutationResult<ResponseOf<E>, ApiError, ActionInput<E>> {
  const client = useQueryClient()
  return useMutation<ResponseOf<E>, ApiError, ActionInput<E>>({
    ...options,
    mutationFn: async (input) => {
      const answer = await call(endpoint, input, { quiet }).catch(async (error: ApiError) => {
        if (error.key === 'data.conflict') await client.invalidateQueries().catch(() => undefined)
        throw error
      })
      await Promise.all(refreshes.map((one) => client.invalidateQueries({ queryKey: endpointKey(one) })))
      return answer
    },
  })
}
