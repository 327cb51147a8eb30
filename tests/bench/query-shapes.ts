import type { Filter, PartInput, TimeBasis } from '#domain/query.ts'
import { HOME_PARTS } from '#src/features/start/home/home-query.ts'
import { KPI_MEASURES, SPARK_MEASURES } from '#src/features/statistics/user-analysis/kpis.ts'

/** One question to the store, over the last `days`. */
export type Shape = {
  name: string
  days: number
  part: PartInput
  /** Limit of the median in ms; none where no page asks this. */
  p50?: number
  basis?: TimeBasis
  filters?: Filter[]
  compared?: true
  /** Days between the end of the span and now. */
  ago?: number
}

const FAST = 100
/** Exact distinct counts and top lists over 7 days or more. */
const LONG = 250
const is = (field: Filter['field'], ...values: string[]): Filter => ({ field, op: 'is', values })
const RISKS = [is('type', 'risk')]

/**
 * q1 to q9 of the research on storage as the product asks them (bars as many as a chart shows: of q1 and q2 the finest bars too, which
 * no page asks), then what home, user analysis and the wall send.
 */
export function queryShapes(device: string): Shape[] {
  const home = (name: keyof typeof HOME_PARTS, days: number): Shape => ({
    name: `home: ${name}, ${days} d and the ${days} before`,
    days,
    part: HOME_PARTS[name] as unknown as PartInput,
    p50: FAST,
    compared: true,
  })
  const analysis = (name: string, days: number, part: PartInput): Shape => ({
    name: `user analysis: ${name}, ${days} d and the ${days} before`,
    days,
    part,
    p50: days >= 7 ? LONG : FAST,
    compared: true,
  })
  const entities: PartInput = { kind: 'entities', entity: 'user', sort: 'attacks', limit: 20, and: RISKS }
  const distinct: PartInput = { kind: 'total', measures: ['attackedUsers', 'attackedDevices'] }
  const courses = (bucket?: 'minute' | 'hour'): PartInput => ({
    kind: 'series',
    measures: ['attacks'],
    by: 'risk',
    ...(bucket && { bucket }),
  })
  return [
    { name: 'q1 course by risk, 30 d', days: 30, part: courses(), p50: FAST },
    { name: 'q1 in hours, 14,400 bars', days: 30, part: courses('hour') },
    { name: 'q2 course by risk, 24 h', days: 1, part: courses(), p50: FAST },
    { name: 'q2 in minutes, 25,000 bars', days: 1, part: courses('minute') },
    {
      name: 'q3 top provinces, 30 d',
      days: 30,
      part: { kind: 'top', by: 'province', measures: ['attacks'] },
      p50: LONG,
    },
    { name: 'q4 top devices, 7 d', days: 7, part: { kind: 'top', by: 'device', measures: ['attacks'] }, p50: LONG },
    { name: 'q5 attacked users and devices, 30 d', days: 30, part: distinct, p50: LONG },
    { name: 'q6 one device, page of 50', days: 30, filters: [is('device', device)], part: { kind: 'rows' }, p50: FAST },
    {
      name: 'q7 full filter, 3 d, page of 50',
      days: 3,
      ago: 7,
      filters: [is('app', '3'), is('risk', 'root', 'hook', 'emulator'), is('province', '440000')],
      part: { kind: 'rows', and: RISKS },
      p50: FAST,
    },
    {
      name: 'q8 top versions of crashes, 30 d',
      days: 30,
      filters: [is('app', '2')],
      part: { kind: 'top', by: 'version', measures: ['crashes'] },
      p50: LONG,
    },
    {
      name: 'q9 overview, 2 d',
      days: 2,
      part: { kind: 'total', measures: ['attacks', 'crashes', 'starts', 'events'] },
      p50: FAST,
    },
    home('total', 1),
    home('apps', 1),
    home('provinces', 1),
    analysis('figures', 1, { kind: 'total', measures: KPI_MEASURES }),
    analysis('figures', 7, { kind: 'total', measures: KPI_MEASURES }),
    analysis('courses', 7, { kind: 'series', measures: SPARK_MEASURES }),
    analysis('models', 7, { kind: 'top', by: 'model', measures: ['attackedUsers'] }),
    { name: 'attacked users, 7 d, page of 20', days: 7, part: entities, p50: LONG },
    {
      name: 'wall: devices and attacked users by hour, 1 d',
      days: 1,
      basis: 'received',
      part: { kind: 'series', measures: ['devices', 'attackedUsers'], bucket: 'hour' },
      p50: FAST,
      compared: true,
    },
  ]
}
