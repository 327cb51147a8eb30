import { useState } from 'react'
import { deviceProfile, setVerdict, verdictsOf } from '#contracts/http/devices.ts'
import { DEVICE_VERDICTS, type DeviceVerdict } from '#domain/device-score.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { DEVICE_VERDICT_ICONS } from '#src/shared/devices/device-verdict-words.tsx'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useNameOf } from '#src/shared/query/value-names.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { Dialog } from '#src/shared/ui/dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { deviceTexts } from './device-texts.ts'

const REFRESHES = [deviceProfile, verdictsOf]
const KEYS = Object.keys(DEVICE_VERDICTS) as DeviceVerdict[]

/** Trusted, watched or banned, for the applications that the device was seen in, with a reason; a change can be undone at once. */
export function DeviceVerdictDialog({
  device,
  appids,
  current,
  onClose,
}: {
  device: string
  appids: readonly string[]
  current: DeviceVerdict | null
  onClose: () => void
}) {
  const t = useTexts(deviceTexts)
  const language = useLanguage()
  const nameOf = useNameOf()
  const [verdict, setChosen] = useState<DeviceVerdict>(current ?? 'watched')
  const [note, setNote] = useState('')
  const [chosen, setApps] = useState<readonly string[]>(appids)
  const undo = useAction(setVerdict, { refreshes: REFRESHES, onSuccess: () => toast.success(t('undone')) })
  const change = useAction(setVerdict, {
    refreshes: REFRESHES,
    onSuccess: ({ before }, { body }) => {
      onClose()
      const word = body?.verdict ? DEVICE_VERDICTS[body.verdict][language] : t('noVerdict')
      toast.success(t('saved', { verdict: word }), {
        action: {
          label: t('undo'),
          onPress: () => {
            for (const one of before)
              undo.mutate({ body: { device, appids: [one.appid], verdict: one.verdict, note: one.note } })
          },
        },
      })
    },
  })
  const send = (next: DeviceVerdict | null) =>
    change.mutate({ body: { device, appids: [...chosen], verdict: next, note: note.trim() } })
  return (
    <Dialog
      title={t('judge')}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          {current && (
            <span className="mr-auto">
              <Button variant="quiet" isDisabled={change.isPending} onPress={() => send(null)}>
                {t('takeBack')}
              </Button>
            </span>
          )}
          <Button onPress={onClose}>{t('cancel')}</Button>
          <Button
            variant={verdict === 'banned' ? 'dangerFilled' : 'primary'}
            isDisabled={change.isPending || chosen.length === 0}
            onPress={() => send(verdict)}
          >
            {t('save')}
          </Button>
        </>
      }
    >
      <SegmentedControl
        label={t('verdict')}
        value={verdict}
        onChange={setChosen}
        items={KEYS.map((id) => ({ id, label: DEVICE_VERDICTS[id][language], icon: DEVICE_VERDICT_ICONS[id] }))}
      />
      <p className="mt-1.5 text-12 text-muted">{t(`${verdict}Hint`)}</p>
      <TextField className="mt-4" label={t('verdictNote')} value={note} onChange={setNote} rows={3} maxLength={500} />
      {appids.length > 1 && (
        <fieldset className="mt-4">
          <legend className="mb-1 text-13">{t('verdictApps')}</legend>
          {appids.map((appid) => (
            <Checkbox
              key={appid}
              isSelected={chosen.includes(appid)}
              onChange={(on) => setApps(on ? [...chosen, appid] : chosen.filter((one) => one !== appid))}
            >
              {nameOf('app', appid)}
            </Checkbox>
          ))}
        </fieldset>
      )}
    </Dialog>
  )
}
