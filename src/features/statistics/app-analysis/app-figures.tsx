import type { AnswerOf, Measures } from '#domain/query.ts'
import type { Span } from '#domain/time-range.ts'
import { Course, type Figure, FigureRow, perThousand } from '#src/features/statistics/parts/figure-row.tsx'
import { formatNumber, formatPercent } from '#src/shared/format/number.ts'
import { type Translate, useTexts } from '#src/shared/i18n/texts.ts'
import type { PartState } from '#src/shared/query/use-statistics.ts'
import { APP_FIGURES, type AppFigure } from './app-parts.ts'
import { appTexts } from './app-texts.ts'

type Words = Translate<keyof (typeof appTexts)['entries'] & string>
const isRate = (key: AppFigure) => key === 'crashes' || key === 'anrs' || key === 'exceptions'

function figureOf(key: AppFigure, row: Measures): number {
  if (isRate(key)) return perThousand(row[key], row.starts)
  if (key === 'attackedDevices') return row.devices ? (row.attackedDevices ?? 0) / row.devices : 0
  return row[key] ?? 0
}

function subOf(key: AppFigure, row: Measures, t: Words): string {
  const { starts = 0, devices = 0, users = 0, newUsers = 0, newDevices = 0, attacks = 0, attackedDevices = 0 } = row
  const both = (all: number, fresh: number) => ({
    fresh: formatNumber(fresh),
    back: formatNumber(Math.max(0, all - fresh)),
  })
  switch (key) {
    case 'starts':
      return t('startsSub', { number: devices > 0 ? (starts / devices).toFixed(1) : '–' })
    case 'users':
      return t('usersSub', both(users, newUsers))
    case 'devices':
      return t('devicesSub', both(devices, newDevices))
    case 'newDevices':
      return t('newDevicesSub', { share: formatPercent(devices > 0 ? newDevices / devices : 0) })
    case 'attackedDevices':
      return t('riskSub', { devices: formatNumber(attackedDevices), attacks: formatNumber(attacks) })
    default:
      return t(starts > 0 ? 'rateSub' : 'noStarts', { number: formatNumber(row[key] ?? 0) })
  }
}

/** Eight figures of the application; choosing one switches the page to it. */
export function AppFigures({
  totals,
  courses,
  span,
  previous,
  selected,
  onSelect,
  stale,
}: {
  totals: PartState<'total'>
  courses: PartState<'series'>
  span: Span | undefined
  previous: Span | null
  selected: AppFigure
  onSelect: (key: AppFigure) => void
  stale: boolean
}) {
  const t = useTexts(appTexts)
  const figuresOf = ({ row, previous: before }: AnswerOf<'total'>) =>
    APP_FIGURES.map(
      (key): Figure<AppFigure> => ({
        key,
        label: t(key),
        value: figureOf(key, row),
        before: before && figureOf(key, before),
        bad: isRate(key) || key === 'attackedDevices',
        ...(isRate(key) ? { as: 'rate' } : key === 'attackedDevices' ? { as: 'share' } : {}),
        sub: subOf(key, row, t),
        course: courses.kind === 'ready' &&
          span &&
          courses.answer.points.some(({ row: at }) => at[key] !== undefined) && (
            <Course answer={courses.answer} measure={key} span={span} previous={previous} />
          ),
      }),
    )
  return (
    <FigureRow
      label={t('kpis')}
      figures={totals.kind === 'ready' ? figuresOf(totals.answer) : { count: APP_FIGURES.length }}
      selected={selected}
      onSelect={onSelect}
      stale={stale}
      error={totals.kind === 'error' ? totals.error : undefined}
    />
  )
}
