import { abnormalReturns } from '#contracts/http/abnormal-returns.ts'
import { deviceProfile, deviceSessions, suspiciousDevices } from '#contracts/http/devices.ts'
import type { BodyInputOf, Endpoint } from '#contracts/http/endpoint.ts'
import { exceptionGroups } from '#contracts/http/exceptions.ts'
import { links, trail } from '#contracts/http/investigation.ts'
import { statistics } from '#contracts/http/statistics.ts'
import type { Filter, PartInput, Query } from '#domain/query.ts'
import type { Subject } from '#domain/trail.ts'
import { GLOBAL_PARTS, LAST_HOUR_PARTS, lastHour } from '#src/features/awareness/global-view/global-parts.ts'
import { pageParts, webParts } from '#src/features/awareness/web-defense/web-parts.ts'
import { DAY, HOME_PARTS } from '#src/features/start/home/home-query.ts'
import { type AppFigure, appParts, appSlices } from '#src/features/statistics/app-analysis/app-parts.ts'
import {
  ATTACK_PARTS,
  CAUSE_PARTS,
  releaseParts,
  VERSION_PARTS,
} from '#src/features/statistics/attack-analysis/attack-parts.ts'
import { GROUP_LISTS, groupListParts } from '#src/features/statistics/lists/group-list.ts'
import { ABNORMAL, type EntityListName, entityPart } from '#src/features/statistics/parts/entity-lists.ts'
import { KPIS, type Kpi, userParts } from '#src/features/statistics/user-analysis/kpis.ts'

type Parts = Record<string, PartInput>
/** One request of a page. */
export type PageRequest = { endpoint: Endpoint; body: object }
/** What a page sends to be painted: the requests of a step at once, the next step once they are answered. */
export type PageLoad = { name: string; days: number; limit: number; steps: PageRequest[][] }

const PAGE_MS = 1500
const DEVICE_MS = 100
/** Lines that a list shows on a laptop, and those of a whole page of lines. */
const [SOME, MANY] = [20, 100]

const ask = (query: Partial<Query> & { range: string }, parts: Parts): PageRequest => ({
  endpoint: statistics,
  body: { query, parts } satisfies BodyInputOf<typeof statistics>,
})
const days = (count: number) => (count === 1 ? '-24h' : `-${count}d`)
const kpi = (key: Kpi['key']) => KPIS.find((one) => one.key === key) as Kpi

