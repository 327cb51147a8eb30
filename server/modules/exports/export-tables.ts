import type { EntityRow, EventRow, Measures, Part, PartAnswer, PeriodRow } from '#domain/query.ts'
import { ACTIONS, BLOCKED_FROM, PLACE_PRECISIONS } from '#domain/vocabulary.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import type { Cell } from '../../platform/tables/csv.ts'
import type { ExportWords } from '../../query/export-words.ts'

/** What an export writes: a header and blocks of lines that are read as they are written, so that memory stays flat. */
export type ExportTable = {
  header: Cell[]
  /** How many lines there will be. */
  total: number
  blocks: AsyncIterable<Cell[][]>
}

type Source = {
  store: EventStore
  query: StoreQuery
  words: ExportWords
  /** Takes out of an event what the requester may not read. */
  row(row: EventRow): EventRow
  language: 'zh' | 'en'
  signal: AbortSignal
  /** What analysts decided about these devices, by device. */
  deviceVerdicts(devices: readonly string[]): Promise<ReadonlyMap<string, string>>
}

const PAGE = 200

/** The part as a table: every row behind it for 'rows' and 'entities', its answer for the others. */
export async function exportTable(part: Part, source: Source): Promise<ExportTable> {
  const query = { ...source.query, filters: [...source.query.filters, ...part.and] }
  if (part.kind === 'rows') {
    const columns = eventColumns(source)
    return {
      header: columns.map(([name]) => name),
      total: await source.store.count(query),
      blocks: mapBlocks(source.store.stream(query, source.signal), (event) => {
        const row = source.row(event)
        return columns.map(([, cell]) => cell(row))
      }),
    }
  }
  if (part.kind === 'entities') return entityTable(part, source)
  if (part.kind === 'periods') return periodTable(part, source)
  const whole = part.kind === 'top' ? { ...part, limit: PAGE } : part.kind === 'change' ? { ...part, limit: 50 } : part
  const answer = await source.store.answer(source.query, whole)
  const lines = answerLines(part, answer, source.words)
  return { header: answerHeader(part, source), total: lines.length, blocks: once(lines) }
}

type Column<Row> = readonly [name: string, cell: (row: Row) => Cell]

function eventColumns({ words, language }: Source): Column<EventRow>[] {
  const named = (
    dimension: 'type' | 'risk' | 'level' | 'action' | 'platform' | 'country' | 'province' | 'city' | 'site',
  ) =>
    [
      words.dimension(dimension),
      (row: EventRow) => (row[dimension] === '' ? '' : words.value(dimension, row[dimension])),
    ] as const
  const plain = (dimension: 'version' | 'channel' | 'os' | 'model' | 'network' | 'device' | 'user' | 'address') =>
    [words.dimension(dimension), (row: EventRow) => row[dimension]] as const
  const precision = (key: string) => PLACE_PRECISIONS[key as keyof typeof PLACE_PRECISIONS]?.[language] ?? key
  const blocked = (row: EventRow) => (ACTIONS[row.action as keyof typeof ACTIONS]?.code ?? 0) >= BLOCKED_FROM
  return [
    [words.column('id'), (row) => row.id],
    [words.column('appId'), (row) => row.app],
    [words.dimension('app'), (row) => words.value('app', row.app)],
    [words.column('occurredAt'), (row) => words.time(row.occurredAt)],
    [words.column('receivedAt'), (row) => words.time(row.receivedAt)],
    [words.column('reportedAt'), (row) => words.time(row.reportedAt)],
    named('type'),
    named('risk'),
    named('level'),
    named('action'),
    [
      words.dimension('outcome'),
      (row) => (row.type === 'risk' ? words.value('outcome', blocked(row) ? 'blocked' : 'observed') : ''),
    ],
    named('platform'),
    plain('version'),
    plain('channel'),
    plain('os'),
    [words.column('brand'), (row) => row.brand],
    plain('model'),
    plain('network'),
    [words.column('sdk'), (row) => row.sdk],
    named('country'),
    named('province'),
    [words.column('provinceCode'), (row) => row.province],
    named('city'),
    [words.column('cityCode'), (row) => row.city],
    [words.dimension('place'), (row) => words.value('place', row.placeSource)],
    [words.column('precision'), (row) => precision(row.placePrecision)],
    [words.column('longitude'), (row) => row.lon],
    [words.column('latitude'), (row) => row.lat],
    named('site'),
    plain('device'),
    plain('user'),
    plain('address'),
    [words.column('corrected'), (row) => words.yesNo(row.corrected)],
    [words.column('imported'), (row) => words.yesNo(row.imported)],
    [words.column('extra'), (row) => (Object.keys(row.extra).length ? JSON.stringify(row.extra) : '')],
  ]
}

/** A device or user in an export; only devices have a verdict. */
type EntityLine = EntityRow & { verdict: string }

