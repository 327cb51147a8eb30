import type { Measure, Measures } from '#contracts/query.ts'
import { BLOCKED_FROM, EVENT_TYPES } from '#contracts/vocabulary.ts'
import type { Dialect } from './dialect.ts'

/** Adds up over groups and buckets; distinct counts do not. */
export const ADDITIVE = [
  'events',
  'attacks',
  'blocked',
  'observed',
  'starts',
  'crashes',
  'anrs',
  'exceptions',
] as const satisfies readonly Measure[]

const IS_ATTACK = `type = ${EVENT_TYPES.risk.code}`
/** Of these, rows of other types count nothing. */
const OF_ATTACKS: ReadonlySet<Measure> = new Set(['attacks', 'blocked', 'observed', 'attackedDevices', 'attackedUsers'])

/** A condition that changes none of the measures but spares the scan other rows, or undefined. */
export function impliedCondition(measures: readonly Measure[]): string | undefined {
  return measures.every((measure) => OF_ATTACKS.has(measure)) ? IS_ATTACK : undefined
}

/** `fresh` is the condition under which a row's device or user is new (compile-query.ts). */
export function measureSql(measure: Measure, dialect: Dialect, fresh: { device: string; user: string }): string {
  const { countIf } = dialect
  const typed = (type: keyof typeof EVENT_TYPES) => countIf(`type = ${EVENT_TYPES[type].code}`)
  const distinct = (column: string, condition?: string) =>
    `count(DISTINCT ${condition ? `CASE WHEN ${condition} THEN ${column} END` : column})`
  switch (measure) {
    case 'events':
      return 'count(*)'
    case 'attacks':
      return typed('risk')
    case 'blocked':
      return countIf(`${IS_ATTACK} AND action >= ${BLOCKED_FROM}`)
    case 'observed':
      return countIf(`${IS_ATTACK} AND action < ${BLOCKED_FROM}`)
    case 'starts':
      return typed('start')
    case 'crashes':
      return typed('crash')
    case 'anrs':
      return typed('anr')
    case 'exceptions':
      return typed('exception')
    case 'devices':
      return distinct('device')
    case 'users':
      return distinct('uid')
    case 'attackedDevices':
      return distinct('device', IS_ATTACK)
    case 'attackedUsers':
      return distinct('uid', IS_ATTACK)
    case 'newDevices':
      return distinct('device', fresh.device)
    case 'newUsers':
      return distinct('uid', fresh.user)
  }
}

/** The measures of one row of an answer, beginning at column `from`. */
export function readMeasures(measures: readonly Measure[], row: readonly unknown[], from: number): Measures {
  return Object.fromEntries(measures.map((measure, index) => [measure, Number(row[from + index])]))
}

export function noMeasures(measures: readonly Measure[]): Measures {
  return Object.fromEntries(measures.map((measure) => [measure, 0]))
}
