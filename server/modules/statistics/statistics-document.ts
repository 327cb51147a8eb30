import type { Language } from '#contracts/errors.ts'
import { type Dimension, MEASURES, type Measure, type Part, type Query, type Scope } from '#domain/query.ts'
import type { Block, LabelledText } from '#engines/report/document.ts'
import { trendChart } from '#engines/report/trend-chart.ts'
import type { ServerDeps } from '../../http/module.ts'
import { zonedTime } from '../../platform/tables/zoned-time.ts'
import { type ExportWords, exportWords, type PlaceNames } from '../../query/export-words.ts'
import { resolveQuery } from '../../query/resolve-query.ts'

const TEXTS = {
  title: { zh: '移动应用安全统计报告', en: 'Mobile application security statistics' },
  all: { zh: '全部应用', en: 'All applications' },
  period: { zh: '统计周期', en: 'Period' },
  compared: { zh: '对比周期', en: 'Compared with' },
  basis: { zh: '时间口径', en: 'Time basis' },
  received: { zh: '按到达时间', en: 'by arrival' },
  occurred: { zh: '按发生时间', en: 'by occurrence' },
  filters: { zh: '筛选条件', en: 'Filters' },
  not: { zh: '不含 ', en: 'not ' },
  overview: { zh: '概览', en: 'Overview' },
  figure: { zh: '指标', en: 'Figure' },
  value: { zh: '数值', en: 'Value' },
  before: { zh: '对比周期', en: 'Compared' },
  change: { zh: '变化', en: 'Change' },
  trend: { zh: '趋势', en: 'Trend' },
  time: { zh: '时间', en: 'Time' },
  none: { zh: '周期内没有数据', en: 'There is no data in this period' },
  share: { zh: '占比', en: 'Share' },
  others: { zh: '其他（{n} 项）', en: 'Others ({n})' },
  exact: { zh: '所有数字均为精确计数。', en: 'All figures are exact counts.' },
} as const

const FIGURES = [
  ...(['events', 'attacks', 'blocked', 'observed', 'devices', 'users'] as const),
  ...(['attackedDevices', 'attackedUsers', 'newDevices', 'starts', 'crashes', 'anrs', 'exceptions'] as const),
] satisfies Measure[]
/** What attacks are grouped by: no device, user or address, so the report holds nothing personal. */
const GROUPS = ['risk', 'level', 'action', 'app', 'province', 'version', 'platform'] as const satisfies Dimension[]
const ROWS = 10

