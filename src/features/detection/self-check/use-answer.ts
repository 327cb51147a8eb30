import { useQueryClient } from '@tanstack/react-query'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  answerSelfCheck,
  type SelfCheckClause,
  selfCheck,
  selfCheckHistory,
  selfChecks,
} from '#contracts/http/self-check/checks.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { endpointKey } from '#src/shared/api/use-endpoint.ts'

type Value = 'yes' | 'no' | 'na' | null

/** Answers one question; the clause in the list is replaced by the server's answer, the list is not loaded again. */
export function useAnswer(appid: string, clause: SelfCheckClause) {
  const client = useQueryClient()
  const action = useAction(answerSelfCheck, { refreshes: [selfCheckHistory, selfChecks] })
  return {
    isPending: action.isPending,
    answer: (value: Value, note: string, then?: () => void) =>
      action.mutate(
        { body: { appid, item: clause.id, value, note, rev: clause.answer?.rev ?? 0 } },
        {
          onSuccess: ({ data, counts }) => {
            client.setQueryData<ResponseOf<typeof selfCheck>>(
              endpointKey(selfCheck, { query: { appid } }),
              (before) =>
                before && { ...before, counts, data: before.data.map((one) => (one.id === data.id ? data : one)) },
            )
            then?.()
          },
          // Another user answered in between: show the current answer.
          onError: () => void client.invalidateQueries({ queryKey: endpointKey(selfCheck) }),
        },
      ),
  }
}
