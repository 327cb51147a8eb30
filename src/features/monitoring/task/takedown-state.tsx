import {
  TAKEDOWN_STATES,
  TAKEDOWN_WAYS,
  type TakedownState,
  type TakedownStep,
} from '#contracts/http/monitoring/takedowns.ts'
import { formatDateTime } from '#src/shared/format/time.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { Chip } from '#src/shared/ui/chip.tsx'
import { takedownTexts } from './takedown-texts.ts'

const TONES = {
  drafted: 'neutral',
  sent: 'brand',
  answered: 'brand',
  refused: 'warn',
  removed: 'good',
  returned: 'bad',
} as const satisfies Record<TakedownState, string>

/** The state of a takedown request, as a small word. */
export function TakedownStateMark({ state }: { state: TakedownState }) {
  const language = useLanguage()
  return <Chip tone={TONES[state]}>{TAKEDOWN_STATES[state][language]}</Chip>
}

/** Day, who or which run, how and the note of a step, in one line. */
export function TakedownStepText({ step: { at, by, run, way, note } }: { step: TakedownStep }) {
  const t = useTexts(takedownTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const who = run === null ? by : t('run', { run })
  return (
    <>
      <span className="tabular-nums">{formatDateTime(at, zone, 'day')}</span>
      {[who, way && TAKEDOWN_WAYS[way][language], note]
        .filter(Boolean)
        .map((part) => ` · ${part}`)
        .join('')}
    </>
  )
}
