import { useState } from 'react'
import { mailReport, reportDeliveries, sharedPage, shareReport } from '#contracts/http/reports/sharing.ts'
import type { StoredReport } from '#contracts/http/reports/stored-reports.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { FIELD_LABEL } from '#src/shared/ui/field.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { SecretDialog } from '#src/shared/ui/secret-dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { deliveryTexts } from './delivery-texts.ts'

const TIMES = ['h1', 'h24', 'h72', 'h168', 'h720'] as const
const SHORTEST = 6

/** Makes a share link and shows it once. */
export function ShareDialog({ report, onClose }: { report: StoredReport; onClose: () => void }) {
  const t = useTexts(deliveryTexts)
  const zone = usePlatform((state) => state.zone)
  const [time, setTime] = useState<(typeof TIMES)[number]>('h168')
  const [password, setPassword] = useState('')
  const share = useAction(shareReport, { refreshes: [reportDeliveries] })
  const isShort = password !== '' && password.length < SHORTEST
  if (share.data)
    return (
      <SecretDialog
        title={t('linkTitle')}
        note={t('linkOnce', { until: formatDateTime(share.data.data.expires_at, zone, 'minute') })}
        value={`${location.origin}${sharedPage.path}#${share.data.token}`}
        onClose={onClose}
      />
    )
  return (
    <FormDialog
      title={t('shareTitle', { title: report.title })}
      submitLabel={t('make')}
      isDisabled={isShort || share.isPending}
      onSubmit={() => share.mutate({ body: { id: report.id, hours: Number(time.slice(1)), password } })}
      onClose={onClose}
    >
      <p className="text-muted">{t('shareNote')}</p>
      <div>
        <span className={FIELD_LABEL}>{t('valid')}</span>
        <span className="block max-w-full overflow-x-auto">
          <SegmentedControl
            label={t('valid')}
            items={TIMES.map((id) => ({ id, label: t(id) }))}
            value={time}
            onChange={setTime}
          />
        </span>
      </div>
      <TextField
        label={t('password')}
        type="password"
        autoComplete="new-password"
        value={password}
        onChange={setPassword}
        maxLength={64}
        note={t('passwordNote')}
        error={isShort ? t('passwordShort') : undefined}
      />
    </FormDialog>
  )
}

/** Sends a report to mail addresses. */
export function MailDialog({ report, onClose }: { report: StoredReport; onClose: () => void }) {
  const t = useTexts(deliveryTexts)
  const [addresses, setAddresses] = useState('')
  const mail = useAction(mailReport, {
    refreshes: [reportDeliveries],
    onSuccess: () => {
      toast.success(t('queued'))
      onClose()
    },
  })
  return (
    <FormDialog
      title={t('mailTitle', { title: report.title })}
      submitLabel={t('send')}
      isDisabled={addresses.trim() === '' || mail.isPending}
      onSubmit={() => mail.mutate({ body: { id: report.id, addresses } })}
      onClose={onClose}
    >
      <TextField
        label={t('addresses')}
        rows={4}
        autoFocus
        value={addresses}
        onChange={setAddresses}
        maxLength={4000}
        note={t('addressesNote')}
      />
    </FormDialog>
  )
}
