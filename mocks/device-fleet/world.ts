import { type EventType, RISK_TYPES, type RiskType } from '#domain/vocabulary.ts'
import { type Campaign, makeCampaigns } from './campaigns.ts'
import { type AppProfile, dexOf, versionAt } from './demo-apps.ts'
import { failureDetail } from './failures.ts'
import type { FleetEvent } from './fleet-event.ts'
import { dayOf, isInUse } from './habits.ts'
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
export type WorldOptions = {
  seed: number
  apps: readonly AppProfile[]
  phones?: number
  dateLineOnly?: boolean
  /** SHA-256 of the certificate of repackaged builds; absent: one of the seed. */
  pirateSigner?: string
}

/** What phones report, campaigns apart. */
const MIX = weighted<EventType>([
  ['start', 34],
  ['env', 58.4],
  ['risk', 7],
  ['exception', 0.34],
  ['crash', 0.17],
  ['anr', 0.09],
])
/** How often somebody else is looked for where a phone is not in use that day. */
const TRIES = 12
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
const SPIKE_PHONES = 40
/** Of the events of one odd phone, so many are risks. */
const ODD_RISKS = 0.25
/** Of all events, so many come from pages. */
const WEB = 0.03

export function makeWorld({ seed, apps, phones = 40_000, dateLineOnly = false, pirateSigner }: WorldOptions): World {
  const population = makePopulation({ seed, apps, phones, dateLineOnly })
  const shop = apps.findIndex(({ hasPages }) => hasPages)
  const web = dateLineOnly || shop < 0 ? undefined : makeWebVisits(seed, shop)
  const campaigns = dateLineOnly ? [] : makeCampaigns(seed, apps, population, pirateSigner)
  const { installs, risky } = population

  const there = installs.filter(({ app, place }) => app === 0 && place.province === SPIKE_PROVINCE)
  // Rooted phones first; the script reaches some others of the province too.
  const hooked = (there.length > 0 ? there : installs)
    .toSorted((a, b) => Number(b.trait === 'rooted') - Number(a.trait === 'rooted'))
    .slice(0, SPIKE_PHONES)

  /** Somebody who opens the application that day; a few phones are used more than others. */
  function someone(rng: Rng, list: readonly Install[], at: number): Install {
    const day = dayOf(at)
    let found = list[0] as Install
    for (let tries = 0; tries < TRIES; tries++) {
      found = list[Math.floor(rng.next() ** 1.2 * list.length)] as Install
      if (isInUse(found, day)) break
    }
    return found
  }
  const odd = risky.length > 0 ? risky : installs

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
      const install = someone(rng, type === 'risk' ? odd : installs, at)
      return write(rng, install, type === 'risk' ? pickRisk(rng, install.trait) : type, at, ownClocks)
    },
    spike(rng, at) {
      return write(rng, hooked[rng.int(hooked.length)] as Install, rng.next() < 0.8 ? 'hook' : 'injection', at, true)
    },
    eventOf(rng, install, at, ownClocks) {
      const drawn = MIX(rng.next())
      // An odd phone reports what is odd about it again and again, the others never.
      const isOdd = install.trait !== 'clean'
      const type = isOdd && rng.next() < ODD_RISKS ? 'risk' : drawn === 'risk' && !isOdd ? 'start' : drawn
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
