import { useQueries } from '@tanstack/react-query'
import { type AppFile, fileDetail } from '#contracts/http/assets.ts'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { call } from '#src/shared/api/call.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'

export type ChosenFile = { id: string; file: AppFile | undefined; isMissing: boolean }

/** The chosen files by their ids; those that no list has shown yet (`seen`) are asked for. */
export function useChosenFiles(ids: readonly string[], seen: ReadonlyMap<string, AppFile>): ChosenFile[] {
  const answers = useQueries({
    queries: ids.map((id) => {
      const input = { query: { id } }
      return {
        queryKey: endpointKey(fileDetail, input),
        queryFn: ({ signal }: { signal: AbortSignal }) => call(fileDetail, { ...input, signal }, { quiet: true }),
        enabled: !seen.has(id),
      }
    }),
  })
  return ids.map((id, index) => ({
    id,
    file: seen.get(id) ?? answers[index]?.data?.data,
    isMissing: !seen.has(id) && (answers[index]?.error as ApiError | null | undefined)?.key === 'data.missing',
  }))
}
