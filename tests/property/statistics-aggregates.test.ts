import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statistics } from '#contracts/http/statistics.ts'
import {
  type AnswerOf,
  COUNT_MEASURES,
  type Dimension,
  type Filter,
  type Measure,
  type PartAnswer,
  type PartInput,
  PERIOD_GAP_MINUTES,
  type Query,
} from '#domain/query.ts'
import { absoluteRange, type Span } from '#domain/time-range.ts'
import { GLOBAL_PARTS, LAST_HOUR_PARTS } from '#src/features/awareness/global-view/global-parts.ts'
import { pageParts, WEB_FIGURES, webParts } from '#src/features/awareness/web-defense/web-parts.ts'
import { HOME_PARTS } from '#src/features/start/home/home-query.ts'
import { APP_FIGURES, appParts, appSlices, QUALITY_FIELDS } from '#src/features/statistics/app-analysis/app-parts.ts'
import {
  ATTACK_PARTS,
  CAUSE_PARTS,
  releaseParts,
  VERSION_PARTS,
} from '#src/features/statistics/attack-analysis/attack-parts.ts'
import { GROUP_LISTS, type GroupList, groupListParts, measuresOf } from '#src/features/statistics/lists/group-list.ts'
import {
  ABNORMAL,
  ENTITY_LISTS,
  type EntityListName,
  entityPart,
  LIST_OF_MEASURE,
  listPath,
} from '#src/features/statistics/parts/entity-lists.ts'
import { KPIS, userParts } from '#src/features/statistics/user-analysis/kpis.ts'
import { layOut, spanOfSlots } from '#src/shared/charts/time-series.ts'
import { behind, behindPeriod, narrowed } from '#src/shared/query/drill.ts'
import { carryQuery, readQuery } from '#src/shared/query/query-url.ts'
import type { Api } from '#tests/support/api.ts'
import { madeEvent } from '#tests/support/made-events.ts'
import { SPAN_MS, type StatisticsBed, statisticsBed } from './statistics-bed.ts'

/**
 * What the pages of the console ask, what they show, and where a click on it leads: the requests are compiled by the pages' own code, the
 * way goes through the address bar, and what is opened must hold exactly the number that was clicked.
 */
let bed: StatisticsBed
let api: Api
const ZONE = 'Asia/Shanghai'

beforeAll(async () => {
  bed = await statisticsBed(2000, 23)
  const now = bed.app.deps.now()
  const more = bed.events.slice(0, 600).map((event, index) =>
    madeEvent({
      ...event,
      id: `11111111-0000-4000-8000-${String(index).padStart(12, '0')}`,
      type: [4, 5, 6, 7][index % 4] as number,
      risk: 0,
      level: 0,
      action: 0,
      receivedAt: Math.min(now - 60_000, event.receivedAt + 1000),
      extra: index % 3 ? `{"detail":{"kind":"paint","page":"/page/${index % 5}"}}` : '',
    }),
  )
  await bed.store.load(more)
  api = await bed.api(['events.read', 'personal.reveal'])
}, 60_000)
afterAll(() => bed.close())

type Parts = Record<string, PartInput>
const lists: GroupList[] = Object.values(GROUP_LISTS)
const entityLists = Object.keys(ENTITY_LISTS) as EntityListName[]

