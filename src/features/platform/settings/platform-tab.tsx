import { useState } from 'react'
import { readSettings, type Settings, saveSettings } from '#contracts/http/settings.ts'
import { PRODUCTS } from '#contracts/product-names.ts'
import { loadPlatform } from '#src/shared/api/session.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Button } from '#src/shared/ui/button.tsx'
import { ErrorState } from '#src/shared/ui/error-state.tsx'
import { FormFoot } from '#src/shared/ui/form-foot.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { Switch } from '#src/shared/ui/switch.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { EncryptedRequests } from './encrypted-requests.tsx'
import { settingsTexts } from './settings-texts.ts'

type NumberName = { [K in keyof Settings]: Settings[K] extends number ? K : never }[keyof Settings]
type TextKey = keyof (typeof settingsTexts)['entries']

/** The bounds of contracts/http/settings.ts, checked before the server would refuse. */
const NUMBERS: Record<NumberName, { label: TextKey; min: number; max: number; note?: TextKey }> = {
  idle_minutes: { label: 'idle', min: 5, max: 120 },
  absolute_hours: { label: 'absolute', min: 1, max: 24 },
  event_days: { label: 'eventDays', min: 184, max: 3660 },
  log_days: { label: 'logDays', min: 184, max: 3660 },
  personal_days: { label: 'personalDays', min: 1, max: 30 },
  report_days: { label: 'reportDays', min: 1, max: 3660 },
  report_gb: { label: 'reportGigabytes', min: 1, max: 10_000, note: 'reportNote' },
  suspicious_from: { label: 'suspiciousFrom', min: 20, max: 100, note: 'suspiciousNote' },
  device_batch_seconds: { label: 'batchSeconds', min: 1, max: 600 },
  device_burst: { label: 'burst', min: 1, max: 100 },
  enrolments_per_hour: { label: 'enrolments', min: 1, max: 100_000 },
  app_ceiling: { label: 'appCeiling', min: 0, max: 10_000_000, note: 'ceilingNote' },
  platform_ceiling: { label: 'platformCeiling', min: 0, max: 10_000_000, note: 'ceilingNote' },
  package_limit_mb: { label: 'packageLimit', min: 1, max: 3072 },
  service_days: { label: 'serviceDays', min: 1, max: 365 },
}
const MAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const GROUPS: readonly { title: TextKey; names: readonly NumberName[] }[] = [
  { title: 'sessions', names: ['idle_minutes', 'absolute_hours'] },
  { title: 'retention', names: ['event_days', 'log_days', 'personal_days', 'report_days', 'report_gb'] },
  { title: 'judging', names: ['suspicious_from'] },
  {
    title: 'intake',
    names: ['device_batch_seconds', 'device_burst', 'enrolments_per_hour', 'app_ceiling', 'platform_ceiling'],
  },
  { title: 'uploads', names: ['package_limit_mb'] },
]

