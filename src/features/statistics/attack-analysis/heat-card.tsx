import { Download, Table2 } from 'lucide-react'
import { type KeyboardEvent, useMemo, useRef, useState } from 'react'
import type { CountMeasure, Filter, Query } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { WEEKDAYS } from '#domain/vocabulary.ts'
import { type HeatCells, HOURS, joinedDays, layOutHeat } from '#src/features/statistics/attack-analysis/heat-cells.ts'
import { drawHeat } from '#src/features/statistics/attack-analysis/heat-picture.ts'
import { savePng } from '#src/features/statistics/parts/save-png.ts'
import { chartTexts } from '#src/shared/charts/chart-texts.ts'
import { shadeOf } from '#src/shared/charts/shade.ts'
import { formatExact } from '#src/shared/format/number.ts'
import { useLanguage, useTexts } from '#src/shared/i18n/texts.ts'
import { CardState } from '#src/shared/query/card-state.tsx'
import { behind } from '#src/shared/query/drill.ts'
import { rangeLabel, spanLabel } from '#src/shared/query/range-text.ts'
import type { QueryState } from '#src/shared/query/use-query-state.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { useFilterText } from '#src/shared/query/value-names.ts'
import { usePlatform } from '#src/shared/session/platform-store.ts'
import { IconButton } from '#src/shared/ui/icon-button.tsx'
import { Num } from '#src/shared/ui/num.tsx'
import { Section, type SectionState } from '#src/shared/ui/section.tsx'
import { Skeleton } from '#src/shared/ui/skeleton.tsx'
import { analysisTexts } from '../parts/analysis-texts.ts'

type Props = {
  state: QueryState
  title: string
  measure: CountMeasure
  and: readonly Filter[]
  onRows: (query: Query) => void
}
const DAYS = [0, 1, 2, 3, 4, 5, 6] as const

/** Weekday by hour in the platform's zone. A cell filters the page, with Shift it opens its events; arrow keys read the cells. */
export function HeatCard({
  part,
  span,
  sectionState,
  ...props
}: Props & { part: PartState<'heat'>; span: Span | undefined; sectionState: SectionState }) {
  const t = useTexts(analysisTexts)
  const c = useTexts(chartTexts)
  const language = useLanguage()
  const zone = usePlatform((platform) => platform.zone)
  const filterText = useFilterText()
  const { state, title, measure } = props
  const asTable = state.params.get('heat') === 'table'
  const cells = useMemo(() => (part.kind === 'ready' ? layOutHeat(part.answer, measure) : null), [part, measure])
  const joined = span ? joinedDays(span, zone) : []
  const dayName = (day: number) => WEEKDAYS[String(day) as keyof typeof WEEKDAYS][language]
  const png = () => {
    if (!cells || !span) return
    savePng(drawHeat(cells, dayName), {
      title: `${title}  ${t('perHour')}`,
      legend: formatExact(cells.total),
      footer: [
        `${rangeLabel(state.query.range, language, zone)} (${spanLabel(span, language, zone)}, ${zone})`,
        ...state.query.filters.map(filterText),
      ].join('   '),
      file: `${measure}-weekday-hour`,
    })
  }
  return (
    <Section
      plain
      title={title}
      note={
        <>
          {t('perHour')}
          {joined.length === 1 &&
            `${language === 'zh' ? '，' : ', '}${t('merged', { day: dayName(joined[0] as number) })}`}
        </>
      }
      state={part.kind === 'loading' ? 'loading' : sectionState}
      skeleton={<Skeleton lines={7} height="20px" className="px-5 pb-5" />}
      actions={
        <>
          {cells?.peak && (
            <span className="pr-3 text-12 text-muted max-md:hidden">
              {t('peak', {
                count: cells.peak.count,
                cell: `${dayName(cells.peak.weekday)} ${clock(cells.peak.hour)}`,
              })}
            </span>
          )}
          {cells && <Scale breaks={cells.breaks} />}
          <span className="inline-flex">
            <IconButton
              size="small"
              label={c(asTable ? 'asChart' : 'asTable')}
              icon={Table2}
              isSelected={asTable}
              onPress={() => state.setParams({ heat: asTable ? null : 'table' }, true)}
            />
            <IconButton size="small" label={c('png')} icon={Download} isDisabled={!cells} onPress={png} />
          </span>
        </>
      }
    >
      <CardState
        part={part}
        state={state}
        isEmpty={cells?.total === 0}
        measure={measure}
        and={props.and}
        minHeight={210}
      >
        {cells && (asTable ? <HeatTable cells={cells} title={title} /> : <HeatMap {...props} cells={cells} />)}
      </CardState>
    </Section>
  )
}

function Scale({ breaks }: { breaks: readonly number[] }) {
  return (
    <span className="inline-flex items-center gap-1.5 pr-2 text-12 text-muted max-sm:hidden" aria-hidden>
      &lt; {formatExact(breaks[0] ?? 0)}
      <span className="inline-flex">
        {[1, 2, 3, 4, 5].map((shade) => (
          <span key={shade} className="h-2 w-5" style={{ background: `var(--scale-${shade})` }} />
        ))}
      </span>
      ≥ {formatExact(breaks[3] ?? 0)}
    </span>
  )
}