/** One page's request, as its code makes it for some state of the page. */
const anyPage: fc.Arbitrary<Parts> = fc.oneof(
  fc.constantFrom(...KPIS).map(userParts),
  fc.constant(ATTACK_PARTS),
  fc.constant(CAUSE_PARTS),
  fc.constant(VERSION_PARTS as unknown as Parts),
  fc.constant(releaseParts([{ field: 'risk', op: 'not', values: ['root'] }])),
  fc
    .tuple(
      fc.constantFrom(...APP_FIGURES),
      fc.constantFrom(...QUALITY_FIELDS),
      fc.constantFrom('day' as const, 'auto' as const),
    )
    .map(([figure, field, bucket]): Parts => ({ ...appParts(figure, field, bucket), ...appSlices(figure, bucket) })),
  fc
    .constantFrom(...lists)
    .chain((list) =>
      fc
        .constantFrom(...list.fields)
        .chain((field) => fc.constantFrom(...measuresOf(list, field)).map((sort) => groupListParts(list, field, sort))),
    ),
  fc.constantFrom(...WEB_FIGURES).map(webParts),
  fc.constantFrom(...WEB_FIGURES).map((figure) => pageParts(figure) as unknown as Parts),
  fc.constant(GLOBAL_PARTS as unknown as Parts),
  fc.constant(LAST_HOUR_PARTS as unknown as Parts),
  fc.constant(HOME_PARTS as unknown as Parts),
  fc.constantFrom(...entityLists).map((name) => ({ list: entityPart(name, 'last', 200, 0) })),
  fc
    .constantFrom(5, PERIOD_GAP_MINUTES, 120)
    .map((gapMinutes): Parts => ({ list: { kind: 'periods', gapMinutes, limit: 200, and: [ABNORMAL] } })),
)

const anyFilter: fc.Arbitrary<Filter> = fc
  .constantFrom<[Dimension, string[]]>(
    ['app', ['1', '2']],
    ['version', ['1.0.0', '', '2.0.0']],
    ['platform', ['android', 'web', '']],
    ['province', ['330000', '']],
    ['level', ['high', 'critical', '']],
    ['weekday', ['0', '1', '2', '3', '4']],
    ['hour', ['1', '9', '15', '22']],
    ['surface', ['web']],
  )
  .chain(([field, values]) =>
    fc.record({
      field: fc.constant(field),
      op: fc.constantFrom('is' as const, 'not' as const),
      values: fc.subarray(values, { minLength: 1 }),
    }),
  )
const anyQuery = fc.record({
  from: fc.integer({ min: 0, max: SPAN_MS - 7_200_000 }),
  length: fc.integer({ min: 3_600_000, max: SPAN_MS }),
  timeBasis: fc.constantFrom('occurred' as const, 'received' as const),
  compare: fc.constantFrom('none' as const, 'previous' as const),
  filters: fc.array(anyFilter, { maxLength: 2 }),
})

async function ask(query: Query, parts: Parts) {
  const answer = await api(statistics, { body: { query, parts } })
  for (const part of Object.values(answer.parts)) if (part.kind === 'error') throw new Error(part.codemsg)
  return { ...answer, parts: answer.parts as Record<string, PartAnswer> }
}

/** A number on the page, and what a click on it opens. */
type Shown = { what: string; value: number; opens: { rows: Query } | { list: EntityListName; query: Query } }
const isCount = (measure: Measure) => COUNT_MEASURES.some((one) => one === measure)

