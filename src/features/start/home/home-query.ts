import type { PartInput, Query } from '#domain/query.ts'

/** What the home page asks: the last 24 hours of everything the account may see, against the 24 before. */
export const DAY: Query = { range: '-24h', timeBasis: 'occurred', filters: [], compare: 'previous' }

export const HOME_PARTS = {
  total: {
    kind: 'total',
    measures: [
      'attacks',
      'blocked',
      'attackedUsers',
      'attackedDevices',
      'users',
      'devices',
      'newDevices',
      'starts',
      'crashes',
    ],
  },
  apps: { kind: 'top', by: 'app', measures: ['attacks', 'attackedUsers', 'events'], limit: 200 },
  hours: { kind: 'series', by: 'app', measures: ['attacks'], bucket: 'hour' },
  risks: {
    kind: 'top',
    by: 'risk',
    measures: ['attacks'],
    limit: 7,
    and: [{ field: 'type', op: 'is', values: ['risk'] }],
  },
  provinces: {
    kind: 'top',
    by: 'province',
    measures: ['attacks'],
    limit: 7,
    and: [{ field: 'type', op: 'is', values: ['risk'] }],
  },
} as const satisfies Record<string, PartInput>
