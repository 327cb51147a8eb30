import { type EventType, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { type Campaign, makeCampaigns } from './campaigns.ts'
import { type AppProfile, dexOf, versionAt } from './demo-apps.ts'
import { failureDetail } from './failures.ts'
import type { FleetEvent } from './fleet-event.ts'
import { type Install, makePopulation, type Population } from './population.ts'
import { type Rng, uuid, weighted } from './random.ts'
import { pickRisk, riskText } from './risks.ts'
import { makeWebVisits } from './web-visits.ts'

export type World = {
  apps: readonly AppProfile[]
  population: Population
  campaigns: readonly Campaign[]
  /** The next event of the world at this moment. `ownClocks`: phones tell the time of their own clocks. */
  event(rng: Rng, at: number, ownClocks: boolean): FleetEvent
  /** One hooked phone of an attack that is going on in one province. */
  spike(rng: Rng, at: number): FleetEvent
  /** One of this install. */
  eventOf(rng: Rng, install: Install, at: number, ownClocks: boolean): FleetEvent
}
export type WorldOptions = { seed: number; apps: readonly AppProfile[]; phones?: number; dateLineOnly?: boolean }

/** What phones report, campaigns apart. */
const MIX = weighted<EventType>([
  ['start', 37],
  ['env', 27],
  ['risk', 25],
  ['exception', 5.6],
  ['crash', 3.4],
  ['anr', 2],
])
const NETWORK = weighted([
  ['wifi', 56],
  ['5g', 27],
  ['4g', 15],
  ['3g', 0.6],
  ['unknown', 1.4],
] as const)
/** Events that carry what is known about the build. */
const REPORTS_BUILD: ReadonlySet<EventType | RiskType> = new Set(['env', 'repackaging', 'integrity', 'injection'])
/** Guangdong: where most of the phones are. */
const SPIKE_PROVINCE = 440_000
/** Of all events, so many come from pages. */
const WEB = 0.03
/** Of risk events, so many come from odd phones. */
const RISKY = 0.78

export function makeWorld({ seed, apps, phones = 20_000, dateLineOnly = false }: WorldOptions): World {
  const population = makePopulation({ seed, apps, phones, dateLineOnly })
  const shop = apps.findIndex(({ hasPages }) => hasPages)
  const web = dateLineOnly || shop < 0 ? undefined : makeWebVisits(seed, shop)
  const campaigns = dateLineOnly ? [] : makeCampaigns(seed, apps, population)
  const { installs, risky } = population

  const rooted = (risky.length ? risky : installs).filter((one) => one.app === 0)
  const there = rooted.filter(({ place, trait }) => place.province === SPIKE_PROVINCE && trait === 'rooted')
  const hooked = there.length > 0 ? there : rooted

  /** A few phones are used all day, most now and then. */
  const anyone = (rng: Rng) => installs[Math.floor(rng.next() ** 1.8 * installs.length)] as Install
  const someoneOdd = (rng: Rng) => (risky[Math.floor(rng.next() ** 1.6 * risky.length)] ?? anyone(rng)) as Install

  function write(
    rng: Rng,
    install: Install,
    what: EventType | RiskType,
    at: number,
    ownClocks: boolean,
    history = !ownClocks,
  ): FleetEvent {
    const risk = what in RISK_TYPES ? (what as RiskType) : undefined
    const occurred = Math.round(at + (ownClocks ? install.drift : 0))
    const user = install.users.length === 1 ? install.users[0] : install.users[rng.int(install.users.length)]
    const version = install.version ?? versionAt(apps[install.app] as AppProfile, at, install.updateDelay)
    const session = ((Math.floor(at / 1_500_000) * 40_503) ^ (install.serial * 2_654_435)) >>> 0
    const build = REPORTS_BUILD.has(what) ? install.build : ''
    const profile = apps[install.app] as AppProfile
    const rest = risk
      ? riskText(rng, risk)
      : what === 'env'
        ? hashesText(profile, version, install.foreign)
        : failureText(rng, what, profile, version, at, history)
    const text = `{"event_id":"${uuid(rng)}","type":"${risk ? 'risk' : what}","occurred_at":${occurred},${install.text}${build},"app_version":"${version}"${user},"network":"${NETWORK(rng.next())}","session_id":"s${session.toString(36)}"${rest}`
    return { app: install.app, at, text }
  }

  const hashes = new Map<string, string>()
  /** What the SDK reads of the installed package; iOS gives no hashes. */
  function hashesText(app: AppProfile, version: string, foreign = ''): string {
    if (app.platform !== 'android') return ''
    const name = `${app.package} ${version} ${foreign}`
    const text = hashes.get(name) ?? `,"detail":{"hashes":{"classes.dex":"${dexOf(app, version, foreign)}"}}`
    hashes.set(name, text)
    return text
  }

  return {
    apps,
    population,
    campaigns,
    event(rng, at, ownClocks) {
      let u = rng.next()
      if (web && u > 1 - WEB) return web.next(rng, at)
      for (const campaign of campaigns) {
        const share = campaign.share(at)
        if (u < share) {
          const { install, risk } = campaign.next(rng, at)
          return write(rng, install, risk, at, ownClocks)
        }
        u -= share
      }
      const type = MIX(rng.next())
      const install = type === 'risk' && rng.next() < RISKY ? someoneOdd(rng) : anyone(rng)
      return write(rng, install, type === 'risk' ? pickRisk(rng, install.trait) : type, at, ownClocks)
    },
    spike(rng, at) {
      return write(rng, hooked[rng.int(hooked.length)] as Install, rng.next() < 0.8 ? 'hook' : 'injection', at, true)
    },
    eventOf(rng, install, at, ownClocks) {
      const type = MIX(rng.next())
      return write(rng, install, type === 'risk' ? pickRisk(rng, install.trait) : type, at, ownClocks, false)
    },
  }
}

function failureText(
  rng: Rng,
  what: EventType | RiskType,
  app: AppProfile,
  version: string,
  at: number,
  history: boolean,
): string {
  if (what !== 'crash' && what !== 'anr' && what !== 'exception') return ''
  return `,"detail":${JSON.stringify(failureDetail(rng, app, version, what, at, history))}`
}
