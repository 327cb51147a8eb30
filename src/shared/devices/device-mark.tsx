import { Link } from 'react-router-dom'
import { PAGES } from '#contracts/pages.ts'
import { defineTexts, useTexts } from '../i18n/texts.ts'
import { useMay } from '../session/session-store.ts'
import { DeviceVerdictChip } from './device-verdict-words.tsx'
import { useDeviceVerdicts } from './use-device-verdicts.ts'

const texts = defineTexts('device-mark', { open: { zh: '设备详情', en: 'Device detail' } })

/** A link to a device's page, with its current verdict. */
export function DeviceMark({ device }: { device: string }) {
  const t = useTexts(texts)
  const verdict = useDeviceVerdicts([device]).get(device)
  const mayOpen = useMay('statistics')
  return (
    <p className="flex flex-wrap items-center gap-2 text-12">
      {mayOpen && (
        <Link className="text-brand-text hover:underline" to={PAGES.device_activity.path.replace(':id', device)}>
          {t('open')}
        </Link>
      )}
      {verdict && <DeviceVerdictChip verdict={verdict} />}
    </p>
  )
}
