import fc from 'fast-check'
import type { Dimension, Filter } from '#domain/query.ts'
import { BUCKETS, comparedSpan } from '#domain/time-range.ts'
import type { StoreQuery } from '#storage/events/port.ts'
import { deviceKey, NOON, userKey } from './random-events.ts'

const HOUR = 3_600_000

const anyFilter: fc.Arbitrary<Filter> = fc
  .constantFrom<[Dimension, string[]]>(
    ['app', ['1', '2', '9']],
    ['type', ['risk', 'start', 'crash']],
    ['risk', ['root', 'hook', '']],
    ['level', ['critical', 'high', '']],
    ['action', ['none', 'block']],
    ['outcome', ['blocked', 'observed']],
    ['platform', ['android', '']],
    ['country', ['CN', '']],
    ['province', ['440000', '']],
    ['city', ['440100', '']],
    ['place', ['none', 'address']],
    ['site', ['0', '1']],
    ['version', ['1.0', "2'0", '版本', '']],
    ['device', [deviceKey(1), deviceKey(2), 'nonsense']],
    ['user', [userKey(1), '', userKey(3)]],
    ['address', ['203.0.113.7', '']],
    ['surface', ['web', 'native']],
    ['page', ['/pay', '']],
    ['weekday', ['1', '2', '3']],
    ['hour', ['0', '7', '8', '23']],
  )
  .chain(([field, values]) =>
    fc.record({
      field: fc.constant(field),
      op: fc.constantFrom('is' as const, 'not' as const),
      values: fc.subarray(values, { minLength: 1 }),
    }),
  )

/** Queries over the world of random-events.ts: any fields, spans that cut it, several zones and scopes. */
export const anyQuery: fc.Arbitrary<StoreQuery> = fc
  .record({
    from: fc.integer({ min: NOON - 40 * HOUR, max: NOON + 20 * HOUR }),
    length: fc.integer({ min: BUCKETS.minute, max: 60 * HOUR }),
    basis: fc.constantFrom('received' as const, 'occurred' as const),
    filters: fc.array(anyFilter, { maxLength: 3 }),
    apps: fc.constantFrom('all' as const, [1, 2], [3]),
    zone: fc.constantFrom('Asia/Shanghai', 'America/New_York', 'Asia/Kolkata'),
    compare: fc.boolean(),
  })
  .map(({ from, length, basis, filters, apps, zone, compare }) => {
    const span = { from, to: from + length }
    return { span, basis, filters, scope: { apps }, zone, ...(compare && { compared: comparedSpan(span, 'previous') }) }
  })
