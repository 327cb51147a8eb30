import type { Filter, Measure, Measures, Query } from '#contracts/query.ts'
import { absoluteRange, type Span } from '#contracts/time-range.ts'
import { formatNumber, formatPercent } from '#src/shared/format/number.ts'
import type { Translate } from '#src/shared/i18n/texts.ts'
import type { analysisTexts } from './analysis-texts.ts'

type Key = keyof (typeof analysisTexts)['entries'] & string
export type KpiKey = 'users' | 'newUsers' | 'starts' | 'attacks' | 'attackedUsers' | 'devices'

/** A figure of the page: what it measures, which events lie behind it, what its second line says. */
export type Kpi = {
  key: KpiKey & Measure
  /** Growth is bad news. */
  bad?: true
  /** Narrows the query to the events that it counts. */
  and: readonly Filter[]
  /** 'events': one row an event; otherwise it counts distinct users or devices. */
  unit: 'events' | 'user' | 'device'
  sub: (row: Measures, t: Translate<Key>) => string
}

const RISKS: Filter = { field: 'type', op: 'is', values: ['risk'] }
const STARTS: Filter = { field: 'type', op: 'is', values: ['start'] }
const share = (part: number, all: number) => (all > 0 ? formatPercent(part / all, part / all < 0.02 ? 2 : 1) : '–')

export const KPIS: readonly Kpi[] = [
  {
    key: 'users',
    and: [],
    unit: 'user',
    sub: (row, t) =>
      t('usersSub', { count: formatNumber(Math.max(0, (row.users ?? 0) - (row.newUsers ?? 0))) as never }),
  },
  {
    key: 'newUsers',
    and: [],
    unit: 'user',
    sub: (row, t) => t('ofActive', { share: share(row.newUsers ?? 0, row.users ?? 0) }),
  },
  {
    key: 'starts',
    and: [STARTS],
    unit: 'events',
    sub: (row, t) => t('startsSub', { count: (row.users ? ((row.starts ?? 0) / row.users).toFixed(1) : '–') as never }),
  },
  {
    key: 'attacks',
    bad: true,
    and: [RISKS],
    unit: 'events',
    sub: (row, t) =>
      t('attacksSub', { blocked: formatNumber(row.blocked ?? 0), observed: formatNumber(row.observed ?? 0) }),
  },
  {
    key: 'attackedUsers',
    bad: true,
    and: [RISKS],
    unit: 'user',
    sub: (row, t) => t('ofActive', { share: share(row.attackedUsers ?? 0, row.users ?? 0) }),
  },
  {
    key: 'devices',
    and: [],
    unit: 'device',
    sub: (row, t) => t('devicesSub', { count: formatNumber(row.newDevices ?? 0) as never }),
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
export const SPARK_MEASURES: Measure[] = KPIS.map((kpi) => kpi.key)

/** The selected figure: attacks unless the address names another. */
export function kpiOf(params: URLSearchParams): Kpi {
  const key = params.get('kpi')
  return KPIS.find((kpi) => kpi.key === key) ?? (KPIS[3] as Kpi)
}

/** The query at the very times that an answer was about, so that an export has as many lines as the figure says. */
export function pinned(query: Query, span: Span | undefined): Query {
  return span ? { ...query, range: absoluteRange(span) } : query
}

/** The query whose rows are what a figure counts. */
export function narrowed(query: Query, and: readonly Filter[]): Query {
  return { ...query, compare: 'none', filters: [...query.filters, ...and] }
}
