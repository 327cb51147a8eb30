import { PAGES, type PageName } from '#contracts/pages.ts'
import type { Filter, Measure, PartInput, Query } from '#domain/query.ts'
import { carryQuery } from '#src/shared/query/query-url.ts'

export type Entity = 'user' | 'device'
export type EntitySort = 'attacks' | 'events' | 'crashes' | 'anrs' | 'exceptions' | 'last'

/** A list of users or devices behind a figure: as many lines as the figure says. */
export type EntityList = {
  entity: Entity
  and: readonly Filter[]
  fresh?: true
  /** The measure that counts its lines under the same filters. */
  measure: Measure
  sorts: readonly EntitySort[]
  /** Crashes, ANRs and exceptions as columns. */
  kinds?: true
  /** The page with the whole list, and the list's name there. */
  page: PageName
}

const RISKS: Filter = { field: 'type', op: 'is', values: ['risk'] }
/** What makes a device abnormal: an attack, a crash, an ANR or an exception. */
export const ABNORMAL: Filter = { field: 'type', op: 'is', values: ['risk', 'crash', 'anr', 'exception'] }
/** Devices that failed on their own, attacked or not. */
const FAILURES: Filter = { field: 'type', op: 'is', values: ['crash', 'anr', 'exception'] }
const ALL_SORTS = ['attacks', 'events', 'last'] as const

export const ENTITY_LISTS = {
  attackedUsers: {
    entity: 'user',
    and: [RISKS],
    measure: 'attackedUsers',
    sorts: ['attacks', 'last'],
    page: 'attacked_users',
  },
  activeUsers: { entity: 'user', and: [], measure: 'users', sorts: ALL_SORTS, page: 'attacked_users' },
  newUsers: { entity: 'user', and: [], fresh: true, measure: 'newUsers', sorts: ALL_SORTS, page: 'attacked_users' },
  activeDevices: { entity: 'device', and: [], measure: 'devices', sorts: ALL_SORTS, page: 'active_devices' },
  newDevices: {
    entity: 'device',
    and: [],
    fresh: true,
    measure: 'newDevices',
    sorts: ALL_SORTS,
    page: 'active_devices',
  },
  attackedDevices: {
    entity: 'device',
    and: [RISKS],
    measure: 'attackedDevices',
    sorts: ['attacks', 'last'],
    page: 'active_devices',
  },
  abnormalDevices: {
    entity: 'device',
    and: [ABNORMAL],
    measure: 'devices',
    sorts: ['events', 'attacks', 'crashes', 'anrs', 'exceptions', 'last'],
    kinds: true,
    page: 'abnormal_devices',
  },
  exceptionDevices: {
    entity: 'device',
    and: [FAILURES],
    measure: 'devices',
    sorts: ['events', 'crashes', 'anrs', 'exceptions', 'last'],
    kinds: true,
    page: 'exception_devices',
  },
} as const satisfies Record<string, EntityList>
export type EntityListName = keyof typeof ENTITY_LISTS

/** The lists that a page switches between, its own first. */
export const PAGE_LISTS = {
  attacked_users: ['attackedUsers', 'activeUsers', 'newUsers'],
  active_devices: ['activeDevices', 'newDevices', 'attackedDevices'],
  abnormal_devices: ['abnormalDevices'],
  exception_devices: ['exceptionDevices'],
} as const satisfies Partial<Record<PageName, readonly EntityListName[]>>

/** Address of the whole list over the rows of a query. */
export function listPath(name: EntityListName, query: Query): string {
  const { page } = ENTITY_LISTS[name]
  const own = PAGE_LISTS[page][0] === name
  return `${PAGES[page].path}?${carryQuery(query)}${own ? '' : `&list=${name}`}`
}

/** The list behind a count of devices or users. */
export const LIST_OF_MEASURE: Partial<Record<Measure, EntityListName>> = {
  users: 'activeUsers',
  newUsers: 'newUsers',
  attackedUsers: 'attackedUsers',
  devices: 'activeDevices',
  newDevices: 'newDevices',
  attackedDevices: 'attackedDevices',
}

/** What the address narrows a list of devices to; 'none' selects devices without a verdict. */
export const DEVICE_VERDICT_CHOICES = ['trusted', 'watched', 'banned', 'none'] as const
type DeviceVerdictChoice = (typeof DEVICE_VERDICT_CHOICES)[number]

export function entityPart(
  name: EntityListName,
  sort: EntitySort,
  limit: number,
  offset: number,
  verdict?: DeviceVerdictChoice,
) {
  const list: EntityList = ENTITY_LISTS[name]
  return {
    kind: 'entities',
    entity: list.entity,
    sort,
    limit,
    offset,
    ...(list.fresh && { fresh: true }),
    ...(verdict && list.entity === 'device' && { verdict }),
    and: [...list.and],
  } satisfies PartInput
}