/** The pages as they open, each over its own range and over longer ones. `device` is one of many events, `ordinary` one of few. */
export function pageLoads(subjects: { device: string; ordinary: string; user: string; address: string }): PageLoad[] {
  const page = (name: string, count: number, steps: PageRequest[][], limit = PAGE_MS): PageLoad => ({
    name,
    days: count,
    limit,
    steps,
  })
  const compared = (count: number) => ({ range: days(count), compare: 'previous' }) as const
  const user = (count: number, figure: Kpi['key']) =>
    page(`user analysis, ${figure}, ${count} d`, count, [
      [ask(compared(count), userParts(kpi(figure)))],
      [ask({ range: days(count) }, { list: entityPart('attackedUsers', 'attacks', SOME, 0) })],
    ])
  const application = (count: number, figure: AppFigure) =>
    page(`app analysis, ${figure}, ${count} d`, count, [
      [ask(compared(count), appParts(figure, 'version', count >= 7 ? 'day' : 'auto'))],
      [ask({ range: days(count) }, appSlices(figure, count >= 7 ? 'day' : 'auto'))],
    ])
  const attacks = (count: number) =>
    page(`attack analysis, ${count} d`, count, [
      [ask(compared(count), ATTACK_PARTS)],
      [ask({ range: '-90d' }, VERSION_PARTS)],
      [ask(compared(7), releaseParts([]))],
    ])
  const groups = (name: keyof typeof GROUP_LISTS, count: number, field?: 'province' | 'model') => {
    const list = GROUP_LISTS[name]
    const by = field ?? list.fields[0]
    const parts = groupListParts(list, by, list.measures[0]) as unknown as Parts
    return page(`${name} by ${by}, ${count} d`, count, [[ask(compared(count), parts)]])
  }
  const entities = (list: EntityListName, count: number) =>
    page(`${list}, ${count} d`, count, [
      [ask({ range: days(count) }, { list: entityPart(list, 'attacks', MANY, 0) as PartInput })],
    ])
  const periods = (count: number) =>
    page(`abnormal periods, ${count} d`, count, [
      [
        ask(
          { range: days(count) },
          { list: { kind: 'periods', gapMinutes: 30, sort: 'last', limit: MANY, and: [ABNORMAL] } },
        ),
      ],
    ])
  const failures = (kind: 'crash' | 'anr' | 'exception', measure: 'crashes' | 'anrs' | 'exceptions') =>
    page(`${kind} groups, 14 d`, 14, [
      [
        ask(
          { range: '-14d' },
          { totals: { kind: 'total', measures: [measure] }, trend: { kind: 'series', measures: [measure] } },
        ),
      ],
      [{ endpoint: exceptionGroups, body: { query: { range: '-14d' }, kind, limit: 50 } }],
    ])
  const own = (device: string): Filter => ({ field: 'device', op: 'is', values: [device] })
  const card = (name: string, device: string) => [
    page(
      `device card, ${name}`,
      185,
      [[{ endpoint: deviceProfile, body: { device, query: { range: '-185d' } } }]],
      DEVICE_MS,
    ),
    page(
      `device timeline, ${name}`,
      185,
      [
        [
          { endpoint: deviceSessions, body: { device, query: { range: '-185d' } } },
          ask({ range: '-185d', filters: [own(device)] }, { rows: { kind: 'rows', limit: 50 } }),
        ],
      ],
      DEVICE_MS,
    ),
  ]
  const story = (subject: Subject, name: string) => {
    const body = { query: { range: '-185d' }, subject }
    return page(`attack trace of ${name}`, 185, [[{ endpoint: trail, body }], [{ endpoint: links, body }]])
  }
  const lines = (entity: 'device' | 'user'): PartInput => ({
    kind: 'entities',
    entity,
    sort: 'attacks',
    limit: 8,
    and: [{ field: 'type', op: 'is', values: ['risk'] }],
  })
  return [
    page('home', 1, [[ask(DAY, HOME_PARTS as unknown as Parts)]]),
    page('global view, 1 d', 1, [
      [ask(compared(1), GLOBAL_PARTS as unknown as Parts), ask(lastHour([]), LAST_HOUR_PARTS as unknown as Parts)],
    ]),
    user(1, 'attacks'),
    user(7, 'attacks'),
    user(7, 'users'),
    user(7, 'newUsers'),
    application(7, 'starts'),
    application(7, 'devices'),
    application(7, 'newDevices'),
    application(7, 'attackedDevices'),
    attacks(7),
    page('attack analysis: causes, 7 d', 7, [[ask(compared(7), CAUSE_PARTS)]]),
    groups('risk_triggers', 7),
    groups('risk_triggers', 7, 'model'),
    groups('abnormal_triggers', 7),
    groups('starts', 7),
    groups('starts', 7, 'province'),
    entities('attackedUsers', 7),
    entities('activeUsers', 7),
    entities('activeDevices', 7),
    entities('newDevices', 7),
    entities('abnormalDevices', 7),
    periods(1),
    periods(7),
    page('web defense, 7 d', 7, [
      [ask(compared(7), webParts('events') as unknown as Parts)],
      [ask({ range: '-7d' }, pageParts('events') as unknown as Parts)],
    ]),
    failures('crash', 'crashes'),
    failures('anr', 'anrs'),
    failures('exception', 'exceptions'),
    page('abnormal returns, 7 d', 7, [
      [{ endpoint: abnormalReturns, body: { query: { range: '-7d' }, kinds: [], limit: 50 } }],
    ]),
    page('suspicious devices', 30, [[{ endpoint: suspiciousDevices, body: { filters: [], limit: 50 } }]]),
    ...card('the busiest', subjects.device),
    ...card('an ordinary one', subjects.ordinary),
    page('attack trace: whose, 7 d', 7, [
      [ask({ range: '-7d' }, { device: lines('device'), user: lines('user') })],
      [
        ask(
          { range: '-7d' },
          { addresses: { kind: 'top', by: 'address', measures: ['attacks', 'attackedDevices'], limit: 9 } },
        ),
      ],
    ]),
    story({ kind: 'device', key: subjects.ordinary }, 'an ordinary device'),
    story({ kind: 'device', key: subjects.device }, 'the busiest device'),
    story({ kind: 'user', key: subjects.user }, 'a user'),
    story({ kind: 'address', key: subjects.address }, 'an address'),
    user(30, 'attacks'),
    application(30, 'starts'),
    attacks(30),
  ]
}
