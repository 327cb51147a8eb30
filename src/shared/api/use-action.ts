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

/** An endpoint that changes something: `mutate({ body })`. Refusals are shown as a message unless quiet. */
export function useAction<E extends Endpoint>(
  endpoint: E,
  { quiet = false, refreshes = [], ...options }: ActionOptions<E> = {},
): UseMutationResult<ResponseOf<E>, ApiError, ActionInput<E>> {
  const client = useQueryClient()
  return useMutation<ResponseOf<E>, ApiError, ActionInput<E>>({
    ...options,
    mutationFn: async (input) => {
      const answer = await call(endpoint, input, { quiet })
      await Promise.all(refreshes.map((one) => client.invalidateQueries({ queryKey: endpointKey(one) })))
      return answer
    },
  })
}
