import type { RiskType } from '#domain/vocabulary.ts'
import type { AppProfile } from './demo-apps.ts'
import { placeIn, provinceOf } from './places.ts'
import { describePhone, deviceId, type Install } from './population.ts'
import { hexText, makeRng, type Rng, weighted } from './random.ts'

/**
 * A ring of a few phones with accounts in common and a build of their own, which travel between cities for days, and now and then leave
 * through a proxy at the other end of the country: what an attack trace is for.
 */
export const RING_DEVICES = 14
const ACCOUNTS = 5
/** Cities with the first three numbers of an address there; the last is where the proxy is. */
const ROUTES = [
  [440300, 440100, 510100],
  [330100, 310000, 420100],
  [510100, 500000, 440300],
] as const
const PROXY_CITY = 650100
const NETWORKS: Record<number, string> = {
  440300: '183.14.20',
  440100: '113.66.8',
  510100: '182.138.44',
  330100: '115.193.7',
  310000: '101.80.11',
  420100: '171.43.9',
  500000: '183.64.22',
  [PROXY_CITY]: '124.88.7',
}
const STAY_MS = 7 * 3_600_000
/** Once a day for this long. */
const DETOUR_MS = 25 * 60_000
const DAY_MS = 86_400_000

export type RoamingRing = { next(rng: Rng, at: number): { install: Install; risk: RiskType } }

export function roamingRing(seed: number, apps: readonly AppProfile[], app: number): RoamingRing {
  const rng = makeRng(seed, 'ring')
  const signer = hexText(rng, 64)
  const phones = Array.from({ length: RING_DEVICES }, (_, index) => {
    const device = deviceId(rng, 'android')
    const user = `,"user_id":"u${900_000 + (index % ACCOUNTS)}"`
    return { device, text: describePhone(rng, 'android', device), user, host: 2 + rng.int(250), index }
  })
  const risks = weighted<RiskType>([
    ['injection', 34],
    ['hook', 30],
    ['proxy_vpn', 14],
    ['root', 12],
    ['debugger', 10],
  ])
  return {
    next(random, at) {
      const phone = phones[random.int(phones.length)] as (typeof phones)[number]
      const city = cityAt(phone.index, at)
      // At home each phone has an address; the proxy is one for all of them.
      const address = `${NETWORKS[city]}.${city === PROXY_CITY ? 9 : phone.host}`
      const place = placeIn(provinceOf(city), city)
      const install: Install = {
        app,
        device: phone.device,
        text: `${phone.text},"client_ip":"${address}",${place.json},"channel":"ring"`,
        build: `,"package_name":"${apps[app]?.package}","signer":"${signer}"`,
        serial: 7_000_000 + phone.index,
        users: [phone.user],
        habit: 1,
        trait: 'rooted',
        updateDelay: 30,
        drift: 0,
        place,
      }
      return { install, risk: risks(random.next()) }
    },
  }
}

/** Where a phone of the ring is: its route, a stay each, and the detour at its own time of day. */
export function cityAt(phone: number, at: number): number {
  const ofDay = (at + phone * 97 * 60_000) % DAY_MS
  if (ofDay < DETOUR_MS) return PROXY_CITY
  const route = ROUTES[phone % ROUTES.length] as (typeof ROUTES)[number]
  return route[Math.floor(at / STAY_MS + phone) % route.length] as number
}
