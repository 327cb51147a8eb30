import { useState } from 'react'
import { MARKET_KIND_NAMES, MARKET_KINDS, type MarketKind } from '#contracts/http/monitoring/markets.ts'
import {
  createMonitorTask,
  MONITOR_SCHEDULES,
  type MonitorSchedule,
  type MonitorTask,
  monitorTasks,
} from '#contracts/http/monitoring/tasks.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useApplications } from '#src/shared/session/application-store.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { SegmentedControl } from '#src/shared/ui/segmented-control.tsx'
import { Select } from '#src/shared/ui/select.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { monitorTexts } from '../parts/monitor-texts.ts'

const SCHEDULES = Object.keys(MONITOR_SCHEDULES) as MonitorSchedule[]
const MOST_KEYWORDS = 10

/** Asks for application, keywords, kinds of channels and schedule; the first run begins at once. */
export function NewMonitorDialog({
  onClose,
  onCreated,
}: {
  onClose: () => void
  onCreated: (task: MonitorTask) => void
}) {
  const t = useTexts(monitorTexts)
  const language = useLanguage()
  const { list, current } = useApplications()
  const [appid, setAppid] = useState<string | null>(current === 'all' ? null : current)
  const [keywords, setKeywords] = useState('')
  const [kinds, setKinds] = useState<readonly MarketKind[]>([])
  const [schedule, setSchedule] = useState<MonitorSchedule>('once')
  const [tried, setTried] = useState(false)
  const create = useAction(createMonitorTask, { refreshes: [monitorTasks] })

  function submit(): void {
    setTried(true)
    if (appid === null) return
    const words = keywords.split('\n').map((word) => word.trim().slice(0, 60))
    create.mutate(
      { body: { appid, keywords: words.filter(Boolean).slice(0, MOST_KEYWORDS), kinds: [...kinds], schedule } },
      { onSuccess: ({ data }) => onCreated(data) },
    )
  }

  return (
    <FormDialog
      title={t('create')}
      submitLabel={t('begin')}
      isDisabled={create.isPending}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="flex flex-col gap-1">
        <Select
          label={t('application')}
          placeholder={t('chooseApplication')}
          value={appid}
          onChange={setAppid}
          items={(list ?? []).map(({ id, name }) => ({ id: String(id), label: name }))}
        />
        {tried && appid === null && <span className="text-12 text-bad-text">{t('applicationEmpty')}</span>}
      </div>
      <TextField
        label={t('keywords')}
        value={keywords}
        onChange={setKeywords}
        rows={3}
        note={t('keywordsNote')}
        autoComplete="off"
      />
      <fieldset className="flex flex-col gap-2">
        <legend className="mb-1">
          {t('kinds')} <span className="text-12 text-muted">{t('kindsNote')}</span>
        </legend>
        <div className="flex flex-wrap gap-x-4 gap-y-2">
          {MARKET_KIND_NAMES.map((kind) => (
            <Checkbox
              key={kind}
              isSelected={kinds.includes(kind)}
              onChange={(isOn) => setKinds(isOn ? [...kinds, kind] : kinds.filter((one) => one !== kind))}
            >
              {MARKET_KINDS[kind][language]}
            </Checkbox>
          ))}
        </div>
      </fieldset>
      <div className="flex flex-col items-start gap-1">
        <span>{t('schedule')}</span>
        <SegmentedControl
          label={t('schedule')}
          value={schedule}
          onChange={setSchedule}
          items={SCHEDULES.map((id) => ({ id, label: MONITOR_SCHEDULES[id][language] }))}
        />
      </div>
    </FormDialog>
  )
}
