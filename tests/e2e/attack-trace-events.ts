import { randomUUID } from 'node:crypto'
import type { WireEvent } from '#contracts/telemetry/wire.ts'

/** The story of one device over four days: four stops, one impossible movement, two accomplices, a re-signed build, a NAT exit. */
export const STORY = {
  device: 'trace-device-main',
  user: 'trace-user-one',
  secondUser: 'trace-user-two',
  /** Shares the second user. */
  accomplice: 'trace-device-accomplice',
  /** Shares an address alone. */
  neighbour: 'trace-device-neighbour',
  stops: 4,
  impossible: 1,
  events: 67,
  attacks: 62,
  starts: 5,
  natDevices: 30,
} as const

const SHENZHEN = { country: 'CN', province: '440000', city: '440300' }
const URUMQI = { country: 'CN', province: '650000', city: '650100' }
const CHENGDU = { country: 'CN', province: '510000', city: '510100' }
const HOME = '183.14.{tag}.5'
const PROXY = '124.88.{tag}.9'
const NAT = '182.138.{tag}.1'
const RELEASED = 'ab'.repeat(32)
const RESIGNED = 'cd'.repeat(32)

type Line = readonly [minutes: number, risk: WireEvent['risk_type'] | 'start', count: number]
/** Minutes after the beginning; counts as in the picture of the trace. */
const VISITS: readonly { place: typeof SHENZHEN; ip: string; user: string; lines: readonly Line[] }[] = [
  {
    place: SHENZHEN,
    ip: HOME,
    user: STORY.user,
    lines: [
      [0, 'start', 1],
      [2, 'root', 3],
      [28, 'debugger', 4],
      [694, 'hook', 6],
      [699, 'injection', 5],
      [1497, 'start', 1],
      [1499, 'proxy_vpn', 4],
      [3629, 'hook', 3],
      [3646, 'injection', 2],
    ],
  },
  {
    place: URUMQI,
    ip: PROXY,
    user: STORY.user,
    lines: [
      [3668, 'start', 1],
      [3670, 'injection', 5],
      [3755, 'mitm', 6],
    ],
  },
  {
    place: CHENGDU,
    ip: NAT,
    user: STORY.secondUser,
    lines: [
      [4300, 'start', 1],
      [4373, 'proxy_vpn', 3],
      [4385, 'hook', 4],
    ],
  },
  {
    place: SHENZHEN,
    ip: HOME,
    user: STORY.user,
    lines: [
      [4572, 'start', 1],
      [4579, 'root', 6],
      [4610, 'hook', 5],
      [4639, 'injection', 6],
    ],
  },
]

/** All of it ends half an hour before `now`. Stories of different tags (0 to 255) have no device, user or address in common. */
export function traceEvents(now: number, tag: number): WireEvent[] {
  return story(now).map((event) => ({
    ...event,
    device_id: taggedDevice(event.device_id, tag),
    ...(event.user_id !== undefined && { user_id: `${event.user_id}-${tag}` }),
    ...(event.client_ip !== undefined && { client_ip: event.client_ip.replace('{tag}', String(tag)) }),
  }))
}

export const taggedDevice = (device: string, tag: number): string => `${device}-${tag}`

function story(now: number): WireEvent[] {
  const app = 'example.wallet'
  const begin = now - 30 * 60_000 - 4640 * 60_000
  const main = VISITS.flatMap(({ place, ip, user, lines }, visit) =>
    lines.flatMap(([minutes, risk, count]) =>
      Array.from(
        { length: count },
        (_, index): WireEvent => ({
          ...phone(STORY.device, app),
          signer: visit === 0 && minutes < 2000 ? RELEASED : RESIGNED,
          app_version: visit === 0 && minutes < 2000 ? '5.8.1' : '5.8.2',
          occurred_at: begin + minutes * 60_000 + index * 5000,
          user_id: user,
          client_ip: ip,
          place,
          ...(risk === 'start' ? {} : { type: 'risk', risk_type: risk, action: index % 2 ? 'block' : 'report' }),
        }),
      ),
    ),
  )
  const other = (device: string, index: number, more: Partial<WireEvent>): WireEvent => ({
    ...phone(device, app),
    signer: RELEASED,
    app_version: '5.8.1',
    occurred_at: begin + (4000 + index) * 60_000,
    ...more,
  })
  return [
    ...main,
    ...Array.from({ length: 6 }, (_, index) =>
      other(STORY.accomplice, index, { user_id: STORY.secondUser, client_ip: '59.37.{tag}.8', place: SHENZHEN }),
    ),
    ...Array.from({ length: 4 }, (_, index) => other(STORY.neighbour, index, { client_ip: HOME, place: SHENZHEN })),
    ...Array.from({ length: STORY.natDevices }, (_, index) =>
      other(`trace-device-nat-${index}`, index, { client_ip: NAT, place: CHENGDU }),
    ),
  ]
}

function phone(device: string, app: string): WireEvent {
  return {
    event_id: randomUUID(),
    type: 'start',
    device_id: device,
    platform: 'android',
    brand: 'Xiaomi',
    model: 'Redmi K70',
    os: 'Android 14',
    channel: 'official',
    package_name: app,
  }
}
