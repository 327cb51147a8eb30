import type { Measure, Measures, PartInput } from '#domain/query.ts'
import { measureParts } from '#src/features/statistics/parts/measure-parts.ts'
import { formatNumber, formatPercent } from '#src/shared/format/number.ts'
import type { Translate } from '#src/shared/i18n/texts.ts'
import { MEASURE_FILTERS } from '#src/shared/query/drill.ts'
import type { userAnalysisTexts } from './user-analysis-texts.ts'

type Key = keyof (typeof userAnalysisTexts)['entries'] & string
type KpiKey = 'users' | 'newUsers' | 'starts' | 'attacks' | 'attackedUsers' | 'devices'

/** A figure of the page: what it measures, which events lie behind it, what its second line says. */
export type Kpi = {
  key: KpiKey & Measure
  /** Growth is bad news. */
  bad?: true
  /** 'events': one row an event; otherwise it counts distinct users or devices. */
  unit: 'events' | 'user' | 'device'
  sub: (row: Measures, t: Translate<Key>) => string
}

const share = (part: number, all: number) => (all > 0 ? formatPercent(part / all, part / all < 0.02 ? 2 : 1) : '–')

export const KPIS: readonly Kpi[] = [
  {
    key: 'users',
    unit: 'user',
    sub: (row, t) => t('usersSub', { number: formatNumber(Math.max(0, (row.users ?? 0) - (row.newUsers ?? 0))) }),
  },
  {
    key: 'newUsers',
    unit: 'user',
    sub: (row, t) => t('ofActive', { share: share(row.newUsers ?? 0, row.users ?? 0) }),
  },
  {
    key: 'starts',
    unit: 'events',
    sub: (row, t) => t('startsSub', { number: row.users ? ((row.starts ?? 0) / row.users).toFixed(1) : '–' }),
  },
  {
    key: 'attacks',
    bad: true,
    unit: 'events',
    sub: (row, t) =>
      t('attacksSub', { blocked: formatNumber(row.blocked ?? 0), observed: formatNumber(row.observed ?? 0) }),
  },
  {
    key: 'attackedUsers',
    bad: true,
    unit: 'user',
    sub: (row, t) => t('ofActive', { share: share(row.attackedUsers ?? 0, row.users ?? 0) }),
  },
  {
    key: 'devices',
    unit: 'device',
    sub: (row, t) => t('devicesSub', { number: formatNumber(row.newDevices ?? 0) }),
  },
]

export const KPI_MEASURES: Measure[] = [
  'users',
  'newUsers',
  'starts',
  'attacks',
  'attackedUsers',
  'devices',
  'blocked',
  'observed',
  'newDevices',
]
export const SPARK_MEASURES: Kpi['key'][] = KPIS.map((kpi) => kpi.key)

/** What a figure's cell shows besides its value. */
export function kpiFigure(key: Kpi['key'], row: Measures, t: Translate<Key>) {
  const kpi = KPIS.find((one) => one.key === key) as Kpi
  return { label: t(key), bad: kpi.bad ?? false, sub: kpi.sub(row, t) }
}

/** The selected figure: attacks unless the address names another. */
export function kpiOf(params: URLSearchParams): Kpi {
  const key = params.get('kpi')
  return KPIS.find((kpi) => kpi.key === key) ?? (KPIS[3] as Kpi)
}

/** What the page asks in one request. */
export function userParts({ key }: Kpi) {
  return {
    totals: { kind: 'total', measures: KPI_MEASURES },
    sparks: { kind: 'series', measures: SPARK_MEASURES },
    levels: { kind: 'series', measures: ['attacks'], by: 'level', and: [...MEASURE_FILTERS.attacks] },
    ...measureParts(key),
  } satisfies Record<string, PartInput>
}
