import type { ArcTuple } from '#contracts/live/messages.ts'
import type { Filter } from '#domain/query.ts'
import { LEVELS, RISK_TYPES } from '#domain/vocabulary.ts'
import type { EventStore, StoreQuery } from '#storage/events/port.ts'
import type { Aggregator } from '../frames/aggregator.ts'

const HOUR = 3_600_000
const LOCATED: Filter = { field: 'place', op: 'not', values: ['none'] }
const ATTACK: Filter = { field: 'type', op: 'is', values: ['risk'] }

/** Starts a wall's aggregator from what the store holds. Throws while the store is away. */
export async function seedAggregator(
  aggregator: Aggregator,
  store: EventStore,
  now: () => number,
  zone: string,
): Promise<void> {
  const { filters, scope } = aggregator.topic
  const at = now()
  const seed = await store.seed(filters, scope, at, zone)
  const query: StoreQuery = {
    span: { from: at - HOUR, to: at },
    basis: 'received',
    filters: [...filters, ATTACK, LOCATED],
    scope,
    zone,
  }
  const [rows, total] = await Promise.all([
    store.answer(query, { kind: 'rows', limit: 200, order: 'desc', and: [] }),
    store.answer(query, { kind: 'total', measures: ['attacks'], and: [] }),
  ])
  aggregator.seed(seed, at)
  if (rows.kind !== 'rows' || total.kind !== 'total') return
  const arcs = rows.rows.flatMap((row): ArcTuple[] => {
    if (row.lon === null || row.lat === null || row.imported) return []
    const level = LEVELS[row.level as keyof typeof LEVELS]?.code ?? 0
    const risk = RISK_TYPES[row.risk as keyof typeof RISK_TYPES]?.code ?? 0
    return [[row.id, row.lon, row.lat, Number(row.site), level, risk, row.receivedAt, row.app]]
  })
  aggregator.seedHour(arcs, total.row.attacks ?? arcs.length)
}
