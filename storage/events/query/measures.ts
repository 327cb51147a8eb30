import type { CountMeasure, Measure, Measures } from '#domain/query.ts'
import { BLOCKED_FROM, EVENT_TYPES } from '#domain/vocabulary.ts'
import type { Dialect } from './dialect.ts'

export const isAdditive = (measure: Measure): measure is CountMeasure => !(measure in DISTINCT)

export const IS_ATTACK = `type = ${EVENT_TYPES.risk.code}`
/** The event types that a measure counts rows of; of the others every row may count. */
const TYPE_OF: Partial<Record<Measure, keyof typeof EVENT_TYPES>> = {
  attacks: 'risk',
  blocked: 'risk',
  observed: 'risk',
  attackedDevices: 'risk',
  attackedUsers: 'risk',
  starts: 'start',
  crashes: 'crash',
  anrs: 'anr',
  exceptions: 'exception',
}

/** A condition that changes none of the measures but lets the scan skip rows; undefined if no such condition exists. */
export function impliedCondition(measures: readonly Measure[]): string | undefined {
  const types = new Set(measures.map((measure) => TYPE_OF[measure]))
  const [type] = types
  return types.size === 1 && type ? `type = ${EVENT_TYPES[type].code}` : undefined
}

/** Distinct counts: what each counts of the groups by `column`. */
export const DISTINCT: Partial<Record<Measure, { column: 'device' | 'uid'; of: 'all' | 'attacked' | 'new' }>> = {
  devices: { column: 'device', of: 'all' },
  attackedDevices: { column: 'device', of: 'attacked' },
  newDevices: { column: 'device', of: 'new' },
  users: { column: 'uid', of: 'all' },
  attackedUsers: { column: 'uid', of: 'attacked' },
  newUsers: { column: 'uid', of: 'new' },
}

/** The rows that a measure counts; undefined: all. */
export function countedRows(measure: CountMeasure): string | undefined {
  switch (measure) {
    case 'events':
      return undefined
    case 'blocked':
      return `${IS_ATTACK} AND action >= ${BLOCKED_FROM}`
    case 'observed':
      return `${IS_ATTACK} AND action < ${BLOCKED_FROM}`
    default:
      return impliedCondition([measure])
  }
}

/** A count of rows. */
export function additiveSql(measure: CountMeasure, { countIf }: Dialect): string {
  const rows = countedRows(measure)
  return rows ? countIf(rows) : 'count(*)'
}

/** The measures of one row of an answer, beginning at column `from`. */
export function readMeasures(measures: readonly Measure[], row: readonly unknown[], from: number): Measures {
  return Object.fromEntries(measures.map((measure, index) => [measure, Number(row[from + index])]))
}

export function noMeasures(measures: readonly Measure[]): Measures {
  return Object.fromEntries(measures.map((measure) => [measure, 0]))
}
