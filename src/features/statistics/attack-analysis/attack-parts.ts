import type { CountMeasure, Dimension, Filter, Measure, PartInput } from '#domain/query.ts'
import { FACET_ROWS } from '#src/features/statistics/parts/facet-rows.ts'
import { MEASURE_FILTERS } from '#src/shared/query/drill.ts'

/** What the page asks. Everything about attacks goes through the same filter, so that all of it adds up. */

export const RISKS: readonly Filter[] = MEASURE_FILTERS.attacks
export const MEASURE = 'attacks' satisfies CountMeasure

export const ATTACK_FACETS = [
  'risk',
  'level',
  'version',
  'channel',
  'os',
  'model',
  'province',
  'network',
  'action',
] as const satisfies readonly Dimension[]
export type AttackFacet = (typeof ATTACK_FACETS)[number]

/** Lines of the comparison of two periods. */
export const COMPARED = [
  'attacks',
  'blocked',
  'observed',
  'attackedUsers',
  'attackedDevices',
  'starts',
] as const satisfies readonly Measure[]

const facet = (by: AttackFacet) =>
  ({
    kind: 'top',
    by,
    measures: ['attacks'],
    limit: by === 'level' ? 5 : FACET_ROWS,
    and: [...RISKS],
  }) as const satisfies PartInput

export const ATTACK_PARTS = {
  totals: { kind: 'total', measures: [...COMPARED] },
  levels: { kind: 'series', measures: ['attacks'], by: 'level', and: [...RISKS] },
  heat: { kind: 'heat', measures: ['attacks'], and: [...RISKS] },
  risk: facet('risk'),
  level: facet('level'),
  version: facet('version'),
  channel: facet('channel'),
  os: facet('os'),
  model: facet('model'),
  province: facet('province'),
  network: facet('network'),
  action: facet('action'),
} satisfies Record<string, PartInput>

/** Where a change may come from. */
export const CAUSES = [
  'risk',
  'version',
  'channel',
  'os',
  'model',
  'province',
  'network',
  'app',
] as const satisfies readonly Dimension[]
const cause = (by: (typeof CAUSES)[number]) =>
  ({ kind: 'change', by, measure: 'attacks', limit: 5, and: [...RISKS] }) as const satisfies PartInput
export const CAUSE_PARTS = {
  risk: cause('risk'),
  version: cause('version'),
  channel: cause('channel'),
  os: cause('os'),
  model: cause('model'),
  province: cause('province'),
  network: cause('network'),
  app: cause('app'),
} satisfies Record<(typeof CAUSES)[number], PartInput>

/** The versions of the last 90 days with their first event. */
export const VERSION_PARTS = {
  versions: { kind: 'top', by: 'version', measures: ['events'], limit: 50, seen: true },
} as const satisfies Record<string, PartInput>

/** Fields that only attacks have: starts are counted without them, else a rate per start would have nothing to divide by. */
const ATTACK_FIELDS: readonly Dimension[] = ['risk', 'level', 'action', 'outcome', 'type']
export const isOfAttacks = ({ field }: Filter) => ATTACK_FIELDS.includes(field)

/** Before and after a release; `narrowing` holds the page's filters on fields that only attacks have. */
export function releaseParts(narrowing: readonly Filter[]) {
  const and = [...narrowing, ...RISKS].slice(0, 10)
  return {
    attacks: { kind: 'total', measures: ['attacks'], and },
    starts: { kind: 'total', measures: ['starts'] },
    risks: { kind: 'top', by: 'risk', measures: ['attacks'], limit: 5, and },
  } satisfies Record<string, PartInput>
}
