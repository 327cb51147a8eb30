import { useState } from 'react'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import {
  type NotificationSettings,
  notificationSettings,
  saveNotificationSettings,
} from '#contracts/http/notifications.ts'
import { NOTIFICATION_KIND_NAMES, NOTIFICATION_KINDS, type NotificationKind } from '#domain/notifications.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { notificationTexts } from './notification-texts.ts'

const EVENING = 18 * 60

/** `18:00` of minutes after midnight. */
export function clockOf(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}

/** Which kinds reach this account, in the console and by mail. */
export function SettingsDialog({
  stored,
  onClose,
}: {
  stored: ResponseOf<typeof notificationSettings>
  onClose: () => void
}) {
  const t = useTexts(notificationTexts)
  const language = useLanguage()
  const [draft, setDraft] = useState<NotificationSettings>(stored.data)
  const save = useAction(saveNotificationSettings, { refreshes: [notificationSettings], onSuccess: onClose })
  const change = (next: Partial<NotificationSettings>) => setDraft((before) => ({ ...before, ...next }))
  const toggled = (list: readonly NotificationKind[], kind: NotificationKind, on: boolean) =>
    on ? [...new Set([...list, kind])] : list.filter((one) => one !== kind)
  const isOn = draft.digest_minute !== null
  return (
    <Dialog
      title={t('settings')}
      isOpen
      onOpenChange={onClose}
      width={560}
      footer={
        <>
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button variant="primary" isDisabled={save.isPending} onPress={() => save.mutate({ body: draft })}>
            {t('save')}
          </Button>
        </>
      }
    >
      <table className="w-full">
        <thead>
          <tr className="border-b text-left text-12 text-muted">
            <th scope="col" className="py-1.5 font-normal">
              {t('kind')}
            </th>
            <th scope="col" className="w-28 font-normal">
              {t('inConsole')}
            </th>
            <th scope="col" className="w-28 font-normal">
              {t('inDigest')}
            </th>
          </tr>
        </thead>
        <tbody>
          {NOTIFICATION_KIND_NAMES.map((kind) => {
            const name = NOTIFICATION_KINDS[kind][language]
            const isHeard = !draft.muted.includes(kind)
            return (
              <tr key={kind} className="h-9 border-b">
                <th scope="row" className="text-left font-normal">
                  {name}
                </th>
                <td>
                  <Checkbox
                    label={`${name}: ${t('inConsole')}`}
                    isSelected={isHeard}
                    onChange={(on) => change({ muted: toggled(draft.muted, kind, !on) })}
                  />
                </td>
                <td>
                  <Checkbox
                    label={`${name}: ${t('inDigest')}`}
                    isSelected={isHeard && draft.mailed.includes(kind)}
                    isDisabled={!isHeard || !isOn}
                    onChange={(on) => change({ mailed: toggled(draft.mailed, kind, on) })}
                  />
                </td>
              </tr>
            )
          })}
        </tbody>
      </table>
      <div className="mt-4 flex flex-col gap-3">
        <Switch
          isSelected={isOn}
          onChange={(on) =>
            change(
              on
                ? { digest_minute: EVENING, zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
                : { digest_minute: null },
            )
          }
        >
          {t('digest', { address: stored.address })}
        </Switch>
        <p className="text-12 text-muted">{t('digestNote')}</p>
        {isOn && (
          <div className="flex flex-wrap gap-3">
            <TextField
              label={t('time')}
              type="time"
              value={clockOf(draft.digest_minute ?? EVENING)}
              onChange={(value) => {
                const [hours, minutes] = value.split(':').map(Number)
                if (hours !== undefined && minutes !== undefined && !Number.isNaN(hours + minutes))
                  change({ digest_minute: hours * 60 + minutes })
              }}
            />
            <TextField
              label={t('zone')}
              value={draft.zone}
              onChange={(zone) => change({ zone })}
              maxLength={60}
              autoComplete="off"
            />
          </div>
        )}
        {isOn && !stored.mail && <p className="text-12 text-warn-text">{t('noMail')}</p>}
        {stored.last.error !== '' ? (
          <p className="text-12 text-bad-text">{t('lastFailed', { error: stored.last.error })}</p>
        ) : (
          stored.last.sent_at !== null && (
            <p className="text-12 text-muted">
              {t('lastSent', { time: formatDateTime(stored.last.sent_at, draft.zone, 'minute') })}
            </p>
          )
        )}
      </div>
    </Dialog>
  )
}
