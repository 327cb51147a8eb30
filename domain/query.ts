import { z } from 'zod'
import { BUCKETS, isRangeText } from './time-range.ts'
import {
  ACTIONS,
  EVENT_TYPES,
  LEVELS,
  ORIGINS,
  OUTCOMES,
  PLACE_SOURCES,
  PLATFORMS,
  RISK_TYPES,
  SURFACES,
  WEEKDAYS,
} from './vocabulary.ts'

/**
 * The one query object: address bar, chips, charts, tables, exports, live topics and alert rules all use it, so that a number
 * and the rows behind it agree. The server adds the caller's scope; a client cannot widen it.
 */

/**
 * Fields that can be filtered and grouped by. Values are always text: words of the vocabulary by key, applications by id,
 * provinces and cities by six-digit administrative code, countries by ISO 3166-1 alpha-2, devices and users by 32 hex digits.
 * The empty text means 'unknown' where a field may be missing. Weekday (0 is Sunday) and hour (0 to 23) are those of the query's
 * time basis in the platform's zone. `stored` is how the store keeps a value: a number (a word's code, an identifier; `unknown` is
 * the text for 0), a text, or a binary key.
 */
export const DIMENSIONS = {
  app: { stored: 'number', words: null, zh: '应用', en: 'Application' },
  type: { stored: 'number', words: EVENT_TYPES, zh: '事件类型', en: 'Event type' },
  risk: { stored: 'number', words: RISK_TYPES, zh: '风险类型', en: 'Risk type' },
  level: { stored: 'number', words: LEVELS, zh: '等级', en: 'Level' },
  action: { stored: 'number', words: ACTIONS, zh: '处置动作', en: 'Action' },
  outcome: { stored: 'number', words: OUTCOMES, zh: '处置结果', en: 'Outcome' },
  platform: { stored: 'number', words: PLATFORMS, zh: '平台', en: 'Platform' },
  country: { stored: 'text', words: null, zh: '国家或地区', en: 'Country or region' },
  province: { stored: 'number', unknown: '', words: null, zh: '省级地区', en: 'Province' },
  city: { stored: 'number', unknown: '', words: null, zh: '城市', en: 'City' },
  place: { stored: 'number', words: PLACE_SOURCES, zh: '位置来源', en: 'Place source' },
  site: { stored: 'number', unknown: '', words: null, zh: '站点', en: 'Site' },
  version: { stored: 'text', words: null, zh: '应用版本', en: 'Version' },
  channel: { stored: 'text', words: null, zh: '渠道', en: 'Channel' },
  os: { stored: 'text', words: null, zh: '系统', en: 'OS' },
  model: { stored: 'text', words: null, zh: '机型', en: 'Model' },
  network: { stored: 'text', words: null, zh: '网络', en: 'Network' },
  device: { stored: 'key', words: null, zh: '设备', en: 'Device' },
  user: { stored: 'key', words: null, zh: '用户', en: 'User' },
  address: { stored: 'text', words: null, zh: '地址', en: 'Address' },
  /** Of a crash, ANR or exception: the fingerprint of its stack, 16 hex digits; of a web event or a page's risk: the kind that its sender reports. */
  group: { stored: 'text', words: null, zh: '分组', en: 'Group' },
  origin: { stored: 'number', words: ORIGINS, zh: '来源', en: 'Origin' },
  surface: { stored: 'number', words: SURFACES, zh: '端', en: 'Surface' },
  /** Path of the page that a web event names, its first PAGE_LENGTH characters; gone with the free detail after 30 days. */
  page: { stored: 'text', words: null, zh: '页面', en: 'Page' },
  weekday: { stored: 'number', words: WEEKDAYS, zh: '星期', en: 'Weekday' },
  hour: { stored: 'number', words: null, zh: '小时', en: 'Hour' },
} as const
export type Dimension = keyof typeof DIMENSIONS
export const PAGE_LENGTH = 120
export const DimensionSchema = z.enum(Object.keys(DIMENSIONS) as [Dimension, ...Dimension[]])

