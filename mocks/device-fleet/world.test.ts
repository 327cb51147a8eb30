import { expect, test } from 'vitest'
import type { WireEvent } from '#contracts/telemetry/wire.ts'
import { ACTIONS, BLOCKED_FROM } from '#domain/vocabulary.ts'
import { cityByCode, provinceByCode } from '#engines/geo/place-table.ts'
import { activityAt } from './activity-curve.ts'
import { FARM_CITY, REPACKAGED_PROVINCE } from './campaigns.ts'
import { DEMO_APPS, daysSinceRelease, UNOFFICIAL_CHANNEL, versionAt } from './demo-apps.ts'
import { history } from './history.ts'
import { isSpike } from './live-fleet.ts'
import { CITY_PEOPLE, PROVINCE_PEOPLE } from './place-weights.ts'
import { makeRng } from './random.ts'
import { cityAt, RING_DEVICES } from './roaming-ring.ts'
import { makeWorld } from './world.ts'

const DAY = Date.UTC(2026, 10, 19, 16) // midnight in Shanghai
const HOUR = 3_600_000
const world = makeWorld({ seed: 1, apps: DEMO_APPS, phones: 6000 })

function texts(seed: number, from: number, to: number, rate = 20, of = world): string[] {
  return [...history(of, seed, from, to, rate)].flat().map((event) => event.text)
}
const parsed = (list: readonly string[]) => list.map((text) => JSON.parse(text) as WireEvent & { occurred_at: number })