function entityTable(part: Extract<Part, { kind: 'entities' }>, source: Source): Promise<ExportTable> {
  const { words } = source
  const isDevice = part.entity === 'device'
  const named = (dimension: 'level' | 'risk' | 'country' | 'province' | 'city' | 'platform' | 'app') =>
    [
      words.dimension(dimension),
      (row: EntityRow) => (row[dimension] === '' ? '' : words.value(dimension, row[dimension])),
    ] as const
  // By field, so that a field without a column is a type error. The order is that of the file.
  const byField: Record<keyof EntityLine, Column<EntityLine>> = {
    key: [words.dimension(part.entity), (row) => row.key],
    attacks: [words.measure('attacks'), (row) => row.attacks],
    crashes: [words.measure('crashes'), (row) => row.crashes],
    anrs: [words.measure('anrs'), (row) => row.anrs],
    exceptions: [words.measure('exceptions'), (row) => row.exceptions],
    events: [words.measure('events'), (row) => row.events],
    counterparts: [words.column('counterparts'), (row) => row.counterparts],
    level: named('level'),
    risk: named('risk'),
    country: named('country'),
    province: named('province'),
    city: named('city'),
    platform: named('platform'),
    model: [words.dimension('model'), (row) => row.model],
    version: [words.dimension('version'), (row) => row.version],
    app: named('app'),
    verdict: [words.column('verdict'), (row) => row.verdict],
    firstAt: [words.column('firstAt'), (row) => words.time(row.firstAt)],
    lastAt: [words.column('lastAt'), (row) => words.time(row.lastAt)],
  }
  const columns = Object.entries(byField)
    .filter(([field]) => isDevice || field !== 'verdict')
    .map(([, column]) => column)
  return pagedTable<EntityRow, EntityLine>(part, columns, source, async (rows) => {
    const deviceVerdicts = isDevice ? await source.deviceVerdicts(rows.map(({ key }) => key)) : undefined
    return rows.map((row) => ({ ...row, verdict: deviceVerdicts?.get(row.key) ?? '' }))
  })
}

function periodTable(part: Extract<Part, { kind: 'periods' }>, source: Source): Promise<ExportTable> {
  const { words } = source
  return pagedTable<PeriodRow, PeriodRow>(
    part,
    [
      [words.dimension('device'), (row) => row.device],
      [words.column('firstAt'), (row) => words.time(row.from)],
      [words.column('lastAt'), (row) => words.time(row.to)],
      [words.column('seconds'), (row) => (row.to - row.from) / 1000],
      ...(['events', 'attacks', 'crashes', 'anrs', 'exceptions'] as const).map(
        (one) => [words.measure(one), (row: PeriodRow) => row[one]] as const,
      ),
      [words.dimension('level'), (row) => (row.level === '' ? '' : words.value('level', row.level))],
    ],
    source,
    async (rows) => rows,
  )
}

/** All pages of a list that the store pages; `complete` adds what the store does not know. */
async function pagedTable<Row, Line>(
  part: Extract<Part, { kind: 'entities' | 'periods' }>,
  columns: readonly Column<Line>[],
  { store, query, signal }: Source,
  complete: (rows: Row[]) => Promise<Line[]>,
): Promise<ExportTable> {
  const page = async (offset: number) => {
    signal.throwIfAborted()
    const answer = await store.answer(query, { ...part, limit: PAGE, offset })
    if (answer.kind !== part.kind) throw new TypeError('the store answered another kind')
    return answer as unknown as { rows: Row[]; total: number }
  }
  const first = await page(0)
  async function* blocks(): AsyncGenerator<Cell[][]> {
    for (let answer = first, offset = 0; answer.rows.length > 0; ) {
      const lines = await complete(answer.rows)
      yield lines.map((row) => columns.map(([, cell]) => cell(row)))
      offset += answer.rows.length
      if (offset >= answer.total) return
      answer = await page(offset)
    }
  }
  return { header: columns.map(([name]) => name), total: first.total, blocks: blocks() }
}

type AnsweredPart = Extract<Part, { kind: 'total' | 'series' | 'top' | 'heat' | 'change' }>

function answerHeader(part: AnsweredPart, { query, words }: Source): Cell[] {
  if (part.kind === 'change') {
    const name = words.measure(part.measure)
    return [words.dimension(part.by), name, name + words.column('earlier')]
  }
  if (part.kind === 'heat')
    return [words.dimension('weekday'), words.dimension('hour'), ...part.measures.map((one) => words.measure(one))]
  const measures = part.measures.map((measure) => words.measure(measure))
  const earlier = query.compared ? measures.map((name) => name + words.column('earlier')) : []
  const split = 'by' in part && part.by ? [words.dimension(part.by)] : []
  return [...(part.kind === 'series' ? [words.column('start')] : []), ...split, ...measures, ...earlier]
}

function answerLines(part: AnsweredPart, answer: PartAnswer, words: ExportWords): Cell[][] {
  if (part.kind === 'change') {
    if (answer.kind !== 'change') throw new TypeError('the store answered another kind')
    return answer.groups.map(({ key, now, before }) => [words.value(part.by, key), now, before])
  }
  const numbers = (row: Measures | undefined) => part.measures.map((measure) => row?.[measure] ?? null)
  const pair = (row: Measures, previous: Measures | undefined) => [
    ...numbers(row),
    ...(previous ? numbers(previous) : []),
  ]
  const key = (value: string) => ('by' in part && part.by ? words.value(part.by, value) : value)
  if (answer.kind === 'heat')
    return answer.cells.map(({ weekday, hour, row }) => [
      words.value('weekday', String(weekday)),
      hour,
      ...numbers(row),
    ])
  if (answer.kind === 'total') return [pair(answer.row, answer.previous)]
  if (answer.kind === 'series')
    return answer.points.map((point, index) => [
      words.time(point.start),
      ...(point.key === undefined ? [] : [key(point.key)]),
      ...pair(point.row, answer.previous?.[index]?.row),
    ])
  if (answer.kind !== 'top') throw new TypeError('the store answered another kind')
  const lines = answer.groups.map((group) => [key(group.key), ...pair(group.row, group.previous)])
  const rest = answer.groupCount - answer.groups.length
  return rest > 0 ? [...lines, [`${words.column('others')} (${rest})`, ...numbers(answer.others)]] : lines
}

async function* mapBlocks<T>(blocks: AsyncIterable<T[]>, line: (row: T) => Cell[]): AsyncGenerator<Cell[][]> {
  for await (const block of blocks) yield block.map(line)
}

async function* once<T>(block: T): AsyncGenerator<T> {
  yield block
}