/** What can be counted. All counts are exact; distinct ones too (decisions 18 and 19). */
export const MEASURES = {
  events: { zh: '事件数', en: 'Events' },
  attacks: { zh: '攻击次数', en: 'Attacks' },
  blocked: { zh: '已拦截', en: 'Blocked' },
  observed: { zh: '仅观察', en: 'Observed' },
  starts: { zh: '启动次数', en: 'Starts' },
  crashes: { zh: '崩溃数', en: 'Crashes' },
  anrs: { zh: 'ANR 数', en: 'ANRs' },
  exceptions: { zh: '异常数', en: 'Exceptions' },
  devices: { zh: '活跃设备', en: 'Active devices' },
  users: { zh: '活跃用户', en: 'Active users' },
  attackedDevices: { zh: '受攻击设备', en: 'Attacked devices' },
  attackedUsers: { zh: '受攻击用户', en: 'Attacked users' },
  newDevices: { zh: '新增设备', en: 'New devices' },
  newUsers: { zh: '新增用户', en: 'New users' },
} as const
export type Measure = keyof typeof MEASURES
export const MeasureSchema = z.enum(Object.keys(MEASURES) as [Measure, ...Measure[]])

/** Measures that count rows: they add up over groups, buckets and cells. */
export const COUNT_MEASURES = [
  'events',
  'attacks',
  'blocked',
  'observed',
  'starts',
  'crashes',
  'anrs',
  'exceptions',
] as const satisfies readonly Measure[]
export type CountMeasure = (typeof COUNT_MEASURES)[number]
const CountMeasureSchema = z.enum(COUNT_MEASURES)

/** The published rule of abnormal periods: after so many quiet minutes a new one begins. */
export const PERIOD_GAP_MINUTES = 30

export const FilterSchema = z.strictObject({
  field: DimensionSchema,
  op: z.enum(['is', 'not']),
  /** Any of these. */
  values: z.array(z.string().max(128)).min(1).max(50),
})
export type Filter = z.infer<typeof FilterSchema>

export const RangeTextSchema = z.string().max(40).refine(isRangeText, 'not a time range')
export const TimeBasisSchema = z.enum(['received', 'occurred'])
export type TimeBasis = z.infer<typeof TimeBasisSchema>

export const QuerySchema = z.strictObject({
  range: RangeTextSchema,
  timeBasis: TimeBasisSchema.default('occurred'),
  filters: z.array(FilterSchema).max(20).default([]),
  compare: z.enum(['none', 'previous', 'week']).default('none'),
})
export type Query = z.infer<typeof QuerySchema>

/** Whose applications a caller may see: all, or these numbers (applications.num). Made by the server alone. */
export type Scope = { readonly apps: 'all' | readonly number[] }

// ---------------------------------------------------------------------------------------------------- parts of an answer

const measures = z.array(MeasureSchema).min(1).max(14)
const countMeasures = z.array(CountMeasureSchema).min(1).max(8)
const and = z.array(FilterSchema).max(10).default([])

