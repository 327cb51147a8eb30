import { useState } from 'react'
import { type ItemLine, suppress } from '#contracts/http/detection/result.ts'
import type { DetectionTask } from '#contracts/http/detection/tasks.ts'
import { SUPPRESSED_WORD } from '#domain/verdict-words.ts'
import { SUPPRESSION_REFRESHES } from '#src/features/detection/parts/suppression-refreshes.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { defineTexts, useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'

const texts = defineTexts('detection-suppress', {
  title: { zh: '忽略此问题', en: 'Suppress this finding' },
  titleItem: { zh: '忽略整项', en: 'Suppress the whole item' },
  scope: {
    zh: '{{name}}：在 {{package}} 的此版本及以后版本中，这一处不再计分，也不再挡住发布。',
    en: '{{name}}: in this and later versions of {{package}} this place no longer counts for the score or the gate.',
  },
  scopeItem: {
    zh: '{{name}}：在 {{package}} 的此版本及以后版本中，整项都不再计分，新出现的也不再计入。',
    en: '{{name}}: in this and later versions of {{package}} the whole item no longer counts, new findings included.',
  },
  reason: { zh: '理由', en: 'Reason' },
  reasonEmpty: { zh: '请输入理由', en: 'Please enter the reason' },
  reasonHint: { zh: '会出现在报告里，供审计查看。', en: 'Shown in reports, for auditors.' },
  until: { zh: '期限', en: 'Until' },
  days: { zh: '{{days}} 天', en: '{{days}} days' },
  forever: { zh: '不限期', en: 'No end' },
  asks: {
    zh: '提交后需由有“编辑检测规则”权限的人批准才生效。',
    en: 'It counts once somebody with the right to edit detection rules approves it.',
  },
  cancel: { zh: '取消', en: 'Cancel' },
  save: { zh: '忽略', en: 'Suppress' },
  ask: { zh: '申请忽略', en: 'Ask for it' },
  done: SUPPRESSED_WORD,
  asked: { zh: '已提交，等待批准', en: 'Handed in, awaiting approval' },
})
const DAY_MS = 86_400_000
const TERMS = ['30', '90', '180', 'forever'] as const

/** A suppression needs a reason and a term; it survives the next version, since it names what was found and not where. */
export function SuppressDialog({
  task,
  item,
  fingerprint,
  onClose,
}: {
  task: DetectionTask
  item: ItemLine
  /** null: the whole item. */
  fingerprint: string | null
  onClose: () => void
}) {
  const t = useTexts(texts)
  const language = useLanguage()
  const mayApprove = useMay('rule.edit')
  const [reason, setReason] = useState('')
  const [term, setTerm] = useState<(typeof TERMS)[number]>('90')
  const [asked, setAsked] = useState(false)
  const send = useAction(suppress, {
    refreshes: SUPPRESSION_REFRESHES,
    onSuccess: ({ data }) => {
      onClose()
      toast.success(t(data.state === 'pending' ? 'asked' : 'done'))
    },
  })
  const submit = () => {
    setAsked(true)
    if (!reason.trim()) return
    const until = term === 'forever' ? null : Date.now() + Number(term) * DAY_MS
    send.mutate({ body: { task: task.id, item: item.id, fingerprint, reason: reason.trim(), until } })
  }
  return (
    <Dialog
      isOpen
      onOpenChange={onClose}
      title={t(fingerprint === null ? 'titleItem' : 'title')}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={send.isPending} onPress={submit}>
            {t(mayApprove ? 'save' : 'ask')}
          </Button>
        </>
      }
    >
      <p className="pb-3 text-muted">
        {t(fingerprint === null ? 'scopeItem' : 'scope', { name: item.name[language], package: task.package_id })}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <TextField
          label={t('reason')}
          value={reason}
          onChange={setReason}
          rows={3}
          maxLength={500}
          autoFocus
          isRequired
          note={t('reasonHint')}
          error={asked && !reason.trim() ? t('reasonEmpty') : undefined}
        />
        <p className="pt-3 pb-1.5">{t('until')}</p>
        <SegmentedControl
          label={t('until')}
          value={term}
          onChange={setTerm}
          items={TERMS.map((id) => ({ id, label: id === 'forever' ? t('forever') : t('days', { days: id }) }))}
        />
        {!mayApprove && <p className="pt-3 text-12 text-warn-text">{t('asks')}</p>}
      </form>
    </Dialog>
  )
}
