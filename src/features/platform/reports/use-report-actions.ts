import {
  cancelReports,
  deleteReports,
  regenerateReport,
  type StoredReport,
  storedReports,
} from '#contracts/http/reports/stored-reports.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { confirmDeletion, deleted } from '#src/shared/ui/deletion.ts'
import { toast } from '#src/shared/ui/toast.ts'
import { reportsTexts } from './reports-texts.ts'

/** What is done with stored reports; `onGone` after they were deleted. */
export function useReportActions(onGone: (ids: readonly string[]) => void) {
  const t = useTexts(reportsTexts)
  const cancel = useAction(cancelReports, {
    refreshes: [storedReports],
    onSuccess: ({ stopped }) => toast.info(t('cancelled', { count: stopped })),
  })
  const again = useAction(regenerateReport, {
    refreshes: [storedReports],
    onSuccess: () => toast.success(t('started')),
  })
  const remove = useAction(deleteReports, {
    refreshes: [storedReports],
    onSuccess: (_answer, { body }) => {
      deleted()
      onGone(body?.ids ?? [])
    },
  })
  const idsOf = (reports: readonly StoredReport[]) => reports.map(({ id }) => id)
  return {
    isBusy: cancel.isPending || again.isPending || remove.isPending,
    cancel: (reports: readonly StoredReport[]) => cancel.mutate({ body: { ids: idsOf(reports) } }),
    again: ({ id }: StoredReport) => again.mutate({ body: { id } }),
    async remove(reports: readonly StoredReport[]) {
      const question = {
        title: t('deleteTitle', { count: reports.length }),
        text: t('deleteText'),
        action: t('delete'),
      }
      if (await confirmDeletion(question)) remove.mutate({ body: { ids: idsOf(reports) } })
    },
  }
}
export type ReportActions = ReturnType<typeof useReportActions>
