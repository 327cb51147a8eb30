import { useState } from 'react'
import { alertChannels } from '#contracts/http/alerts.ts'
import { environment, saveEnvironmentSettings } from '#contracts/http/environment.ts'
import {
  type EnvironmentSettings,
  METRIC_WORDS,
  METRICS,
  WATCHED,
  WATCHED_NAMES,
  type Watched,
} from '#domain/environment.ts'
import { useAction } from '#src/shared/api/use-action.ts'
import { useEndpoint } from '#src/shared/api/use-endpoint.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { useMay } from '#src/shared/session/session-store.ts'
import { Checkbox } from '#src/shared/ui/checkbox.tsx'
import { FormDialog } from '#src/shared/ui/form-dialog.tsx'
import { TextField } from '#src/shared/ui/text-field.tsx'
import { toast } from '#src/shared/ui/toast.ts'
import { environmentTexts } from './environment-texts.ts'

const MEGABYTE = 1_048_576
/** Bytes are typed in MB. */
const scaleOf = (name: Watched) => (METRICS[name] === 'bytes' ? MEGABYTE : 1)
const COUNTS = ['open_after', 'close_after'] as const

/** Limits, after how many samples an alert opens and closes, and the channels that get it. */
export function ThresholdsDialog({ settings, onClose }: { settings: EnvironmentSettings; onClose: () => void }) {
  const t = useTexts(environmentTexts)
  const language = useLanguage()
  const mayUseChannels = useMay('alert.edit')
  const channels = useEndpoint(alertChannels, {}, { enabled: mayUseChannels }).data?.data ?? []
  const [limits, setLimits] = useState<Readonly<Record<Watched, string>>>(
    () =>
      Object.fromEntries(
        WATCHED_NAMES.map((name) => {
          const value = settings.limits[name]
          return [name, value === null ? '' : String(Math.round(value / scaleOf(name)))]
        }),
      ) as Record<Watched, string>,
  )
  const [counts, setCounts] = useState({
    open_after: String(settings.open_after),
    close_after: String(settings.close_after),
  })
  const [chosen, setChosen] = useState<readonly string[]>(settings.channels)
  const save = useAction(saveEnvironmentSettings, {
    refreshes: [environment],
    onSuccess: () => {
      toast.success(t('saved'))
      onClose()
    },
  })
  const bounds = (name: Watched) => ({
    min: Math.ceil(WATCHED[name].least / scaleOf(name)),
    max: Math.floor(WATCHED[name].most / scaleOf(name)),
  })
  const isWhole = (text: string, { min, max }: { min: number; max: number }) =>
    /^\d+$/.test(text.trim()) && Number(text) >= min && Number(text) <= max
  const limitError = (name: Watched) =>
    limits[name].trim() === '' || isWhole(limits[name], bounds(name)) ? undefined : t('between', bounds(name))
  const countError = (name: (typeof COUNTS)[number]) =>
    isWhole(counts[name], { min: 1, max: 240 }) ? undefined : t('between', { min: 1, max: 240 })
  const isWrong = WATCHED_NAMES.some((name) => limitError(name)) || COUNTS.some((name) => countError(name))
  const submit = () =>
    save.mutate({
      body: {
        limits: Object.fromEntries(
          WATCHED_NAMES.map((name) => [name, limits[name].trim() === '' ? null : Number(limits[name]) * scaleOf(name)]),
        ) as EnvironmentSettings['limits'],
        open_after: Number(counts.open_after),
        close_after: Number(counts.close_after),
        channels: [...chosen],
      },
    })
  return (
    <FormDialog
      title={t('thresholdsTitle')}
      submitLabel={t('save')}
      isDisabled={isWrong || save.isPending}
      onSubmit={submit}
      onClose={onClose}
      width={560}
    >
      <p className="text-muted">{t('thresholdsHint')}</p>
      <div className="grid grid-cols-2 gap-x-4 gap-y-3 max-sm:grid-cols-1">
        {WATCHED_NAMES.map((name) => (
          <TextField
            key={name}
            label={`${METRIC_WORDS[name][language]} (${UNIT_OF[METRICS[name]] ?? t('count')})`}
            value={limits[name]}
            error={limitError(name)}
            onChange={(value) => setLimits((before) => ({ ...before, [name]: value }))}
          />
        ))}
        {COUNTS.map((name) => (
          <TextField
            key={name}
            label={t(name === 'open_after' ? 'openAfter' : 'closeAfter')}
            value={counts[name]}
            note={t('sampleNote')}
            error={countError(name)}
            onChange={(value) => setCounts((before) => ({ ...before, [name]: value }))}
          />
        ))}
      </div>
      {mayUseChannels && (
        <fieldset>
          <legend className="mb-1.5">{t('notify')}</legend>
          {channels.length === 0 && <p className="text-12 text-muted">{t('noChannels')}</p>}
          <div className="flex flex-wrap gap-x-5 gap-y-2">
            {channels.map(({ id, name }) => (
              <Checkbox
                key={id}
                isSelected={chosen.includes(id)}
                onChange={(on) => setChosen((before) => (on ? [...before, id] : before.filter((one) => one !== id)))}
              >
                {name}
              </Checkbox>
            ))}
          </div>
        </fieldset>
      )}
    </FormDialog>
  )
}

const UNIT_OF: Readonly<Record<string, string>> = { percent: '%', seconds: 's', bytes: 'MB' }
