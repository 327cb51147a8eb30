import { createReadStream } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { certificateHash, demoSigners } from '../app-markets/demo-signers.ts'
import { DEMO_APPS, versionAt } from '../device-fleet/demo-apps.ts'
import type { HistoryPhase } from '../device-fleet/history-plan.ts'
import { startAdbServer } from '../phone/adb-server.ts'
import { TELLING } from '../phone/behaviour.ts'
import { SimulatedPhone } from '../phone/simulated-phone.ts'
import { apiClient, untilHealthy } from './api-client.ts'
import { bankDexHash } from './bank/bank-build.ts'
import { readAccounts, readState, writeState } from './demo-files.ts'
import { demoLanguage } from './demo-language.ts'
import { enableUsualRules } from './seed-alerts.ts'
import { seedBank } from './seed-bank.ts'
import { seedDemo } from './seed-demo.ts'
import { seedMonitoring } from './seed-monitoring.ts'
import { INJECTED, pathOf, seedPackages, uploadPackage } from './seed-packages.ts'
import { type FleetMessage, startFleet } from './start-fleet.ts'
import { startMarkets } from './start-markets.ts'

/**
 * The demo: waits for the product, makes applications, sites, keys and a wall through its public API, lets the fleet of phones report,
 * and says where to look. It knows the product by its address and the demo's account file alone.
 */
const { url, dataFolder, phonePort, marketPorts } = z
  .object({
    url: z.string(),
    dataFolder: z.string(),
    phonePort: z.number().nullable(),
    marketPorts: z.array(z.number()),
  })
  .parse(JSON.parse(process.env['APPWARDEN_PROCESS_OPTIONS'] ?? '{}'))
/** Mean events a second of the history, and of the live fleet where DEMO_RATE is not set. */
const HISTORY_RATE = 10
const rate = z.coerce.number().min(0.1).catch(HISTORY_RATE).parse(process.env['DEMO_RATE'])
const PACKAGES_LATEST_MS = 120_000
const stopping = new AbortController()
let stopFleet: () => void = () => {}
for (const signal of ['SIGTERM', 'SIGINT', 'disconnect'] as const) process.on(signal, stop)

if (phonePort !== null) startPhone(phonePort)
await untilHealthy(url, stopping.signal)
const accounts = await readAccounts(dataFolder)
const api = apiClient(url, accounts.token)
const language = demoLanguage(process.env['LANG'])
const state = await seedDemo(api, accounts.analyst.username, readState(dataFolder), language)
writeState(dataFolder, state)
const phones = state.apps.find((one) => one.platform === 'android')
const signers = join(dataFolder, 'demo-signers.json')
stopFleet = startFleet(
  {
    url,
    apps: state.apps,
    rate,
    spikes: true,
    folder: dataFolder,
    history: { days: 14, averageRate: HISTORY_RATE },
    // Phones have what the markets offer.
    pirateSigner: certificateHash(demoSigners(signers).pirate),
  },
  report,
)
process.send?.({ ready: true })
const packagesLater = setTimeout(makePackages, PACKAGES_LATEST_MS)
console.log(`Wall:    ${url}/maps?wall=1#token=${state.displayToken}`)
console.log(`Console: ${url}/login  ${accounts.administrator.username} / ${accounts.administrator.password}`)

let packagesMade = false
/** Not before the wall has its day: reading and scanning packages takes the processors that its start needs. */
function makePackages(): void {
  clearTimeout(packagesLater)
  if (packagesMade) return
  packagesMade = true
  void seedInTurn([
    ['no package of the bank', async () => (phones ? seedBank(api, phones.appid, language) : '')],
    ['no packages', () => seedPackages(api, (phones ?? state.apps[0])?.appid ?? '')],
    ['no channel monitoring', monitor],
  ])
}

/** One after the other, each whether or not the one before it did what it should. */
async function seedInTurn(steps: readonly (readonly [failure: string, step: () => Promise<string>])[]): Promise<void> {
  for (const [failure, step] of steps) {
    const done = await step().catch((error: Error) => `${failure}, ${error.message}`)
    if (done) console.log(`Demo: ${done}`)
  }
}

/** Markets that offer copies of the bank, and the product that looks for them; without the real package whose code is put into copies there are none. */
async function monitor(): Promise<string> {
  const other = pathOf(INJECTED.from, INJECTED.file)
  const profile = DEMO_APPS.find((one) => one.platform === 'android')
  if (marketPorts.length === 0 || !phones || !profile) return ''
  if (!other) return 'no channel monitoring, the package that copies are made with is not installed'
  const now = Date.now()
  const version = versionAt(profile, now, 0)
  const simulated = await startMarkets({
    ports: marketPorts,
    folder: join(dataFolder, 'demo-bank-markets'),
    signers,
    application: {
      id: profile.package,
      label: phones.name,
      version,
      nextVersion: versionAt(profile, now, -profile.cadence),
    },
    other,
  })
  // The release of another day than that of the sources is a version of its own.
  if (bankDexHash(version) === undefined) {
    const content = createReadStream(simulated.package)
    await uploadPackage(api, { name: 'pocketbank-release.apk', content }, { appid: phones.appid })
  }
  return seedMonitoring(api, phones, simulated, language)
}

/** A phone for dynamic detection that says everywhere that it is simulated; the demo goes on without it. */
function startPhone(port: number): void {
  const phone = new SimulatedPhone({ behaviours: { 'io.appium.settings': TELLING } })
  startAdbServer([phone], port).catch((error: Error) => console.log(`Demo: no simulated phone, ${error.message}`))
}

const HISTORY_NAMES: Record<HistoryPhase, string> = {
  hours: 'newest hours',
  day: 'last two days',
  coarse: '14 days in outline',
  days: 'the rest of them',
}
let loggedAt = 0
function report(message: FleetMessage): void {
  if (message.type === 'first') console.log(`Demo: first event accepted after ${process.uptime().toFixed(1)} s`)
  if (message.type === 'note') console.log(`Demo: ${message.text}`)
  if (message.type !== 'history') return
  const { phase, events, seconds, spansLeft, done } = message
  if (done && phase === 'day') makePackages()
  // What is usual is known once the past is there whole, and not before.
  if (done && phase === 'days')
    enableUsualRules(api).catch((error: Error) => console.log(`Demo: rules are not enabled, ${error.message}`))
  if (!done && Date.now() - loggedAt < (phase === 'hours' ? 15_000 : 120_000)) return
  loggedAt = Date.now()
  const progress = `${events.toLocaleString('en')} events in ${seconds.toFixed(0)} s`
  console.log(`Demo: history, ${HISTORY_NAMES[phase]}: ${progress}${done ? ', complete' : `, ${spansLeft} hours left`}`)
}

function stop(): void {
  stopping.abort()
  stopFleet()
  setTimeout(() => process.exit(0), 300)
}
