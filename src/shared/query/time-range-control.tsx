import { CalendarClock, ChevronDown, ChevronLeft, ChevronRight } from 'lucide-react'
import { lazy, Suspense, useLayoutEffect, useRef, useState } from 'react'
import { Button } from 'react-aria-components'
import { QUICK_RANGES, resolveRange } from '#domain/time-range.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { useActions } from '../ui/actions.ts'
import { Icon } from '../ui/icon.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { Popover } from '../ui/popover.tsx'
import { TextField } from '../ui/text-field.tsx'
import { queryTexts } from './query-texts.ts'
import { parseRangeText, rangeLabel, reachesNow, relativeOfLength, shiftRange, zoomOut } from './range-text.ts'

/** The calendar is loaded when the control opens. */
const RangeCalendar = lazy(() => import('./range-calendar.tsx'))

/** One control for time: quick ranges, typed text, calendar, shift, zoom out, jump to now. Keys: t, [ and ]. */
export function TimeRangeControl({
  range,
  onChange,
  size = 'control',
}: {
  range: string
  onChange: (range: string) => void
  /** `small` beside the small filters of a list. */
  size?: 'control' | 'small'
}) {
  const t = useTexts(queryTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const [isOpen, setOpen] = useState(false)
  // Two steps may be taken before the first of them is drawn.
  const latest = useRef(range)
  useLayoutEffect(() => {
    latest.current = range
  }, [range])
  const shift = (direction: -1 | 1) => {
    latest.current = shiftRange(latest.current, direction, Date.now(), zone)
    onChange(latest.current)
  }
  const choose = (next: string) => {
    onChange(next)
    setOpen(false)
  }
  const toNow = () => {
    const span = resolveRange(range, Date.now(), zone)
    choose(reachesNow(range) ? range : relativeOfLength(span.to - span.from))
  }
  useActions([
    { id: 'query.time', label: t('range'), group: t('group'), keys: 't', run: () => setOpen(true) },
    { id: 'query.earlier', label: t('earlier'), group: t('group'), keys: '[', run: () => shift(-1) },
    {
      id: 'query.later',
      label: t('later'),
      group: t('group'),
      keys: ']',
      isDisabled: reachesNow(range),
      run: () => shift(1),
    },
    {
      id: 'query.zoomOut',
      label: t('zoomOut'),
      group: t('group'),
      run: () => onChange(zoomOut(range, Date.now(), zone)),
    },
  ])
  const quiet = 'rounded-small px-2 h-7 text-12 text-brand-text hover:bg-hover disabled:text-muted'
  return (
    <div
      className={`inline-flex items-center ${size === 'small' ? 'h-7 text-12' : 'h-control'} rounded border border-line-strong bg-surface max-sm:min-w-0 max-sm:flex-1`}
    >
      <span className="max-sm:hidden">
        <IconButton label={t('earlier')} hint="[" icon={ChevronLeft} size="small" onPress={() => shift(-1)} />
      </span>
      <Popover
        label={t('range')}
        isOpen={isOpen}
        onOpenChange={setOpen}
        trigger={
          <Button className="flex h-full min-w-0 items-center gap-1.5 border-x border-line px-2.5 whitespace-nowrap hover:bg-hover max-sm:w-full max-sm:border-0">
            <Icon of={CalendarClock} className="text-muted" />
            <span className="text-clip-line">{rangeLabel(range, language, zone)}</span>
            <Icon of={ChevronDown} size={14} className="text-muted max-sm:ml-auto" />
          </Button>
        }
      >
        <div className="flex max-h-[80vh] w-[340px] max-w-full flex-col gap-3 overflow-auto p-3">
          <TypedRange onChoose={choose} />
          <fieldset aria-label={t('quick')} className="grid grid-cols-3 gap-1">
            {QUICK_RANGES.map((one) => (
              <button
                key={one}
                type="button"
                aria-pressed={one === range}
                onClick={() => choose(one)}
                className="h-7 rounded-small px-2 text-left text-12 hover:bg-hover aria-pressed:bg-selected aria-pressed:font-semibold aria-pressed:text-brand-text"
              >
                {rangeLabel(one, language, zone)}
              </button>
            ))}
          </fieldset>
          <Suspense fallback={<div className="late h-16 rounded bg-neutral" />}>
            <RangeCalendar key={range} range={range} onApply={choose} />
          </Suspense>
          <div className="flex items-center gap-1 border-t pt-2">
            <button type="button" className={quiet} onClick={() => onChange(zoomOut(range, Date.now(), zone))}>
              {t('zoomOut')}
            </button>
            <button type="button" className={quiet} disabled={reachesNow(range)} onClick={toNow}>
              {t('now')}
            </button>
            <span className="ml-auto text-12 text-muted">{t('zone', { zone })}</span>
          </div>
        </div>
      </Popover>
      <span className="max-sm:hidden">
        <IconButton
          label={t('later')}
          hint="]"
          icon={ChevronRight}
          size="small"
          isDisabled={reachesNow(range)}
          onPress={() => shift(1)}
        />
      </span>
    </div>
  )
}

function TypedRange({ onChoose }: { onChoose: (range: string) => void }) {
  const t = useTexts(queryTexts)
  const zone = usePlatform((state) => state.zone)
  const [text, setText] = useState('')
  const [wrong, setWrong] = useState(false)
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        const range = parseRangeText(text, Date.now(), zone)
        if (range) onChoose(range)
        else setWrong(true)
      }}
    >
      <TextField
        autoFocus
        label={t('typed')}
        hideLabel
        value={text}
        onChange={(value) => {
          setText(value)
          setWrong(false)
        }}
        placeholder={t('typedHint')}
        error={wrong ? t('typedWrong') : undefined}
        autoComplete="off"
      />
    </form>
  )
}
