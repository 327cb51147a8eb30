import type { Dimension, Measure, PartInput } from '#domain/query.ts'
import { FACET_ROWS } from './facet-rows.ts'

/** Facets of a page about one measure: what its devices ran. */
export const DEVICE_FACETS = ['version', 'channel', 'os', 'model'] as const satisfies readonly Dimension[]

/** Parts of a page about one measure: where its events came from and what its devices ran. */
export function measureParts(measure: Measure) {
  const top = (by: 'province' | 'country' | (typeof DEVICE_FACETS)[number], limit: number) =>
    ({ kind: 'top', by, measures: [measure], limit }) as const satisfies PartInput
  return {
    provinces: top('province', 40),
    countries: top('country', 200),
    abroad: { kind: 'total', measures: [measure], and: [{ field: 'country', op: 'not', values: ['CN', ''] }] },
    version: top('version', FACET_ROWS),
    channel: top('channel', FACET_ROWS),
    os: top('os', FACET_ROWS),
    model: top('model', FACET_ROWS),
  } satisfies Record<string, PartInput>
}
