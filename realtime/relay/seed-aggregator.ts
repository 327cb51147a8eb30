import type { ArcTuple } from '#contracts/live/messages.ts'
import type { EventRow, Filter, Part } from '#domain/query.ts'
import { startOfDay } from '#domain/time-range.ts'
import { ACTIONS, BLOCKED_FROM, LEVELS, RISK_TYPES } from '#domain/vocabulary.ts'
import type { EventStore, StoreQuery, WallSeed } from '#storage/events/port.ts'
import type { Aggregator } from '../frames/aggregator.ts'

const HOUR = 3_600_000
/** Rows of a top list (frames/top-counts.ts). */
const LISTED_DEVICES = 8
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
  if (aggregator.topic.wall !== undefined) aggregator.seedDevices(await newestOfDevices(store, query, topDevices(seed)))
  if (rows.kind !== 'rows' || total.kind !== 'total') return
  const arcs = rows.rows.flatMap((row): ArcTuple[] => {
    if (row.lon === null || row.lat === null || row.imported) return []
    const level = LEVELS[row.level as keyof typeof LEVELS]?.code ?? 0
    const risk = RISK_TYPES[row.risk as keyof typeof RISK_TYPES]?.code ?? 0
    const blocked = (ACTIONS[row.action as keyof typeof ACTIONS]?.code ?? 0) >= BLOCKED_FROM ? 1 : 0
    return [[row.id, row.lon, row.lat, Number(row.site), level, risk, row.receivedAt, row.app, blocked]]
  })
  aggregator.seedHour(arcs, total.row.attacks ?? arcs.length)
}

/** The devices that the wall's list begins with. */
function topDevices({ counts }: WallSeed): string[] {
  const sorted = counts.device.toSorted((x, y) => y[1] - x[1] || (x[0] < y[0] ? -1 : 1))
  return sorted.slice(0, LISTED_DEVICES).map(([device]) => device)
}

/** The newest attack of each device of today: it names model and place. */
async function newestOfDevices(store: EventStore, hour: StoreQuery, devices: readonly string[]): Promise<EventRow[]> {
  if (devices.length === 0) return []
  const today = { ...hour, span: { from: startOfDay(hour.span.to, hour.zone), to: hour.span.to } }
  const ofDevice = (device: string): Part => ({
    kind: 'rows',
    limit: 1,
    order: 'desc',
    and: [{ field: 'device', op: 'is', values: [device] }],
  })
  const answers = await store.answers(
    { ...today, filters: today.filters.filter((one) => one !== LOCATED) },
    Object.fromEntries(devices.map((device, index) => [`d${index}`, ofDevice(device)])),
  )
  return Object.values(answers).flatMap((answer) => (answer.kind === 'rows' ? answer.rows : []))
}
