import { useState } from 'react'
import {
  type CommunicationKey,
  communicationOverview,
  createCommunicationKey,
  rotateCommunicationKey,
  setGatewayPolicy,
} from '#contracts/http/communication.ts'
import { GATEWAY_POLICIES, type GatewayPolicy, KEY_DAYS, keyName, OVERLAP_DAYS } from '#domain/communication.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { communicationTexts } from './communication-texts.ts'

const refreshes = [communicationOverview]

/** The whole number of a field, or undefined. */
function wholeNumber(text: string, { least, most }: { least: number; most: number }): number | undefined {
  const value = /^\d{1,5}$/.test(text.trim()) ? Number(text) : Number.NaN
  return value >= least && value <= most ? value : undefined
}

function DaysField({
  label,
  range,
  value,
  onChange,
  note,
}: {
  label: string
  range: { least: number; most: number }
  value: string
  onChange: (text: string) => void
  note?: string
}) {
  const t = useTexts(communicationTexts)
  const { least, most } = range
  return (
    <TextField
      label={label}
      value={value}
      onChange={onChange}
      maxLength={5}
      autoComplete="off"
      note={note}
      error={wholeNumber(value, range) === undefined ? t('daysWrong', { least, most }) : undefined}
      isRequired
    />
  )
}

function LifetimeField(field: { value: string; onChange: (text: string) => void }) {
  const t = useTexts(communicationTexts)
  return <DaysField label={t('days')} range={KEY_DAYS} note={t('daysNote', KEY_DAYS)} {...field} />
}

export function CreateKeyDialog({
  applications,
  chosen,
  onClose,
}: {
  applications: readonly { appid: string; name: string }[]
  chosen: string | null
  onClose: () => void
}) {
  const t = useTexts(communicationTexts)
  const first =
    applications.find(({ appid }) => appid === chosen) ?? (applications.length === 1 ? applications[0] : undefined)
  const [appid, setAppid] = useState(first?.appid ?? null)
  const [days, setDays] = useState(String(KEY_DAYS.preset))
  const create = useAction(createCommunicationKey, { refreshes })
  const value = wholeNumber(days, KEY_DAYS)
  return (
    <FormDialog
      title={t('createTitle')}
      submitLabel={t('ok')}
      isDisabled={appid === null || value === undefined || create.isPending}
      onClose={onClose}
      onSubmit={() =>
        appid !== null &&
        value !== undefined &&
        create.mutate(
          { body: { appid, days: value } },
          {
            onSuccess: ({ data }) => {
              toast.success(t('created', { key: keyName(data.kid) }))
              onClose()
            },
          },
        )
      }
    >
      <p className="text-muted">{t('createNote')}</p>
      <Select
        label={t('application')}
        value={appid}
        placeholder={t('chooseApp')}
        items={applications.map((one) => ({ id: one.appid, label: one.name }))}
        onChange={setAppid}
      />
      <LifetimeField value={days} onChange={setDays} />
    </FormDialog>
  )
}

export function RotateKeyDialog({ item, onClose }: { item: CommunicationKey; onClose: () => void }) {
  const t = useTexts(communicationTexts)
  const [days, setDays] = useState(String(KEY_DAYS.preset))
  const [overlap, setOverlap] = useState(String(OVERLAP_DAYS.preset))
  const rotate = useAction(rotateCommunicationKey, { refreshes })
  const [valid, stays] = [wholeNumber(days, KEY_DAYS), wholeNumber(overlap, OVERLAP_DAYS)]
  return (
    <FormDialog
      title={t('rotateTitle', { key: keyName(item.kid) })}
      submitLabel={t('rotate')}
      isDisabled={valid === undefined || stays === undefined || rotate.isPending}
      onClose={onClose}
      onSubmit={() =>
        valid !== undefined &&
        stays !== undefined &&
        rotate.mutate(
          { body: { kid: item.kid, days: valid, overlap_days: stays } },
          {
            onSuccess: ({ data }) => {
              toast.success(t('rotated', { old: keyName(item.kid), key: keyName(data.kid) }))
              onClose()
            },
          },
        )
      }
    >
      <p className="text-muted">{t('rotateNote')}</p>
      <DaysField label={t('overlap')} range={OVERLAP_DAYS} value={overlap} onChange={setOverlap} />
      <LifetimeField value={days} onChange={setDays} />
    </FormDialog>
  )
}

export function PolicyDialog({ policy, onClose }: { policy: GatewayPolicy; onClose: () => void }) {
  const t = useTexts(communicationTexts)
  const language = useLanguage()
  const [chosen, setChosen] = useState(policy)
  const set = useAction(setGatewayPolicy, { refreshes })
  return (
    <FormDialog
      title={t('policyTitle')}
      submitLabel={t('ok')}
      isDisabled={set.isPending || chosen === policy}
      onClose={onClose}
      onSubmit={() =>
        set.mutate(
          { body: { policy: chosen } },
          {
            onSuccess: () => {
              toast.success(t('policySet', { policy: GATEWAY_POLICIES[chosen][language] }))
              onClose()
            },
          },
        )
      }
    >
      <p className="text-muted">{t('policyNote')}</p>
      <SegmentedControl
        label={t('policyTitle')}
        value={chosen}
        onChange={setChosen}
        items={[
          { id: 'observe', label: GATEWAY_POLICIES.observe[language] },
          { id: 'enforce', label: GATEWAY_POLICIES.enforce[language] },
        ]}
      />
      <p className="text-12 text-muted">{t(chosen === 'observe' ? 'policyObserve' : 'policyEnforce')}</p>
    </FormDialog>
  )
}