export function PlatformTab() {
  const t = useTexts(settingsTexts)
  const language = useLanguage()
  const answer = useEndpoint(readSettings)
  const [draft, setDraft] = useState<Partial<Settings>>({})
  const [numbers, setNumbers] = useState<Partial<Record<NumberName, string>>>({})
  const save = useAction(saveSettings, {
    refreshes: [readSettings],
    onSuccess: async () => {
      setDraft({})
      setNumbers({})
      await loadPlatform()
      toast.success(t('saved'))
    },
  })
  if (answer.error && !answer.data) return <ErrorState error={answer.error} onRetry={() => void answer.refetch()} />
  if (!answer.data) return <Skeleton lines={8} height="24px" className="max-w-[720px] p-5" />
  const saved = answer.data.data
  const now = { ...saved, ...draft }
  const numberError = (name: NumberName) => {
    const { min, max } = NUMBERS[name]
    const text = numbers[name]
    if (text === undefined) return undefined
    const value = Number(text)
    const good = /^\d+$/.test(text.trim()) && value >= min && value <= max
    return good ? undefined : t('between', { min, max })
  }
  const zoneError = isZone(now.zone) ? undefined : t('badZone')
  const names = Object.keys(numbers) as NumberName[]
  const changed = Object.keys(draft).length + names.length > 0
  const mailError = now.service_mail === '' || MAIL.test(now.service_mail) ? undefined : t('badMail')
  const wrong = Boolean(zoneError ?? mailError) || names.some((name) => numberError(name))

  const numberField = (name: NumberName) => {
    const { label, note } = NUMBERS[name]
    return (
      <TextField
        key={name}
        label={t(label)}
        value={numbers[name] ?? String(saved[name])}
        onChange={(text) => setNumbers({ ...numbers, [name]: text })}
        error={numberError(name)}
        note={note && t(note)}
      />
    )
  }

  return (
    <form
      className="max-w-[720px] px-5 pt-4 pb-10"
      onSubmit={(event) => {
        event.preventDefault()
        if (!changed || wrong) return
        const typed = Object.fromEntries(names.map((name) => [name, Number(numbers[name])]))
        save.mutate({ body: { ...draft, ...typed } })
      }}
    >
      <Group title={t('general')}>
        <Select
          label={t('product')}
          value={now.product}
          onChange={(product) => setDraft({ ...draft, product })}
          items={(Object.keys(PRODUCTS) as Settings['product'][]).map((id) => ({
            id,
            label: PRODUCTS[id][language],
          }))}
        />
        <TextField
          label={t('productName')}
          note={t('productNameNote')}
          value={now.product_name}
          maxLength={40}
          onChange={(product_name) => setDraft({ ...draft, product_name })}
        />
        <TextField
          label={t('zone')}
          value={now.zone}
          error={zoneError}
          onChange={(zone) => setDraft({ ...draft, zone: zone.trim() })}
        />
        <TextField
          label={t('mapApproval')}
          note={t('mapApprovalNote')}
          value={now.map_approval}
          maxLength={64}
          onChange={(map_approval) => setDraft({ ...draft, map_approval })}
        />
        <Switch isSelected={now.force_zh} onChange={(force_zh) => setDraft({ ...draft, force_zh })}>
          {t('forceZh')}
        </Switch>
        <Switch
          isSelected={now.webhook_private}
          onChange={(webhook_private) => setDraft({ ...draft, webhook_private })}
        >
          {t('webhookPrivate')}
        </Switch>
      </Group>
      {GROUPS.map((group) => (
        <Group key={group.title} title={t(group.title)}>
          {group.names.map(numberField)}
        </Group>
      ))}
      <Group title={t('service')}>
        <TextField
          label={t('servicePhone')}
          value={now.service_phone}
          maxLength={60}
          onChange={(service_phone) => setDraft({ ...draft, service_phone })}
        />
        <TextField
          label={t('serviceHours')}
          value={now.service_hours}
          maxLength={120}
          onChange={(service_hours) => setDraft({ ...draft, service_hours })}
        />
        <TextField
          label={t('serviceMail')}
          note={t('serviceMailNote')}
          error={mailError}
          value={now.service_mail}
          maxLength={200}
          onChange={(text) => setDraft({ ...draft, service_mail: text.trim() })}
        />
        {numberField('service_days')}
      </Group>
      <EncryptedRequests
        value={now.encrypt_requests}
        zone={saved.zone}
        onChange={(encrypt_requests) => setDraft({ ...draft, encrypt_requests })}
      />
      <FormFoot>
        {changed && (
          <Button
            variant="quiet"
            onPress={() => {
              setDraft({})
              setNumbers({})
            }}
          >
            {t('undo')}
          </Button>
        )}
        <Button type="submit" variant="primary" isDisabled={!changed || wrong || save.isPending}>
          {t('save')}
        </Button>
      </FormFoot>
    </form>
  )
}

function Group({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <fieldset className="mb-6">
      <legend className="mb-3 text-14 font-semibold">{title}</legend>
      <div className="grid grid-cols-2 items-start gap-x-6 gap-y-4 max-sm:grid-cols-1">{children}</div>
    </fieldset>
  )
}

function isZone(zone: string): boolean {
  try {
    return zone !== '' && Boolean(new Intl.DateTimeFormat('en', { timeZone: zone }))
  } catch {
    return false
  }
}