/** What the statistics report of a query says: its figures, their trend, and attacks by what they were and where they hit. */
export async function statisticsDocument(
  deps: Pick<ServerDeps, 'meta' | 'store'> & { zone: string; placeName: PlaceNames },
  { query: asked, scope, now, language }: { query: Query; scope: Scope; now: number; language: Language },
): Promise<{ title: string; subject: string; cover: LabelledText[]; blocks: Block[] }> {
  const t = (key: keyof typeof TEXTS, n = 0) => TEXTS[key][language].replace('{n}', String(n))
  const { zone } = deps
  const words = await exportWords(deps.meta, language, zone, deps.placeName)
  const query = resolveQuery(asked, scope, now, zone)
  const and = [{ field: 'type' as const, op: 'is' as const, values: ['risk'] }]
  const parts: Record<string, Part> = {
    total: { kind: 'total', measures: [...FIGURES], and: [] },
    trend: { kind: 'series', measures: ['attacks', 'blocked'], bucket: 'auto', and: [] },
    ...Object.fromEntries(
      GROUPS.map((by) => [by, { kind: 'top', by, measures: ['attacks', 'blocked'], limit: ROWS, and } satisfies Part]),
    ),
  }
  const answers = await deps.store.answers(query, parts)
  /** A part that failed fails the report: one without it would look whole. */
  const part = <K extends 'total' | 'series' | 'top'>(name: string, kind: K) => {
    const answer = answers[name]
    if (answer?.kind !== kind) throw new Error(`statistics report: ${name} ${JSON.stringify(answer).slice(0, 200)}`)
    return answer as Extract<typeof answer, { kind: K }>
  }
  const time = (at: number) => zonedTime(at, zone).slice(0, 16).replace('T', ' ')
  const spanText = ({ from, to }: { from: number; to: number }) => `${time(from)} – ${time(to)}`
  const total = part('total', 'total')
  const attacks = total.row.attacks ?? 0
  const apps = asked.filters.find(({ field, op }) => field === 'app' && op === 'is')?.values
  const list = (texts: readonly string[]) => texts.join(language === 'zh' ? '、' : ', ')
  const filters = asked.filters.map(
    ({ field, op, values }) =>
      `${words.dimension(field)}: ${op === 'not' ? t('not') : ''}${list(values.map((value) => words.value(field, value)))}`,
  )
  return {
    title: t('title'),
    subject: apps ? list(apps.map((app) => words.value('app', app))) : t('all'),
    cover: [
      { label: t('period'), text: spanText(query.span) },
      ...(query.compared ? [{ label: t('compared'), text: spanText(query.compared) }] : []),
      { label: t('basis'), text: `${t(asked.timeBasis)}, ${zone}` },
      ...(filters.length > 0 ? [{ label: t('filters'), text: filters.join('; ') }] : []),
    ],
    blocks: [
      { kind: 'heading', level: 1, text: t('overview') },
      {
        kind: 'table',
        columns: [
          { title: t('figure'), share: 3 },
          { title: t('value'), share: 2, align: 'right' },
          ...(query.compared
            ? ([
                { title: t('before'), share: 2, align: 'right' },
                { title: t('change'), share: 2, align: 'right' },
              ] as const)
            : []),
        ],
        rows: FIGURES.map((measure) => {
          const [now, before] = [total.row[measure] ?? 0, total.previous?.[measure] ?? 0]
          return [
            MEASURES[measure][language],
            grouped(now),
            ...(query.compared ? [grouped(before), changeOf(now, before)] : []),
          ]
        }),
      },
      { kind: 'text', text: t('exact'), tone: 'quiet' },
      ...trendBlocks(),
      ...GROUPS.flatMap((by) => groupBlocks(by)),
    ],
  }

  function trendBlocks(): Block[] {
    const { points, bucket } = part('trend', 'series')
    const isLong = bucket === 'day'
    const label = (at: number) => (isLong ? time(at).slice(5, 10) : time(at).slice(11, 16))
    const heading: Block = { kind: 'heading', level: 1, text: t('trend') }
    if (points.length === 0 || attacks === 0) return [heading, { kind: 'text', text: t('none'), tone: 'quiet' }]
    const names = { value: words.measure('attacks'), part: words.measure('blocked') }
    const drawn = trendChart(
      points.map(({ start, row }) => ({ label: label(start), value: row.attacks ?? 0, part: row.blocked ?? 0 })),
      names,
    )
    return [
      heading,
      {
        kind: 'chart',
        ...drawn,
        alt: `${names.value}, ${names.part}: ${grouped(attacks)}, ${grouped(total.row.blocked ?? 0)}`,
      },
      {
        kind: 'table',
        columns: [
          { title: t('time'), share: 3 },
          { title: names.value, share: 2, align: 'right' },
          { title: names.part, share: 2, align: 'right' },
        ],
        rows: points.map(({ start, row }) => [time(start), grouped(row.attacks ?? 0), grouped(row.blocked ?? 0)]),
      },
    ]
  }

  function groupBlocks(by: (typeof GROUPS)[number]): Block[] {
    const { groups, groupCount, others } = part(by, 'top')
    if (groups.length === 0) return []
    const rest = groupCount - groups.length
    const row = (name: string, counts: { attacks?: number; blocked?: number }) => [
      name,
      grouped(counts.attacks ?? 0),
      grouped(counts.blocked ?? 0),
      attacks > 0 ? `${(((counts.attacks ?? 0) / attacks) * 100).toFixed(1)}%` : '–',
    ]
    return [
      { kind: 'heading', level: 1, text: headingOf(by, words) },
      {
        kind: 'table',
        columns: [
          { title: words.dimension(by), share: 4 },
          { title: words.measure('attacks'), share: 2, align: 'right' },
          { title: words.measure('blocked'), share: 2, align: 'right' },
          { title: t('share'), share: 1.5, align: 'right' },
        ],
        rows: [
          ...groups.map(({ key, row: counts }) => row(words.value(by, key), counts)),
          ...(rest > 0 ? [row(t('others', rest), others)] : []),
        ],
      },
    ]
  }

  function headingOf(by: Dimension, words: ExportWords): string {
    return language === 'zh' ? `攻击按${words.dimension(by)}` : `Attacks by ${words.dimension(by).toLowerCase()}`
  }
}

const grouped = (value: number) => value.toLocaleString('en-US')

/** Relative to before; a change from nothing has no share. */
function changeOf(now: number, before: number): string {
  if (now === before) return '0%'
  if (before === 0) return `+${grouped(now)}`
  const share = ((now - before) / before) * 100
  return `${share > 0 ? '+' : ''}${share.toFixed(1)}%`
}
