import { Radio, RadioGroup } from 'react-aria-components'
import {
  SCRIPT_PRESETS,
  type ScriptCost,
  type ScriptMeasure,
  type ScriptPreset,
} from '#contracts/http/js-protection.ts'
import { formatDuration } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { jsTexts } from './js-texts.ts'
import type { JsText } from './script-columns.tsx'

const PRESETS = Object.keys(SCRIPT_PRESETS) as ScriptPreset[]
/** Differences below this are those of the clock. */
const SAME = 0.05

/** The three presets with what each costs this code, as far as it was measured. */
export function PresetCards({
  measure,
  value,
  onChange,
  isDisabled,
}: {
  measure: ScriptMeasure
  value: ScriptPreset
  onChange: (preset: ScriptPreset) => void
  isDisabled: boolean
}) {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  const isOpen = measure.state === 'running' || measure.state === 'waiting'
  return (
    <RadioGroup
      aria-label={t('preset')}
      value={value}
      onChange={(preset) => onChange(preset as ScriptPreset)}
      isDisabled={isDisabled}
      className="grid grid-cols-3 gap-3 max-sm:grid-cols-1"
    >
      {PRESETS.map((preset) => {
        const cost = measure.costs.find((one) => one.preset === preset)
        return (
          <Radio
            key={preset}
            value={preset}
            data-testid={`preset-${preset}`}
            className="group flex min-w-0 cursor-pointer flex-col rounded border bg-surface px-3 py-2.5 transition-colors duration-(--quick) hover:bg-hover disabled:cursor-not-allowed selected:border-brand selected:bg-selected"
          >
            <span className="flex items-center gap-2">
              <span className="flex size-4 flex-none items-center justify-center rounded-full border border-faint bg-surface group-selected:border-brand-fill group-focus-visible:outline-2 group-focus-visible:outline-offset-1 group-focus-visible:outline-brand-fill">
                <span className="size-2 rounded-full group-selected:bg-brand-fill" />
              </span>
              <span className="font-semibold">{SCRIPT_PRESETS[preset][language]}</span>
            </span>
            <span className="pt-1 text-12 text-muted">{t(`${preset}Note`)}</span>
            {cost ? (
              <Cost cost={cost} isOpen={isOpen} />
            ) : isOpen ? (
              <Skeleton lines={2} className="pt-3" />
            ) : (
              <Unknown />
            )}
          </Radio>
        )
      })}
    </RadioGroup>
  )
}

function Unknown() {
  const t = useTexts(jsTexts)
  return (
    <span className="pt-2 text-12 text-muted">
      {t('factor')} — <br />
      {t('slowdown')} —
    </span>
  )
}

function Cost({ cost, isOpen }: { cost: ScriptCost; isOpen: boolean }) {
  const t = useTexts(jsTexts)
  const language = useLanguage()
  const { size_factor, seconds, steps, trial } = cost
  const after = [
    seconds !== null ? t('about', { time: formatDuration(Math.max(1000, seconds * 1000)) }) : '',
    steps ? t('steps', { count: steps }) : '',
  ].filter(Boolean)
  return (
    <span className="block pt-2">
      <span className="grid grid-cols-2 gap-x-2">
        <span className="text-12 text-muted">{t('factor')}</span>
        <span className="text-12 text-muted">{t('slowdown')}</span>
        <span className="text-16 tabular-nums" data-testid="size-factor">
          {size_factor === null ? '—' : `× ${rounded(size_factor)}`}
        </span>
        <span className="text-16 tabular-nums" data-testid="slowdown">
          {trial?.slowdown == null ? (isOpen ? '…' : '—') : slower(t, trial.slowdown)}
        </span>
      </span>
      <span className="block text-12 text-muted">{after.join(language === 'zh' ? '，' : ', ')}</span>
    </span>
  )
}

const rounded = (factor: number) => (factor < 10 ? factor.toFixed(1) : String(Math.round(factor)))

function slower(t: JsText, factor: number): string {
  if (factor < 1 + SAME) return t('same')
  return factor < 2
    ? t('slower', { percent: Math.round((factor - 1) * 100) })
    : t('slowerTimes', { times: rounded(factor) })
}
