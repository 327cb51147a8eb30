import { useState } from 'react'
import {
  COPY_VERDICTS,
  copyDetail,
  judgeMonitorCopy,
  type MonitorCopy,
  monitorCopies,
  monitorDetail,
  monitorDevices,
  type Verdict,
} from '#contracts/http/monitoring/tasks.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { evidenceTexts } from './evidence-texts.ts'

const OWN = 'own'
const VERDICTS = Object.keys(COPY_VERDICTS) as Verdict[]

/** A verdict of a person, with its reason; also back to that of the product. */
export function JudgeDialog({ copy, onClose }: { copy: MonitorCopy; onClose: () => void }) {
  const t = useTexts(evidenceTexts)
  const language = useLanguage()
  const [verdict, setVerdict] = useState<Verdict | typeof OWN>(copy.verdict)
  const [reason, setReason] = useState('')
  const [tried, setTried] = useState(false)
  const judge = useAction(judgeMonitorCopy, { refreshes: [copyDetail, monitorCopies, monitorDetail, monitorDevices] })
  function submit(): void {
    setTried(true)
    if (!reason.trim()) return
    judge.mutate(
      { body: { id: copy.id, verdict: verdict === OWN ? '' : verdict, reason: reason.trim() } },
      {
        onSuccess: () => {
          toast.success(t('saved'))
          onClose()
        },
      },
    )
  }
  return (
    <FormDialog
      title={t('judgeTitle')}
      submitLabel={t('save')}
      isDisabled={judge.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <Select
        label={t('verdict')}
        value={verdict}
        onChange={setVerdict}
        items={[
          ...VERDICTS.map((id) => ({ id, label: COPY_VERDICTS[id][language] })),
          ...(copy.is_manual
            ? [{ id: OWN, label: t('ownVerdict', { verdict: COPY_VERDICTS[copy.judged][language] }) } as const]
            : []),
        ]}
      />
      <TextField
        label={t('reason')}
        value={reason}
        onChange={setReason}
        rows={3}
        maxLength={500}
        error={tried && !reason.trim() ? t('reasonEmpty') : undefined}
        isRequired
        autoComplete="off"
      />
    </FormDialog>
  )
}
