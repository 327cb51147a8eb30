import { PHONE_RUNS, type PhoneRun } from '#contracts/detection/kinds.ts'
import type { detectionKinds } from '#contracts/http/detection/tasks.ts'
import type { ResponseOf } from '#contracts/http/endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { newTexts } from './new-texts.ts'

const RUNS = Object.keys(PHONE_RUNS) as PhoneRun[]

/** On which phone an application runs, and how long. */
export function PhoneChoice({
  phones,
  phone,
  run,
  onPhone,
  onRun,
}: {
  phones: ResponseOf<typeof detectionKinds>['phones']
  phone: string
  run: PhoneRun
  onPhone: (serial: string) => void
  onRun: (run: PhoneRun) => void
}) {
  const t = useTexts(newTexts)
  const language = useLanguage()
  const { untouched, exercise } = PHONE_RUNS[run]
  return (
    <div className="flex flex-col gap-3">
      <Select
        label={t('phone')}
        hideLabel
        value={phone}
        onChange={onPhone}
        items={phones.map(({ serial, model }) => ({
          id: serial,
          label: model.replaceAll('_', ' ') || serial,
          note: serial,
        }))}
      />
      <div>
        <SegmentedControl
          label={t('runLength')}
          value={run}
          onChange={onRun}
          items={RUNS.map((id) => ({ id, label: PHONE_RUNS[id][language] }))}
        />
        <p className="pt-1.5 text-12 text-muted">{t('runNote', { untouched, exercise })}</p>
      </div>
    </div>
  )
}
