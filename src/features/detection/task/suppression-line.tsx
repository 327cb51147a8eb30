import { approveSuppression, type ItemLine, withdrawSuppression } from '#contracts/http/detection/result.ts'
import { SUPPRESSED_WORD } from '#domain/verdict-words.ts'
import { SUPPRESSION_REFRESHES } from '#src/features/detection/parts/suppression-refreshes.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { defineTexts, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { useMay, useSession } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'

const texts = defineTexts('detection-suppression', {
  pending: { zh: '待批准', en: 'Awaiting approval' },
  active: SUPPRESSED_WORD,
  expired: { zh: '忽略已到期', en: 'Suppression expired' },
  approve: { zh: '批准', en: 'Approve' },
  lift: { zh: '取消忽略', en: 'Lift' },
  by: { zh: '{{user}} 于 {{at}}', en: '{{user}}, {{at}}' },
  until: { zh: '至 {{until}}', en: 'until {{until}}' },
  forever: { zh: '不限期', en: 'without end' },
  approver: { zh: '批准人 {{user}}', en: 'approved by {{user}}' },
})

/** Who suppressed it, why, until when and with whose approval; and the ways to approve or lift it. */
export function SuppressionLine({ suppression }: { suppression: NonNullable<ItemLine['suppression']> }) {
  const t = useTexts(texts)
  const zone = usePlatform((state) => state.zone)
  const me = useSession((state) => state.user?.username)
  const mayApprove = useMay('rule.edit')
  const approve = useAction(approveSuppression, { refreshes: SUPPRESSION_REFRESHES })
  const withdraw = useAction(withdrawSuppression, { refreshes: SUPPRESSION_REFRESHES })
  const { state, by, reason, until, approver, created_at } = suppression
  const mayLift = mayApprove || (state === 'pending' && by === me)
  return (
    <div className="my-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 rounded bg-neutral px-3 py-1.5 text-12">
      <Chip tone={state === 'pending' ? 'warn' : 'neutral'}>{t(state)}</Chip>
      <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
        {reason}
        <span className="block text-muted">
          {[
            t('by', { user: by, at: formatDateTime(created_at, zone, 'day') }),
            until === null ? t('forever') : t('until', { until: formatDateTime(until, zone, 'day') }),
            approver !== null && t('approver', { user: approver }),
          ]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </span>
      {state === 'pending' && mayApprove && (
        <Button
          size="small"
          isDisabled={approve.isPending}
          onPress={() => approve.mutate({ body: { id: suppression.id } })}
        >
          {t('approve')}
        </Button>
      )}
      {mayLift && (
        <Button
          size="small"
          variant="quiet"
          isDisabled={withdraw.isPending}
          onPress={() => withdraw.mutate({ body: { id: suppression.id } })}
        >
          {t('lift')}
        </Button>
      )}
    </div>
  )
}
