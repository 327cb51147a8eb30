import type { Dimension, Filter, Measure, PartInput } from '#domain/query.ts'
import { FACET_ROWS } from '#src/features/statistics/parts/facet-rows.ts'

/** Everything from pages: platform web, and what the web SDK sends from inside an app. */
export const WEB: Filter = { field: 'surface', op: 'is', values: ['web'] }

export const WEB_FIGURES = [
  'events',
  'attacks',
  'exceptions',
  'devices',
  'attackedDevices',
  'users',
] as const satisfies readonly Measure[]
export type WebFigure = (typeof WEB_FIGURES)[number]
export const WEB_FACETS = ['risk', 'group', 'model', 'os', 'version'] as const satisfies readonly Dimension[]

export function webParts(figure: WebFigure) {
  const and = [WEB]
  const known = (by: (typeof WEB_FACETS)[number]): Filter[] =>
    by === 'risk' || by === 'group' ? [WEB, { field: by, op: 'not', values: [''] }] : and
  const top = (by: (typeof WEB_FACETS)[number]) =>
    ({ kind: 'top', by, measures: [figure], limit: FACET_ROWS + 2, and: known(by) }) as const satisfies PartInput
  return {
    totals: {
      kind: 'total',
      measures: [
        'events',
        'starts',
        'attacks',
        'blocked',
        'observed',
        'exceptions',
        'devices',
        'newDevices',
        'attackedDevices',
        'users',
        'attackedUsers',
      ],
      and,
    },
    courses: { kind: 'series', measures: [...WEB_FIGURES], and },
    risk: top('risk'),
    group: top('group'),
    model: top('model'),
    os: top('os'),
    version: top('version'),
  } satisfies Record<string, PartInput>
}

/** Paths are read out of the details of events: a request of its own, so that nothing else waits for it. */
export function pageParts(figure: WebFigure) {
  return {
    page: {
      kind: 'top',
      by: 'page',
      measures: [figure],
      limit: FACET_ROWS + 2,
      and: [WEB, { field: 'page', op: 'not', values: [''] }],
    },
  } as const satisfies Record<string, PartInput>
}
