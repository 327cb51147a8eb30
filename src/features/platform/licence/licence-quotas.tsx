import type { LicenceAnswer } from '#contracts/http/licence.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useTexts } from '#src/shared/i18n/texts.ts'
import { Section } from '#src/shared/ui/section.tsx'
import { Bar } from './licence-facts.tsx'
import { licenceTexts } from './licence-texts.ts'

type Row = {
  name: 'applications' | 'users' | 'devices' | 'eventsPerDay'
  used: number | null
  quota: number | null
  isCreated: boolean
}

/** How much is used of what is licensed. Devices and events are counted only: ingest refuses nothing. */
export function LicenceQuotas({ licence }: { licence: LicenceAnswer }) {
  const t = useTexts(licenceTexts)
  const rows: Row[] = [
    { name: 'applications', used: licence.apps_used, quota: licence.apps_licensed, isCreated: true },
    { name: 'users', used: licence.users_used, quota: licence.users_licensed, isCreated: true },
    { name: 'devices', used: licence.devices_used, quota: licence.devices_licensed, isCreated: false },
    { name: 'eventsPerDay', used: licence.events_today, quota: licence.events_licensed, isCreated: false },
  ]
  return (
    <Section plain title={t('quotas')} note={t('quotasNote')} className="border-t">
      <ul className="px-5 pb-3">
        {rows.map((row) => (
          <Quota key={row.name} {...row} />
        ))}
      </ul>
    </Section>
  )
}

function Quota({ name, used, quota, isCreated }: Row) {
  const t = useTexts(licenceTexts)
  const share = quota === null || used === null ? 0 : quota === 0 ? 1 : used / quota
  const isFull = quota !== null && used !== null && used >= quota
  return (
    <li
      className="grid min-h-9 grid-cols-[112px_minmax(60px,1fr)_minmax(120px,max-content)_minmax(150px,22%)] items-center gap-x-4 border-b py-1.5 last:border-b-0 max-sm:grid-cols-[88px_1fr] max-sm:gap-y-1"
      data-testid={`quota-${name}`}
    >
      <span>{t(name)}</span>
      <span className="max-sm:order-3 max-sm:col-span-2">
        {quota !== null && <Bar share={share} tone={isFull ? 'bg-warn' : 'bg-brand'} label={t(name)} />}
      </span>
      <span className="text-right whitespace-nowrap tabular-nums">
        <strong className="font-semibold">{used === null ? t('unknown') : formatExact(used)}</strong>
        <span className="text-muted"> / {quota === null ? t('unlimited') : formatExact(quota)}</span>
      </span>
      <span className={`text-12 max-sm:order-4 max-sm:col-span-2 ${isFull ? 'text-warn-text' : 'text-muted'}`}>
        <Remark used={used} quota={quota} isCreated={isCreated} isUsers={name === 'users'} />
      </span>
    </li>
  )
}

function Remark({
  used,
  quota,
  isCreated,
  isUsers,
}: {
  used: number | null
  quota: number | null
  isCreated: boolean
  isUsers: boolean
}) {
  const t = useTexts(licenceTexts)
  if (!isCreated) return t(used !== null && quota !== null && used > quota ? 'exceeded' : 'notRefused')
  if (used === null || quota === null) return isUsers ? t('noDisabled') : null
  if (used > quota) return t('over', { count: used - quota })
  return [t('left', { count: quota - used }), isUsers ? t('noDisabled') : ''].filter(Boolean).join(' · ')
}