test('the same seed is the same world, down to ids; another seed is another', () => {
  const again = makeWorld({ seed: 1, apps: DEMO_APPS, phones: 6000 })
  const first = texts(1, DAY, DAY + 600_000)
  expect(first.length).toBeGreaterThan(1000)
  expect(texts(1, DAY, DAY + 600_000, 20, again)).toEqual(first)
  const other = makeWorld({ seed: 2, apps: DEMO_APPS, phones: 6000 })
  expect(texts(2, DAY, DAY + 600_000, 20, other)).not.toEqual(first)
  const ids = new Set(parsed(first).map((event) => event.event_id))
  expect(ids.size).toBe(first.length)
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('a day holds the chosen mean, quiet at night and busy in the evening', () => {
  const hours = Array.from({ length: 24 }, (_, hour) => activityAt(DAY + (hour + 0.5) * HOUR))
  expect(hours.reduce((sum, one) => sum + one, 0) / 24).toBeCloseTo(1, 5)
  expect(hours[3]).toBeLessThan(0.4)
  expect(hours[20]).toBeGreaterThan(1.3)
  const perHour = Array.from(
    { length: 24 },
    (_, hour) => texts(1, DAY + hour * HOUR, DAY + (hour + 1) * HOUR, 0.4).length,
  )
  const all = perHour.reduce((sum, one) => sum + one, 0)
  expect(Math.abs(all / (0.4 * 86_400) - 1)).toBeLessThan(0.03)
  expect(perHour[20] as number).toBeGreaterThan(3 * (perHour[3] as number))
})

test('the mix is one that an operator would believe', () => {
  const events = parsed(
    [0, 5, 9, 12, 14, 18, 20].flatMap((hour) => texts(1, DAY + hour * HOUR, DAY + hour * HOUR + 180_000)),
  )
  const share = (list: readonly unknown[], of: readonly unknown[]) => list.length / of.length
  const risks = events.filter((event) => event.type === 'risk')
  expect(share(risks, events)).toBeGreaterThan(0.06)
  expect(share(risks, events)).toBeLessThan(0.18)
  const blocked = risks.filter((event) => ACTIONS[event.action ?? 'none'].code >= BLOCKED_FROM)
  expect(share(blocked, risks)).toBeGreaterThan(0.55)
  expect(share(blocked, risks)).toBeLessThan(0.7)
  expect(new Set(events.map((event) => event.type))).toEqual(
    new Set(['start', 'risk', 'crash', 'anr', 'exception', 'env', 'web']),
  )
  const abroad = events.filter((event) => event.place?.country && event.place.country !== 'CN')
  expect(share(abroad, events)).toBeGreaterThan(0.03)
  expect(share(abroad, events)).toBeLessThan(0.1)
  expect(events.some((event) => event.channel === UNOFFICIAL_CHANNEL)).toBe(true)
  const devicesOf = new Map<string, Set<string>>()
  for (const { user_id, device_id } of events)
    if (user_id) devicesOf.set(user_id, (devicesOf.get(user_id) ?? new Set()).add(device_id))
  expect([...devicesOf.values()].some((devices) => devices.size > 1)).toBe(true)
})

test('over fourteen days 3 to 8 % of users are attacked, 2 to 9 of 1,000 starts crash, 2 to 4 % of a day`s users are new', () => {
  // A tenth of the phones and events of the demo: each is as busy as there.
  const small = makeWorld({ seed: 5, apps: DEMO_APPS, phones: 4000 })
  const field = (name: string, text: string) => new RegExp(`"${name}":"([^"]+)"`).exec(text)?.[1]
  const [users, attacked, known] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const newShares: number[] = []
  let [starts, crashes, most] = [0, 0, 0]
  for (let day = 0; day < 14; day++) {
    const today = new Set<string>()
    const attacks = new Map<string, number>()
    for (const list of history(small, 5, DAY + day * 24 * HOUR, DAY + (day + 1) * 24 * HOUR, 0.4))
      for (const { text } of list) {
        const user = field('user_id', text)
        if (user) today.add(user)
        if (text.includes('"type":"start"')) starts++
        else if (text.includes('"type":"crash"')) crashes++
        else if (text.includes('"type":"risk"')) {
          if (user) attacked.add(user)
          const device = field('device_id', text) as string
          attacks.set(device, (attacks.get(device) ?? 0) + 1)
        }
      }
    const fresh = [...today].filter((user) => !known.has(user))
    newShares.push(fresh.length / today.size)
    for (const user of today) {
      users.add(user)
      known.add(user)
    }
    most = Math.max(most, ...attacks.values())
  }
  expect(attacked.size / users.size).toBeGreaterThan(0.03)
  expect(attacked.size / users.size).toBeLessThan(0.08)
  expect((crashes / starts) * 1000).toBeGreaterThan(2)
  expect((crashes / starts) * 1000).toBeLessThan(9)
  // Once everybody who was there before has been seen.
  const settled = newShares.slice(-5)
  const mean = settled.reduce((sum, one) => sum + one, 0) / settled.length
  expect(mean).toBeGreaterThan(0.02)
  expect(mean).toBeLessThan(0.04)
  // No device is attacked from morning to night.
  expect(most).toBeLessThan(600)
})

test('the coarse part of an hour and its rest are as many events as the whole, none of them twice', () => {
  const of = (density: 'whole' | 'coarse' | 'rest') =>
    [...history(world, 1, DAY, DAY + HOUR, 4, density)].flat().map(({ text }) => text.slice(13, 49))
  const [whole, coarse, rest] = [of('whole'), of('coarse'), of('rest')]
  expect(Math.abs(coarse.length + rest.length - whole.length) / whole.length).toBeLessThan(0.05)
  expect(coarse.length / whole.length).toBeCloseTo(0.1, 1)
  expect(new Set([...coarse, ...rest]).size).toBe(coarse.length + rest.length)
})

test('places are units of the map, and big provinces have more phones', () => {
  for (const [code] of PROVINCE_PEOPLE) expect(provinceByCode(code), String(code)).toBeDefined()
  for (const [code] of CITY_PEOPLE)
    expect(cityByCode(code)?.province, String(code)).toBe(Math.floor(code / 10_000) * 10_000)
  const count = (province: number) => world.population.installs.filter((one) => one.place.province === province).length
  expect(count(440000)).toBeGreaterThan(count(640000) * 8)
  expect(count(640000)).toBeGreaterThan(0)
})

test('campaigns keep to their places and times', () => {
  const farm = world.campaigns.find((one) => one.name === 'emulator_farm')
  const repackaged = world.campaigns.find((one) => one.name === 'repackaged_build')
  const wave = world.campaigns.find((one) => one.name === 'hook_wave')
  const rng = makeRng(1)
  const farmers = Array.from({ length: 500 }, () => farm?.next(rng, DAY).install)
  expect(new Set(farmers.map((one) => one?.place.city))).toEqual(new Set([FARM_CITY]))
  expect(new Set(farmers.map((one) => /"model":"([^"]+)"/.exec(one?.text ?? '')?.[1])).size).toBe(3)
  expect(new Set(Array.from({ length: 200 }, () => repackaged?.next(rng, DAY).install.place.province))).toEqual(
    new Set([REPACKAGED_PROVINCE]),
  )
  expect(wave?.share(DAY + 10.2 * HOUR)).toBeGreaterThan(0.1)
  expect(wave?.share(DAY + 12 * HOUR)).toBe(0)
})

test('the ring travels, shares accounts and a build, and leaves through a proxy for less than half an hour a day', () => {
  const ring = world.campaigns.find((one) => one.name === 'roaming_ring')
  const rng = makeRng(2)
  const seen = Array.from({ length: 2000 }, (_, index) => ring?.next(rng, DAY + index * 5 * 60_000).install)
  expect(new Set(seen.map((one) => one?.device)).size).toBe(RING_DEVICES)
  expect(new Set(seen.map((one) => one?.users[0])).size).toBeLessThan(RING_DEVICES)
  expect(new Set(seen.map((one) => one?.build)).size).toBe(1)
  const minutes = Array.from({ length: 1440 }, (_, minute) => cityAt(3, DAY + minute * 60_000))
  const away = minutes.filter((city) => city === 650100).length
  expect(away).toBeGreaterThan(10)
  expect(away).toBeLessThan(30)
  expect(new Set(minutes).size).toBeGreaterThan(2)
  for (const one of seen) {
    const event = JSON.parse(`{${one?.text}}`) as { client_ip: string; place: { city: string } }
    expect(event.client_ip).toMatch(/^\d+(\.\d+){3}$/)
    expect(Number(event.place.city)).toBe(one?.place.city)
  }
})

test('versions come out in order and spread over days', () => {
  const [app] = DEMO_APPS
  if (!app) throw new Error('no application')
  const at = (days: number, delay: number) => versionAt(app, DAY + days * 86_400_000, delay)
  expect(at(0, 0)).not.toBe(at(app.cadence, 0))
  expect(at(app.cadence, app.cadence)).toBe(at(0, 0))
  const spread = new Set(world.population.installs.filter((one) => one.app === 0).map((one) => at(0, one.updateDelay)))
  expect(spread.size).toBeGreaterThan(3)
})

test('on the date line phones stand on both sides of it', () => {
  const islands = makeWorld({ seed: 1, apps: DEMO_APPS, phones: 500, dateLineOnly: true })
  const places = parsed(texts(1, DAY, DAY + 60_000, 20, islands)).map((event) => event.place?.longitude ?? 0)
  expect(places.every((longitude) => Math.abs(longitude) > 140)).toBe(true)
  expect(places.some((longitude) => longitude > 170) && places.some((longitude) => longitude < -170)).toBe(true)
})

test('now and then phones of one province are hooked, enough of them for the rule of the demo', () => {
  expect([0, 59_999, 60_000, 299_999, 300_000, 91 * 60_000].map(isSpike)).toEqual([
    false,
    false,
    true,
    true,
    false,
    true,
  ])
  const rng = makeRng(7, 'spike')
  const events = parsed(Array.from({ length: 400 }, () => `${world.spike(rng, DAY).text}}`))
  expect(events.filter((event) => event.risk_type === 'hook').length).toBeGreaterThan(280)
  const places = new Set(events.flatMap(({ place }) => (place ? [provinceByCode(Number(place.province))?.code] : [])))
  expect([...places]).toEqual([440_000])
  expect(new Set(events.map((event) => event.device_id)).size).toBeGreaterThan(10)
})

test('a release of the shop lies in every week, and its first days bring programs that collect coupons', () => {
  const shop = DEMO_APPS.findIndex(({ hasPages }) => hasPages)
  const app = DEMO_APPS[shop] as (typeof DEMO_APPS)[number]
  for (let day = 0; day < 12; day++)
    expect(versionAt(app, DAY + day * 24 * HOUR, 0)).not.toBe(versionAt(app, DAY + (day - 6) * 24 * HOUR, 0))
  const release = Array.from({ length: 7 * 24 }, (_, hour) => DAY + hour * HOUR).find(
    (at) => daysSinceRelease(app, at) < 1 / 24,
  )
  const risks = (from: number) =>
    [...history(world, 3, from, from + HOUR, 20)]
      .flat()
      .filter((event) => event.app === shop && event.text.includes('"risk_type":"automation"')).length
  // The same hour of the day before and after.
  expect(risks((release as number) + 6 * HOUR)).toBeGreaterThan(2 * risks((release as number) - 18 * HOUR))
})