function HeatMap({ state, title, measure, and, onRows, cells }: Props & { cells: HeatCells }) {
  const t = useTexts(analysisTexts)
  const language = useLanguage()
  const grid = useRef<HTMLDivElement>(null)
  const [at, setAt] = useState({ weekday: 0, hour: 0 })
  const move = (weekday: number, hour: number) => {
    const next = { weekday: (weekday + 7) % 7, hour: (hour + HOURS) % HOURS }
    setAt(next)
    grid.current?.querySelector<HTMLElement>(`[data-cell="${next.weekday} ${next.hour}"]`)?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key]
    if (!step) return
    event.preventDefault()
    move(at.weekday + (step[0] as number), at.hour + (step[1] as number))
  }
  const pick = (weekday: number, hour: number, rows: boolean) => {
    if (rows) onRows(behind(state.query, measure, { and, cell: { weekday, hour } }))
    else
      state.set({
        filters: [
          ...state.query.filters.filter((one) => one.field !== 'weekday' && one.field !== 'hour'),
          { field: 'weekday', op: 'is', values: [String(weekday)] },
          { field: 'hour', op: 'is', values: [String(hour)] },
        ],
      })
  }
  return (
    <div className="overflow-x-auto px-5 pb-3">
      {/* biome-ignore lint/a11y/useSemanticElements: cells are buttons that arrow keys walk, not data to read line by line */}
      <div
        ref={grid}
        role="group"
        aria-label={t('heatLabel', { title })}
        onKeyDown={onKeyDown}
        className="grid min-w-150 grid-cols-[auto_repeat(24,minmax(0,1fr))_auto] gap-px text-12"
      >
        {DAYS.map((weekday) => (
          <HeatRow
            key={weekday}
            weekday={weekday}
            cells={cells}
            name={WEEKDAYS[String(weekday) as keyof typeof WEEKDAYS][language]}
            current={at.weekday === weekday ? at.hour : null}
            onPick={pick}
            onDay={(exclude) => state.pick('weekday', String(weekday), exclude)}
          />
        ))}
        <span />
        {Array.from({ length: HOURS }, (_, hour) => (
          <span key={clock(hour)} className="pt-1 text-left whitespace-nowrap text-muted">
            {hour % 3 === 0 ? clock(hour) : ''}
          </span>
        ))}
      </div>
    </div>
  )
}

function HeatRow({
  weekday,
  name,
  cells,
  current,
  onPick,
  onDay,
}: {
  weekday: number
  name: string
  cells: HeatCells
  /** The hour whose cell takes the tab key. */
  current: number | null
  onPick: (weekday: number, hour: number, rows: boolean) => void
  onDay: (exclude: boolean) => void
}) {
  const c = useTexts(chartTexts)
  const sum = cells.byDay[weekday] ?? 0
  const isTop = sum > 0 && sum === Math.max(...cells.byDay)
  const strong = isTop ? 'font-semibold text-text' : 'text-muted'
  return (
    <>
      <button
        type="button"
        title={c('pickHint')}
        onClick={(event) => onDay(event.shiftKey)}
        className={`pr-3 text-left ${strong}`}
      >
        {name}
      </button>
      {(cells.counts[weekday] ?? []).map((count, hour) => {
        const isPeak = cells.peak?.weekday === weekday && cells.peak.hour === hour
        const shade = shadeOf(count, cells.breaks)
        return (
          <button
            key={clock(hour)}
            type="button"
            data-cell={`${weekday} ${hour}`}
            data-value={count}
            tabIndex={current === hour ? 0 : -1}
            aria-label={`${name} ${clock(hour)} ${formatExact(count)}`}
            title={`${name} ${clock(hour)}  ${formatExact(count)}`}
            disabled={count === 0}
            onClick={(event) => onPick(weekday, hour, event.shiftKey)}
            className={`h-6.5 min-w-0 rounded-[2px] enabled:hover:outline-1 enabled:hover:outline-brand ${isPeak ? 'outline-2 outline-text' : ''}`}
            style={{ background: shade === 0 ? 'var(--neutral)' : `var(--scale-${shade})` }}
          />
        )
      })}
      <span className={`pl-3 text-right ${strong}`}>
        <Num value={sum} />
      </span>
    </>
  )
}

function HeatTable({ cells, title }: { cells: HeatCells; title: string }) {
  const t = useTexts(analysisTexts)
  const language = useLanguage()
  const cell = 'h-7 border-b px-1.5 text-right first:pl-5 first:text-left last:pr-5'
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard
    <section tabIndex={0} aria-label={title} className="overflow-auto pb-3">
      <table aria-label={title} className="w-full border-collapse text-12">
        <thead>
          <tr className="text-muted">
            <th scope="col" className={`${cell} font-normal`}>
              {t('weekday')}
            </th>
            {Array.from({ length: HOURS }, (_, hour) => (
              <th key={clock(hour)} scope="col" className={`${cell} font-normal`}>
                {hour}
              </th>
            ))}
            <th scope="col" className={`${cell} font-normal`}>
              {t('total')}
            </th>
          </tr>
        </thead>
        <tbody>
          {DAYS.map((day) => (
            <tr key={day}>
              <th scope="row" className={`${cell} font-normal`}>
                {WEEKDAYS[String(day) as keyof typeof WEEKDAYS][language]}
              </th>
              {(cells.counts[day] ?? []).map((count, hour) => (
                <td key={clock(hour)} className={cell}>
                  {formatExact(count)}
                </td>
              ))}
              <td className={`${cell} font-semibold`}>{formatExact(cells.byDay[day] ?? 0)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function clock(hour: number): string {
  return `${String(hour).padStart(2, '0')}:00`
}
