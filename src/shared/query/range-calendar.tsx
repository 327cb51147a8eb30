import { type CalendarDateTime, fromAbsolute, toCalendarDateTime } from '@internationalized/date'
import { CalendarDays, ChevronLeft, ChevronRight } from 'lucide-react'
import { useState } from 'react'
import {
  Button as AriaButton,
  RangeCalendar as AriaRangeCalendar,
  CalendarCell,
  CalendarGrid,
  DateInput,
  DateRangePicker,
  DateSegment,
  Dialog,
  Group,
  Heading,
  I18nProvider,
  Label,
  Popover,
} from 'react-aria-components'
import { absoluteRange, isRangeText, resolveRange } from '#domain/time-range.ts'
import { useLanguage, useTexts } from '../i18n/texts.ts'
import { usePlatform } from '../session/platform-store.ts'
import { Button } from '../ui/button.tsx'
import { FIELD_LABEL } from '../ui/field.ts'
import { Icon } from '../ui/icon.tsx'
import { MENU_BOX } from '../ui/menu-class.ts'
import { queryTexts } from './query-texts.ts'

type Sides = { start: CalendarDateTime; end: CalendarDateTime }
const SEGMENT =
  'rounded-[3px] px-px text-12 outline-none focus:bg-brand-fill focus:text-brand-on placeholder-shown:text-muted'
const STEP = 'flex size-7 items-center justify-center rounded-small text-muted hover:bg-hover'

/** Absolute times to the minute, typed or from a calendar, in the platform's zone. */
export default function RangeCalendar({ range, onApply }: { range: string; onApply: (range: string) => void }) {
  const t = useTexts(queryTexts)
  const language = useLanguage()
  const zone = usePlatform((state) => state.zone)
  const [sides, setSides] = useState<Sides | null>(() => {
    const span = resolveRange(range, Date.now(), zone)
    const at = (time: number) => toCalendarDateTime(fromAbsolute(time - (time % 60_000), zone))
    return { start: at(span.from), end: at(span.to) }
  })
  const text =
    sides && absoluteRange({ from: sides.start.toDate(zone).getTime(), to: sides.end.toDate(zone).getTime() })
  const valid = text !== null && isRangeText(text)
  return (
    <I18nProvider locale={language === 'zh' ? 'zh-CN' : 'en-US'}>
      <DateRangePicker value={sides} onChange={setSides} granularity="minute" hourCycle={24} shouldForceLeadingZeros>
        <Label className={FIELD_LABEL}>{t('absolute')}</Label>
        <Group className="flex items-center gap-1 rounded border border-line-strong bg-surface py-1 pr-1 pl-2">
          <span className="min-w-0 flex-1">
            <DateInput slot="start" className="flex">
              {(segment) => <DateSegment segment={segment} className={SEGMENT} />}
            </DateInput>
            <DateInput slot="end" className="flex">
              {(segment) => <DateSegment segment={segment} className={SEGMENT} />}
            </DateInput>
          </span>
          <AriaButton className={STEP}>
            <Icon of={CalendarDays} />
          </AriaButton>
          <Button size="small" isDisabled={!valid} onPress={() => valid && onApply(text)}>
            {t('apply')}
          </Button>
        </Group>
        <Popover className={MENU_BOX} placement="bottom end" offset={4}>
          <Dialog className="p-3">
            <AriaRangeCalendar>
              <header className="mb-2 flex items-center">
                <AriaButton slot="previous" className={STEP}>
                  <Icon of={ChevronLeft} />
                </AriaButton>
                <Heading className="flex-1 text-center text-13 font-semibold" />
                <AriaButton slot="next" className={STEP}>
                  <Icon of={ChevronRight} />
                </AriaButton>
              </header>
              <CalendarGrid className="[&_th]:h-7 [&_th]:text-12 [&_th]:font-normal [&_th]:text-muted">
                {(date) => (
                  <CalendarCell
                    date={date}
                    className="flex size-8 items-center justify-center rounded-small text-12 outline-none hover:bg-hover focus-visible:outline-2 focus-visible:outline-brand-fill outside-month:invisible disabled:text-muted selected:rounded-none selected:bg-selected selected:text-brand-text selection-start:rounded-l-small selection-start:bg-brand-fill selection-start:text-brand-on selection-end:rounded-r-small selection-end:bg-brand-fill selection-end:text-brand-on"
                  />
                )}
              </CalendarGrid>
            </AriaRangeCalendar>
          </Dialog>
        </Popover>
      </DateRangePicker>
    </I18nProvider>
  )
}
