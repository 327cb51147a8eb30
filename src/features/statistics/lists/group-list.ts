import type { PageName } from '#contracts/pages.ts'
import type { Dimension, Filter, Measure, PartInput } from '#domain/query.ts'
import { MEASURE_FILTERS } from '#src/shared/query/drill.ts'

/** A hidden page that lists what one kind of event was, by a field at a time. */
export type GroupList = {
  page: PageName
  title: 'attackTitle' | 'abnormalTitle' | 'startTitle'
  and: readonly Filter[]
  /** What the lines count; any of them sorts. The first one counts the page's events. */
  measures: readonly Measure[]
  /** Fields to choose from; `day` lists days. */
  fields: readonly GroupField[]
}
export type GroupField = Dimension | 'day'

export const GROUP_LISTS = {
  risk_triggers: {
    page: 'risk_triggers',
    title: 'attackTitle',
    and: MEASURE_FILTERS.attacks,
    measures: ['attacks', 'blocked', 'observed', 'attackedDevices', 'attackedUsers'],
    fields: ['risk', 'level', 'action', 'version', 'channel', 'os', 'model', 'province', 'network', 'app', 'day'],
  },
  abnormal_triggers: {
    page: 'abnormal_triggers',
    title: 'abnormalTitle',
    and: [{ field: 'type', op: 'is', values: ['crash', 'anr', 'exception', 'env'] }],
    measures: ['events', 'crashes', 'anrs', 'exceptions', 'devices', 'users'],
    fields: ['type', 'group', 'version', 'channel', 'os', 'model', 'province', 'app', 'day'],
  },
  starts: {
    page: 'starts',
    title: 'startTitle',
    and: MEASURE_FILTERS.starts,
    measures: ['starts', 'devices', 'users', 'newDevices'],
    fields: ['day', 'version', 'channel', 'os', 'model', 'province', 'network', 'app'],
  },
} as const satisfies Partial<Record<PageName, GroupList>>

/** Without what would be ambiguous there: a device new in one application need not be new in all that the page is about. */
export function measuresOf(list: GroupList, field: GroupField): readonly Measure[] {
  return field === 'app' ? list.measures.filter((one) => one !== 'newDevices' && one !== 'newUsers') : list.measures
}

const LINES = 200

/** What such a page asks. `sort` comes first: the store ranks by the first measure. */
export function groupListParts(list: GroupList, field: GroupField, sort: Measure) {
  const and = [...list.and]
  const measures = [sort, ...measuresOf(list, field).filter((measure) => measure !== sort)]
  const groups: PartInput =
    field === 'day'
      ? { kind: 'series', measures, bucket: 'day', and }
      : { kind: 'top', by: field, measures, limit: LINES, seen: true, and }
  return {
    totals: { kind: 'total', measures, and },
    trend: { kind: 'series', measures: [sort], and },
    groups,
  } satisfies Record<string, PartInput>
}
