import { Pause } from 'lucide-react'
import { useSyncExternalStore } from 'react'
import { ToggleButton, ToggleButtonGroup } from 'react-aria-components'
import { formatDuration } from '../format/time.ts'
import { useTexts } from '../i18n/texts.ts'
import { useActions } from '../ui/actions.ts'
import { Icon } from '../ui/icon.tsx'
import { queryTexts } from './query-texts.ts'

/** Live with the age of the data, or paused. Key: l. `extra` says what waits while paused ('+128'). */
export function LiveControl({
  paused,
  onChange,
  dataAt,
  connected = true,
  extra,
}: {
  paused: boolean
  onChange: (paused: boolean) => void
  /** Epoch ms of the newest data; undefined before the first. */
  dataAt: number | undefined
  /** False: nothing new can come in now. */
  connected?: boolean
  extra?: string | undefined
}) {
  const t = useTexts(queryTexts)
  useActions([
    {
      id: 'query.live',
      label: t(paused ? 'resume' : 'pause'),
      group: t('group'),
      keys: 'l',
      run: () => onChange(!paused),
    },
  ])
  const button =
    'inline-flex items-center gap-1.5 px-2.5 whitespace-nowrap text-muted first:rounded-l-[inherit] last:rounded-r-[inherit] hover:bg-hover selected:bg-selected selected:text-brand-text'
  return (
    <ToggleButtonGroup
      aria-label={t('liveLabel')}
      selectionMode="single"
      disallowEmptySelection
      selectedKeys={[paused ? 'paused' : 'live']}
      onSelectionChange={(keys) => onChange(keys.has('paused'))}
      className="inline-flex h-control flex-none rounded border border-line-strong bg-surface"
    >
      <ToggleButton id="live" className={`${button} border-r border-line`}>
        <span
          aria-hidden
          className={`size-[7px] rounded-full ${!connected ? 'bg-bad' : paused ? 'bg-faint' : 'bg-good'}`}
        />
        <span className="font-semibold">{t('live')}</span>
        {dataAt !== undefined && !paused && <DataAge at={dataAt} />}
      </ToggleButton>
      <ToggleButton id="paused" className={button}>
        <Icon of={Pause} size={14} />
        {t(paused ? 'paused' : 'pause')}
        {paused && extra && <span className="font-semibold">{extra}</span>}
      </ToggleButton>
    </ToggleButtonGroup>
  )
}

/** Seconds since `at`, ticking. */
function DataAge({ at }: { at: number }) {
  const now = useSecond()
  return <span className="tabular-nums">{ageText(now - at)}</span>
}

export function ageText(ms: number): string {
  const seconds = Math.max(0, ms) / 1000
  return seconds < 10
    ? `${seconds.toFixed(1)} s`
    : seconds < 120
      ? `${Math.round(seconds)} s`
      : formatDuration(seconds * 1000)
}

let second = Date.now()
const listeners = new Set<() => void>()
let timer: ReturnType<typeof setInterval> | undefined

/** One clock for all ages on the page. */
export function useSecond(): number {
  return useSyncExternalStore(subscribe, () => second)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  timer ??= setInterval(() => {
    second = Date.now()
    for (const one of listeners) one()
  }, 1000)
  return () => {
    listeners.delete(listener)
    if (listeners.size > 0) return
    clearInterval(timer)
    timer = undefined
  }
}
