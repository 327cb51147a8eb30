import type { Platform } from '#domain/vocabulary.ts'
import { type AppProfile, pickChannel, signerOf, updateDelay } from './demo-apps.ts'
import { CYCLE_DAYS, habitOf, JOINERS } from './habits.ts'
import { pickModel } from './models.ts'
import { type DevicePlace, pickPlace } from './places.ts'
import { hexText, makeRng, type Rng, weighted } from './random.ts'
import { pickTrait, type Trait } from './risks.ts'

/** One application on one phone: everything about its events that does not change, as JSON members. */
export type Install = {
  /** Index of the application. */
  app: number
  device: string
  /** `"device_id":…,"platform":…,…` without version, network and user. */
  text: string
  /** `,"package_name":…,"signer":…`: what the SDK reads of the environment and of the build itself. */
  build: string
  /** Who built it, where that is not the maker: its files have hashes of their own. */
  foreign?: string
  /** Names its sessions. */
  serial: number
  /** `,"user_id":…` of the signed-in user; '' when signed out. */
  users: string[]
  trait: Trait
  /** From 0 to 1: how many of the days its owner opens the application. */
  habit: number
  /** Day of the cycle on which it is first opened (habits.ts); undefined where it was there before. */
  joins?: number
  /** Days that its owner takes to update. */
  updateDelay: number
  /** Fixed version of a build that never updates. */
  version?: string
  /** How far its clock is off, ms. */
  drift: number
  place: DevicePlace
}

export type Population = { installs: Install[] /** Those of odd phones. */; risky: Install[] }
export type PopulationOptions = { seed: number; apps: readonly AppProfile[]; phones: number; dateLineOnly?: boolean }

const SDK_VERSION = '1.4.2'
const SECOND_APP = 0.24
const DRIFTERS = 0.012

/** All phones of the world. The same seed makes the same phones. */
export function makePopulation({ seed, apps, phones, dateLineOnly = false }: PopulationOptions): Population {
  const rng = makeRng(seed, 'population')
  const pickApp = weighted(apps.map((app, index) => [index, app.share] as const))
  const installs: Install[] = []
  const builds = apps.map((app) => `,"package_name":"${app.package}","signer":"${signerOf(app)}"`)
  const people: string[] = []
  for (let phone = 0; phone < phones; phone++) {
    const first = pickApp(rng.next())
    const { platform } = apps[first] as AppProfile
    const others = apps
      .map((_, index) => index)
      .filter((index) => index !== first && apps[index]?.platform === platform)
    const chosen =
      others.length && rng.next() < SECOND_APP ? [first, others[rng.int(others.length)] as number] : [first]
    const device = deviceId(rng, platform)
    const place = pickPlace(rng, dateLineOnly)
    const trait = pickTrait(platform, rng.next())
    const phoneText = `${describePhone(rng, platform, device)},${place.json}`
    const drift = rng.next() < DRIFTERS ? driftOf(rng) : 0
    const users = usersOf(rng, people)
    const habit = habitOf(rng.next())
    const joins = rng.next() < JOINERS ? rng.int(CYCLE_DAYS) : undefined
    for (const app of chosen) {
      const channel = pickChannel(platform, rng.next())
      installs.push({
        app,
        device,
        // Written out: a text that is only put together keeps its pieces, a quarter of what the population takes.
        text: Buffer.from(`${phoneText},"channel":"${channel}"`).toString(),
        build: builds[app] as string,
        serial: installs.length,
        users,
        habit,
        ...(joins !== undefined && { joins }),
        trait,
        updateDelay: updateDelay(rng.next()),
        drift,
        place,
      })
    }
  }
  return { installs, risky: installs.filter((one) => one.trait !== 'clean') }
}

export function deviceId(rng: Rng, platform: Platform): string {
  return platform === 'ios' ? hexText(rng, 32).toUpperCase() : `a${hexText(rng, 31)}`
}

export function describePhone(rng: Rng, platform: Platform, device: string): string {
  const { brand, model, systems } = pickModel(platform, rng.next())
  return phoneText(device, platform, brand, model, systems(rng.next()))
}

export function phoneText(device: string, platform: Platform, brand: string, model: string, os: string): string {
  return `"device_id":"${device}","platform":"${platform}","brand":"${brand}","model":"${model}","os":"${os}","sdk_version":"${SDK_VERSION}"`
}

/** Most phones have one owner; some lie about in a family, some owners have a second phone, some never sign in. */
function usersOf(rng: Rng, people: string[]): string[] {
  const kind = rng.next()
  if (kind < 0.09) return ['']
  if (kind < 0.17 && people.length > 0) return [people[rng.int(people.length)] as string]
  const fresh = () => {
    const text = `,"user_id":"u${1_000_000 + people.length * 7 + rng.int(7)}"`
    people.push(text)
    return text
  }
  return kind < 0.22 ? [fresh(), fresh(), fresh()] : [fresh()]
}

/** Minutes fast or slow, seldom hours or a wrong day. */
function driftOf(rng: Rng): number {
  const minutes = rng.next() < 0.8 ? 1 + rng.int(20) : 60 * (1 + rng.int(30))
  return (rng.next() < 0.5 ? -minutes : minutes) * 60_000
}
