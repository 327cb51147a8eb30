import { Undo2 } from 'lucide-react'
import { beginRollback, showUpdates, type UpdatesAnswer } from '#contracts/http/updates.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Chip } from '#src/shared/ui/chip.tsx'
import { confirm } from '#src/shared/ui/confirm.tsx'
import { Section } from '#src/shared/ui/section.tsx'
import { updatesTexts } from './updates-texts.ts'
import { useShowBegun } from './use-show-begun.ts'

/** Where a rollback leads, and what becomes of what was written since. */
export function ReturnPoint({ data: { return_point: point, active } }: { data: UpdatesAnswer }) {
  const t = useTexts(updatesTexts)
  const zone = usePlatform((state) => state.zone)
  const rollback = useAction(beginRollback, { refreshes: [showUpdates], onSuccess: useShowBegun() })
  if (!point)
    return (
      <Section plain title={t('point')}>
        <p className="px-5 pb-4 text-muted">{t('noPoint')}</p>
      </Section>
    )
  const consequence = point.lossless ? t('kept') : t('aside')
  return (
    <Section plain title={t('point')} actions={point.expired && <Chip tone="warn">{t('expired')}</Chip>}>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1.5 px-5 pb-3">
        <dt className="text-muted">{t('version')}</dt>
        <dd className="tabular-nums">{point.version}</dd>
        <dt className="text-muted">{t('until')}</dt>
        <dd className="tabular-nums">{formatDateTime(point.expires_at, zone, 'day')}</dd>
        <dt className="text-muted">{t('data')}</dt>
        <dd>{consequence}</dd>
      </dl>
      <div className="px-5 pb-4">
        <Button
          icon={Undo2}
          isDisabled={active !== null || point.expired || rollback.isPending}
          onPress={async () => {
            const { version } = point
            const question = { title: t('returnTitle', { version }), text: consequence, danger: true }
            if (await confirm(question)) rollback.mutate({ body: { id: point.id } })
          }}
        >
          {t('return', { version: point.version })}
        </Button>
      </div>
    </Section>
  )
}
