import type { RiskType } from '#domain/vocabulary.ts'
import { hourOfDay } from './activity-curve.ts'
import { type AppProfile, daysSinceRelease, versionAt } from './demo-apps.ts'
import { pickCityOf, placeIn, provinceOf } from './places.ts'
import { describePhone, deviceId, type Install, type Population, phoneText } from './population.ts'
import { hexText, makeRng, type Rng, weighted } from './random.ts'
import { roamingRing } from './roaming-ring.ts'

/** Attackers who act together: when they are active, how much of all events is theirs, and what they do. */
export type Campaign = {
  name: 'emulator_farm' | 'repackaged_build' | 'hook_wave' | 'roaming_ring' | 'coupon_bots'
  /** 0 to 1: share of the fleet's events at this moment. */
  share(at: number): number
  next(rng: Rng, at: number): { install: Install; risk: RiskType | 'env' }
}

export const FARM_CITY = 410100
const FARM_DEVICES = 260
const COUPON_DAYS = 2.5
export const REPACKAGED_PROVINCE = 450000

export function makeCampaigns(
  seed: number,
  apps: readonly AppProfile[],
  population: Population,
  pirateSigner?: string,
): Campaign[] {
  const android = apps.findIndex((app) => app.platform === 'android')
  const campaigns = [hookWave(population)]
  const shop = apps.findIndex(({ hasPages }) => hasPages)
  if (shop >= 0) campaigns.push(couponBots(apps[shop] as AppProfile, shop, population))
  if (android >= 0) {
    campaigns.push(emulatorFarm(seed, apps, android), repackagedBuild(seed, apps, android, pirateSigner))
    campaigns.push({ name: 'roaming_ring', share: () => 0.001, ...roamingRing(seed, apps, android) })
  }
  return campaigns
}

/** Each release of the shop brings coupons, and with them programs that collect them until they are gone. */
function couponBots(app: AppProfile, index: number, { risky, installs }: Population): Campaign {
  const own = (list: readonly Install[]) => list.filter((one) => one.app === index)
  const robots = own(risky).filter((one) => one.trait === 'robot' || one.trait === 'cloned' || one.trait === 'emulator')
  const pool = robots.length > 0 ? robots : own(installs)
  const risks = weighted<RiskType>([
    ['automation', 62],
    ['multi_open', 24],
    ['emulator', 14],
  ])
  return {
    name: 'coupon_bots',
    share: (at) => (pool.length > 0 && daysSinceRelease(app, at) < COUPON_DAYS ? 0.02 : 0),
    next: (random) => ({ install: pool[random.int(pool.length)] as Install, risk: risks(random.next()) }),
  }
}

/** One room in one city: many devices of three models that work at night and after lunch. */
function emulatorFarm(seed: number, apps: readonly AppProfile[], app: number): Campaign {
  const rng = makeRng(seed, 'farm')
  const models = [
    ['Samsung', 'SM-G988N'],
    ['Huawei', 'LIO-AN00'],
    ['Xiaomi', 'M2012K11AC'],
  ] as const
  const installs = Array.from({ length: FARM_DEVICES }, (_, index) => {
    const [brand, model] = models[index % models.length] as (typeof models)[number]
    const device = deviceId(rng, 'android')
    const phone = phoneText(device, 'android', brand, model, 'Android 9')
    return special(
      apps,
      app,
      device,
      `${phone},${placeIn(provinceOf(FARM_CITY), FARM_CITY).json}`,
      'website',
      hexText(makeRng(seed, 'farm', 'signer'), 64),
      FARM_CITY,
    )
  })
  const risks = weighted<RiskType>([
    ['emulator', 58],
    ['automation', 24],
    ['multi_open', 12],
    ['speed_change', 6],
  ])
  return {
    name: 'emulator_farm',
    share: (at) => (between(hourOfDay(at), 1, 5) ? 0.16 : between(hourOfDay(at), 13, 15.5) ? 0.07 : 0.004),
    next: (random) => ({ install: installs[random.int(installs.length)] as Install, risk: risks(random.next()) }),
  }
}

/** A repackaged build, signed with another key and half renamed, that spreads in one province and poses as the release it was made of. */
function repackagedBuild(seed: number, apps: readonly AppProfile[], app: number, pirateSigner?: string): Campaign {
  const rng = makeRng(seed, 'repackaged')
  const city = pickCityOf(REPACKAGED_PROVINCE)
  const made = hexText(rng, 64)
  const signer = pirateSigner ?? made
  const version = versionAt(apps[app] as AppProfile, Date.UTC(2026, 5, 1), 0)
  const installs = Array.from({ length: 420 }, (_, index) => {
    const device = deviceId(rng, 'android')
    const at = city(rng.next())
    const text = `${describePhone(rng, 'android', device)},${placeIn(REPACKAGED_PROVINCE, at).json}`
    const install = special(apps, app, device, text, 'gx-mirror', signer, at)
    const renamed = install.build.replace(/("package_name":"[^"]+)/, '$1.gx')
    return { ...install, version, foreign: signer, build: index % 2 ? renamed : install.build }
  })
  const risks = weighted<RiskType | 'env'>([
    ['env', 46],
    ['repackaging', 62],
    ['integrity', 24],
    ['injection', 8],
    ['overlay', 6],
  ])
  return {
    name: 'repackaged_build',
    share: (at) => (between(hourOfDay(at), 8, 23) ? 0.014 : 0.005),
    next: (random) => ({ install: installs[random.int(installs.length)] as Install, risk: risks(random.next()) }),
  }
}

/** The same script on rooted phones all over the country, three times a day. */
function hookWave({ installs, risky }: Population): Campaign {
  const rooted = risky.filter((one) => one.trait === 'rooted')
  const pool = rooted.length ? rooted : installs
  const risks = weighted<RiskType>([
    ['hook', 56],
    ['injection', 20],
    ['memory_tampering', 18],
    ['debugger', 6],
  ])
  const waves = [
    [10, 10.6],
    [15.5, 16.1],
    [20.5, 21.3],
  ] as const
  return {
    name: 'hook_wave',
    share: (at) => (waves.some(([from, to]) => between(hourOfDay(at), from, to)) ? 0.2 : 0),
    next: (random) => ({ install: pool[random.int(pool.length)] as Install, risk: risks(random.next()) }),
  }
}

function special(
  apps: readonly AppProfile[],
  app: number,
  device: string,
  phone: string,
  channel: string,
  signer: string,
  city: number,
): Install {
  const text = `${phone},"channel":"${channel}"`
  const build = `,"package_name":"${apps[app]?.package}","signer":"${signer}"`
  const serial = Number.parseInt(device.slice(1, 8), 16)
  return {
    app,
    device,
    text,
    build,
    serial,
    users: [''],
    habit: 1,
    trait: 'emulator',
    updateDelay: 60,
    drift: 0,
    place: placeIn(provinceOf(city), city),
  }
}

function between(hour: number, from: number, to: number): boolean {
  return hour >= from && hour < to
}
