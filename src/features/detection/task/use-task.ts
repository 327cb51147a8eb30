import { type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query'
import { detectionTask } from '#contracts/http/detection/tasks.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { isActive } from '#src/features/detection/parts/task-state.tsx'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { call } from '#src/shared/api/call.ts'

export type TaskAnswer = ResponseOf<typeof detectionTask>
const POLL_MS = 1000

/** A task and its log, asked every second while it runs: only the new lines travel. A retry starts a new log. */
export function useTask(id: string): UseQueryResult<TaskAnswer, ApiError> {
  const client = useQueryClient()
  return useQuery<TaskAnswer, ApiError>({
    queryKey: [detectionTask.path, id],
    queryFn: async ({ queryKey, signal }) => {
      const before = client.getQueryData<TaskAnswer>(queryKey)
      const ask = (after: number) => call(detectionTask, { query: { id, after }, signal }, { quiet: true })
      if (!before) return ask(0)
      const next = await ask(before.log_length)
      // Ended and running again: a retry.
      if (!isActive(before.data.state) && isActive(next.data.state)) return ask(0)
      return { ...next, log: [...before.log, ...next.log] }
    },
    refetchInterval: ({ state }) => (state.data && isActive(state.data.data.state) ? POLL_MS : false),
  })
}