/** One question on the query; `and` narrows this part further. */
export const PartSchema = z.discriminatedUnion('kind', [
  /** One row of measures; with `compare`, a second one for the earlier span. */
  z.strictObject({ kind: z.literal('total'), measures, and }),
  /** Measures by time bucket, optionally split by one dimension. */
  z.strictObject({
    kind: z.literal('series'),
    measures,
    bucket: z.enum(['auto', ...(Object.keys(BUCKETS) as (keyof typeof BUCKETS)[])]).default('auto'),
    by: DimensionSchema.optional(),
    and,
  }),
  /** The highest `limit` values of a dimension by the first measure, the count of all groups and the rest as `others`. */
  z.strictObject({
    kind: z.literal('top'),
    by: DimensionSchema,
    measures,
    limit: z.int().min(1).max(200).default(10),
    /** Also when each listed group was first and last seen. */
    seen: z.literal(true).optional(),
    and,
  }),
  /** Weekday by hour, in the platform's zone: the measures of each of the 168 cells that has rows. */
  z.strictObject({ kind: z.literal('heat'), measures: countMeasures, and }),
  /**
   * What explains a change: the values of a dimension whose measure moved most between the compared span and the span, either way;
   * without `compare` everything is new.
   */
  z.strictObject({
    kind: z.literal('change'),
    by: DimensionSchema,
    measure: CountMeasureSchema,
    limit: z.int().min(1).max(50).default(10),
    and,
  }),
  /**
   * Contiguous periods of one device each: its events stand in one period while no gap between two of them is longer than
   * `gapMinutes`. A period that the span cuts is cut.
   */
  z.strictObject({
    kind: z.literal('periods'),
    gapMinutes: z.int().min(1).max(1440).default(PERIOD_GAP_MINUTES),
    sort: z.enum(['last', 'events', 'length']).default('last'),
    limit: z.int().min(1).max(200).default(50),
    offset: z.int().min(0).max(1_000_000).default(0),
    and,
  }),
  /** One line a device or user: attacks, events, highest level, main risk, last place, last time. */
  z.strictObject({
    kind: z.literal('entities'),
    entity: z.enum(['device', 'user']),
    sort: z.enum(['attacks', 'events', 'crashes', 'anrs', 'exceptions', 'last']).default('attacks'),
    /** Those alone whose first occurrence lies in the span: what newDevices and newUsers count. */
    fresh: z.literal(true).optional(),
    /** Of devices: those that an analyst judged so in any application of the caller's, or in none. The server looks them up. */
    verdict: z.enum(['trusted', 'watched', 'banned', 'none']).optional(),
    limit: z.int().min(1).max(200).default(50),
    offset: z.int().min(0).max(1_000_000).default(0),
    and,
  }),
  /** Single events, newest first by the query's time basis; `cursor` comes from the answer before. */
  z.strictObject({
    kind: z.literal('rows'),
    limit: z.int().min(1).max(200).default(50),
    cursor: z.string().max(80).optional(),
    order: z.enum(['desc', 'asc']).default('desc'),
    and,
  }),
])
export type Part = z.infer<typeof PartSchema>
export type PartInput = z.input<typeof PartSchema>

export type Measures = Partial<Record<Measure, number>>
export type TotalAnswer = { kind: 'total'; row: Measures; previous?: Measures }
/** `start` of each bucket in epoch ms; partial buckets (first, last) are named by the span of the answer. */
export type SeriesAnswer = {
  kind: 'series'
  bucket: keyof typeof BUCKETS
  points: { start: number; key?: string; row: Measures }[]
  previous?: { start: number; key?: string; row: Measures }[]
}
export type TopAnswer = {
  kind: 'top'
  groups: { key: string; row: Measures; previous?: Measures; firstAt?: number; lastAt?: number }[]
  /** How many groups there are in all, and the additive measures of those not listed. */
  groupCount: number
  others: Measures
}
/** Cells with any row, by weekday (0 is Sunday) and hour of the platform's zone. */
export type HeatAnswer = { kind: 'heat'; cells: { weekday: number; hour: number; row: Measures }[] }
/** `now` and `before` of all values, and those of the values that moved most. */
export type ChangeAnswer = {
  kind: 'change'
  now: number
  before: number
  groups: { key: string; now: number; before: number }[]
  groupCount: number
}
export type PeriodRow = {
  device: string
  /** First and last event. */
  from: number
  to: number
  events: number
  attacks: number
  crashes: number
  anrs: number
  exceptions: number
  /** Highest of its attacks, '' without any. */
  level: string
}
export type PeriodsAnswer = { kind: 'periods'; rows: PeriodRow[]; total: number }
export type EntityRow = {
  key: string
  attacks: number
  events: number
  crashes: number
  anrs: number
  exceptions: number
  /** Distinct users of a device, or devices of a user. */
  counterparts: number
  level: string
  risk: string
  country: string
  province: string
  city: string
  platform: string
  model: string
  version: string
  app: string
  firstAt: number
  lastAt: number
}
export type EntitiesAnswer = { kind: 'entities'; rows: EntityRow[]; total: number }
export type RowsAnswer = { kind: 'rows'; rows: EventRow[]; nextCursor?: string }
export type PartAnswer =
  | TotalAnswer
  | SeriesAnswer
  | TopAnswer
  | HeatAnswer
  | ChangeAnswer
  | PeriodsAnswer
  | EntitiesAnswer
  | RowsAnswer
