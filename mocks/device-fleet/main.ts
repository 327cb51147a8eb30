import { join } from 'node:path'
import { playBadDevice } from './bad-device.ts'
import { makeCounters } from './counters.ts'
import { DEMO_APPS } from './demo-apps.ts'
import { startEnrolledDevices } from './enrolled-devices.ts'
import { readFleetConfig } from './fleet-config.ts'
import { sendHistory } from './fleet-history.ts'
import { makePost } from './http-post.ts'
import { startLiveFleet } from './live-fleet.ts'
import { makeOutbox } from './outbox.ts'
import { makeRng } from './random.ts'
import { makeServerClock } from './server-clock.ts'
import { makeWorld } from './world.ts'

/**
 * A fleet of phones that knows nothing but the collector's address and keys. Reports to its parent (or the terminal) what became of its
 * events: {type: 'first'}, {type: 'history'}, {type: 'counts'}, {type: 'bad-device'}.
 */
const config = readFleetConfig(process.argv.slice(2))
const now = () => Date.now()
const started = performance.now()
const stopping = new AbortController()
const counters = makeCounters()
const clock = makeServerClock(now)
const livePost = makePost(config.url, 6)
const historyPost = makePost(config.url, 4)
// The end of the parent is noticed by 'disconnect': what is said after it is no error.
const say = (message: object) => (process.send ? process.send(message, () => {}) : console.log(JSON.stringify(message)))

const profiles = config.apps.map((app, index) => {
  const same = DEMO_APPS.filter((one) => one.platform === app.platform)
  const profile = DEMO_APPS[index]?.platform === app.platform ? DEMO_APPS[index] : same[index % same.length]
  return profile as (typeof DEMO_APPS)[number]
})
const world = makeWorld({
  seed: config.seed,
  apps: profiles,
  phones: config.phones,
  dateLineOnly: config.scenario === 'antimeridian',
  ...(config.pirateSigner && { pirateSigner: config.pirateSigner }),
})

let latency = 0
let first = true
const outboxes = config.apps.map((app, index) =>
  makeOutbox({
    post: livePost,
    key: app.key,
    clock,
    counters,
    now,
    rng: makeRng(config.seed, 'outbox', index, now()),
    onAnswer(answer) {
      latency = latency * 0.8 + answer.milliseconds * 0.2
      if (answer.status !== 202 || !first) return
      first = false
      say({ type: 'first', seconds: (performance.now() - started) / 1000 })
    },
  }),
)
const stops: (() => void)[] = [
  startLiveFleet({
    world,
    outboxes,
    scenario: config.scenario,
    rate: config.rate,
    seed: config.seed,
    now,
    spikes: config.spikes,
  }),
  startEnrolledDevices({
    world,
    seed: config.seed,
    origin: config.url,
    appids: config.apps.map((app) => app.appid),
    enrolmentKeys: config.apps.map((app) => app.enrolmentKey ?? ''),
    post: livePost,
    clock,
    counters,
    now,
    file: config.folder ? join(config.folder, 'fleet-installs.json') : undefined,
    say: (text) => say({ type: 'note', text }),
  }),
]
every(10_000, () => say({ type: 'counts', ...counters, latency: Math.round(latency) }))
if (config.scenario === 'bad-device') {
  const rng = makeRng(config.seed, 'bad', now())
  let busy = false
  every(5000, async () => {
    if (busy) return
    busy = true
    say({ type: 'bad-device', ...(await playBadDevice(livePost, config.apps[0]?.key ?? '', rng, clock.now)) })
    busy = false
  })
}
sendHistory({
  config,
  world,
  post: historyPost,
  counters,
  now,
  report: say,
  liveLatency: () => latency,
  signal: stopping.signal,
}).catch((error: Error) => {
  if (!stopping.signal.aborted) say({ type: 'note', text: error.message })
})

if (config.seconds) setTimeout(stop, config.seconds * 1000)
process.on('SIGTERM', stop)
process.on('SIGINT', stop)
process.on('disconnect', stop)

function stop(): void {
  stopping.abort()
  for (const end of stops) end()
  say({ type: 'counts', ...counters, latency: Math.round(latency) })
  setTimeout(() => process.exit(0), 50)
}
function every(milliseconds: number, work: () => void): void {
  const timer = setInterval(work, milliseconds)
  stops.push(() => clearInterval(timer))
}
