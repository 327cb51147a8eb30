import { useMemo } from 'react'
import { resultItems } from '#contracts/http/detection/result.ts'
import type { ApiError } from '#src/shared/api/api-error.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { type ItemChange, type ReportItem, reportItem } from './report-items.ts'
import type { PartProps } from './report-part.ts'

/** All items of a rule pack fit one answer. */
const MOST = 500
const NO_ITEMS: readonly ReportItem[] = []

/** The items of a report with what the comparison and the score say of each; `find` is searched for by the server, in the evidence too. */
export function useReportItems(
  { answer, summary, comparison }: Pick<PartProps, 'answer' | 'summary' | 'comparison'>,
  find = '',
): { items: readonly ReportItem[]; isLoading: boolean; isStale: boolean; error: ApiError | null; retry: () => void } {
  const result = useEndpoint(
    resultItems,
    { query: { id: answer.data.id, limit: MOST, search: find } },
    { placeholderData: (before) => before },
  )
  const lines = result.data?.data
  const items = useMemo(() => {
    const changes = new Map<string, ItemChange>(
      comparison?.items.flatMap(({ id, change }) =>
        change === 'new' || change === 'changed' || change === 'unchanged' ? [[id, change] as const] : [],
      ),
    )
    const points = new Map(summary.score.deductions.map((one) => [one.item, one.points]))
    return lines?.map((line) => reportItem(line, changes, points)) ?? NO_ITEMS
  }, [lines, comparison, summary])
  return {
    items,
    isLoading: !result.data && !result.error,
    isStale: result.isPlaceholderData,
    error: result.error,
    retry: () => void result.refetch(),
  }
}
