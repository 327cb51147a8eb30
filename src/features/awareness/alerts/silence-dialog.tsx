import { useState } from 'react'
import { alertRules, silenceAlertRule } from '#contracts/http/alerts.ts'
import type { Dimension } from '#domain/query.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { alertTexts } from './alert-texts.ts'

const HOURS = { hour: 1, day: 24, week: 168 } as const

/** Silences a rule, or one value of it, for a while. */
export function SilenceDialog({
  rule,
  by = null,
  value = '',
  onClose,
}: {
  rule: { id: string; name: string }
  by?: Dimension | null
  value?: string
  onClose: () => void
}) {
  const t = useTexts(alertTexts)
  const nameOf = useNameOf()
  const [what, setWhat] = useState<'rule' | 'value'>(by ? 'value' : 'rule')
  const [length, setLength] = useState<keyof typeof HOURS>('hour')
  const [note, setNote] = useState('')
  const silence = useAction(silenceAlertRule, {
    refreshes: [alertRules],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  const run = () =>
    silence.mutate({
      body: {
        rule: rule.id,
        key: what === 'value' ? value : null,
        until: Date.now() + HOURS[length] * 3_600_000,
        note,
      },
    })
  return (
    <Dialog
      title={t('silenceTitle', { name: rule.name })}
      isOpen
      onOpenChange={onClose}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={silence.isPending} onPress={run}>
            {t('silence')}
          </Button>
        </>
      }
    >
      <div className="space-y-4">
        <p className="text-muted">{t('silenceText')}</p>
        {by && (
          <SegmentedControl
            label={t('silenceWhat')}
            value={what}
            onChange={setWhat}
            items={[
              { id: 'value', label: t('onlyValue', { value: nameOf(by, value) }) },
              { id: 'rule', label: t('wholeRule') },
            ]}
          />
        )}
        <div>
          <SegmentedControl
            label={t('duration')}
            value={length}
            onChange={setLength}
            items={(Object.keys(HOURS) as (keyof typeof HOURS)[]).map((id) => ({ id, label: t(id) }))}
          />
        </div>
        <TextField label={t('why')} value={note} onChange={setNote} maxLength={200} />
      </div>
    </Dialog>
  )
}