function shownBy(query: Query, part: PartInput, answer: PartAnswer, span: Span, previous: Span | null): Shown[] {
  const and = part.and ?? []
  const figure = (
    measure: Measure,
    value: number,
    choice: { by?: Dimension; key?: string; within?: Span } = {},
  ): Shown => {
    const { by, key, within } = choice
    const at = within ? { ...query, range: absoluteRange(within) } : query
    const list = LIST_OF_MEASURE[measure]
    const what = `${measure} ${by ?? ''} ${key ?? ''}`
    if (!list) return { what, value, opens: { rows: behind(at, measure, { and, by, key }) } }
    const narrowing: Filter[] = by && key !== undefined ? [...and, { field: by, op: 'is', values: [key] }] : [...and]
    return { what, value, opens: { list, query: narrowed(at, narrowing) } }
  }
  const all = (row: object) => Object.entries(row) as [Measure, number][]
  switch (answer.kind) {
    case 'total':
      return [
        ...all(answer.row).map(([measure, value]) => figure(measure, value)),
        ...(previous
          ? all(answer.previous ?? {}).map(([measure, value]) => figure(measure, value, { within: previous }))
          : []),
      ]
    case 'top': {
      const by = (part as { by: Dimension }).by
      return answer.groups.flatMap(({ key, row }) =>
        all(row).map(([measure, value]) => figure(measure, value, { by, key })),
      )
    }
    case 'change': {
      const { by, measure } = part as { by: Dimension; measure: Measure }
      return answer.groups.flatMap(({ key, now, before }) => [
        figure(measure, now, { by, key }),
        ...(previous ? [figure(measure, before, { by, key, within: previous })] : []),
      ])
    }
    case 'series': {
      const { by, measures } = part as { by?: Dimension; measures: Measure[] }
      return measures.filter(isCount).flatMap((measure) => {
        const series = layOut(answer, measure, span, null, ZONE)
        return [...series.stacks].flatMap(([key, values]) =>
          values.map((value, at) => ({
            what: `${measure} ${key} at ${at}`,
            value,
            opens: { rows: behind(query, measure, { and, slot: spanOfSlots(series, at, at), ...(by && { by, key }) }) },
          })),
        )
      })
    }
    case 'heat':
      return answer.cells.flatMap(({ weekday, hour, row }) =>
        all(row).map(([measure, value]) => ({
          what: `${measure} ${weekday} ${hour}`,
          value,
          opens: { rows: behind(query, measure, { and, cell: { weekday, hour } }) },
        })),
      )
    case 'entities': {
      const { entity } = part as { entity: 'device' | 'user' }
      return answer.rows.map(({ key, events }) => ({
        what: `events of ${key}`,
        value: events,
        opens: { rows: narrowed(query, [...and, { field: entity, op: 'is', values: [key] }]) },
      }))
    }
    case 'periods':
      return answer.rows.map((row) => ({
        what: `period of ${row.device}`,
        value: row.events,
        opens: { rows: behindPeriod(query, row, and) },
      }))
    case 'rows':
      return []
  }
}

/** How many rows (or lines) the click shows: through the address, then page by page. */
async function opened({ opens }: Shown): Promise<number> {
  if ('rows' in opens) {
    const query = readQuery(new URLSearchParams(carryQuery(opens.rows)), {}, null)
    const ids = new Set<string>()
    for (let cursor: string | undefined; ; ) {
      const { parts } = await ask(query, { rows: { kind: 'rows', limit: 200, ...(cursor && { cursor }) } })
      const page = parts['rows'] as AnswerOf<'rows'>
      for (const row of page.rows) ids.add(`${row.app} ${row.id}`)
      if (!page.nextCursor) return ids.size
      cursor = page.nextCursor
    }
  }
  const params = new URL(listPath(opens.list, opens.query), 'http://x').searchParams
  const list = (params.get('list') ?? opens.list) as EntityListName
  const { parts } = await ask(
    { ...readQuery(params, {}, null), compare: 'none' },
    { list: entityPart(list, 'last', 200, 0) },
  )
  const answer = parts['list'] as AnswerOf<'entities'>
  expect(answer.rows.length).toBe(Math.min(200, answer.total))
  return answer.total
}

test('[STAT-01] [STAT-05] 200 random aggregates over all pages equal the number of rows behind the click', async () => {
  const start = bed.app.deps.now() - SPAN_MS
  let checked = 0
  await fc.assert(
    fc.asyncProperty(
      anyPage,
      anyQuery,
      fc.array(fc.nat(), { minLength: 5, maxLength: 5 }),
      async (parts, made, picks) => {
        const span = { from: start + made.from, to: Math.min(start + made.from + made.length, start + SPAN_MS) }
        const { timeBasis, compare, filters } = made
        const query: Query = { range: absoluteRange(span), timeBasis, compare, filters }
        const answer = await ask(query, parts)
        const shown = Object.entries(parts).flatMap(([name, part]) =>
          shownBy(query, part, answer.parts[name] as PartAnswer, answer.span, answer.previous),
        )
        // Figures that are 0 open nothing, so they are tried less often.
        const worth = shown.filter(({ value }) => value > 0)
        for (const pick of picks) {
          const one = (worth.length > 0 ? worth : shown)[pick % Math.max(1, worth.length || shown.length)]
          if (!one) continue
          expect(await opened(one), `${one.what} of ${JSON.stringify(query)}`).toBe(one.value)
          checked++
        }
      },
    ),
    { numRuns: 60, seed: 7 },
  )
  expect(checked).toBeGreaterThanOrEqual(200)
}, 180_000)