export type AnswerOf<K extends Part['kind']> = Extract<PartAnswer, { kind: K }>

/** One event as every list, drawer, export and live feed shows it: words by key, times in epoch ms. */
export type EventRow = {
  id: string
  app: string
  type: string
  risk: string
  level: string
  action: string
  platform: string
  occurredAt: number
  receivedAt: number
  reportedAt: number | null
  device: string
  user: string
  version: string
  channel: string
  os: string
  model: string
  brand: string
  network: string
  sdk: string
  country: string
  province: string
  city: string
  placeSource: string
  placePrecision: string
  lon: number | null
  lat: number | null
  site: string
  address: string
  /** See the dimension `group`. */
  group: string
  corrected: boolean
  imported: boolean
  /** Modelled rest of the wire event: package name, signer, session, detail. */
  extra: Record<string, unknown>
}

// -------------------------------------------------------------------------------------------------------- address bar

/** The query as address parameters: range, tb, cmp and one `f` a filter (`level:high,critical`, excluded with a leading `!`). */
export function queryToParams(query: Query): URLSearchParams {
  const params = new URLSearchParams({ range: query.range })
  if (query.timeBasis !== 'occurred') params.set('tb', query.timeBasis)
  if (query.compare !== 'none') params.set('cmp', query.compare)
  for (const { field, op, values } of query.filters)
    params.append('f', `${op === 'not' ? '!' : ''}${field}:${values.map(encodeURIComponent).join(',')}`)
  return params
}

/** Reads what queryToParams wrote; whatever is not understood falls back to `defaults`, so an old link still opens. */
export function queryFromParams(params: URLSearchParams, defaults: Partial<Query> = {}): Query {
  const filters: Filter[] = []
  for (const text of params.getAll('f').slice(0, 20)) {
    const match = /^(!?)([a-z]+):(.*)$/s.exec(text)
    if (!match || !Object.hasOwn(DIMENSIONS, match[2] as string)) continue
    const values = (match[3] as string).split(',').map(decode).slice(0, 50)
    filters.push({ field: match[2] as Dimension, op: match[1] ? 'not' : 'is', values })
  }
  const range = params.get('range')
  const basis = TimeBasisSchema.safeParse(params.get('tb') ?? defaults.timeBasis)
  const compare = QuerySchema.shape.compare.safeParse(params.get('cmp') ?? defaults.compare)
  return {
    range: range && isRangeText(range) ? range : (defaults.range ?? '-24h'),
    timeBasis: basis.success ? basis.data : 'occurred',
    compare: compare.success ? compare.data : 'none',
    filters: params.has('f') ? filters : (defaults.filters ?? []),
  }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** The same filters in one order, so that equal queries are equal texts (live topics, cache keys). */
export function canonicalFilters(filters: readonly Filter[]): Filter[] {
  return filters
    .map((filter) => ({ ...filter, values: [...new Set(filter.values)].sort() }))
    .sort((a, b) => {
      const [x, y] = [a, b].map((one) => `${one.field}\0${one.op}\0${one.values.join('\0')}`) as [string, string]
      return x < y ? -1 : x > y ? 1 : 0
    })
}
