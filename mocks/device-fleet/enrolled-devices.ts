import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import {
  COLLECT_ENROL_PATH,
  COLLECT_EVENTS_PATH,
  ENROL_PROOF_BITS,
  ENROLLED_HEADERS,
} from '#contracts/telemetry/wire.ts'
import { applyPolicy } from './apply-policy.ts'
import { type Counters, countAnswer } from './counters.ts'
import type { Post } from './http-post.ts'
import { type PolicyHolder, policyHolder } from './policy-holder.ts'
import type { Install } from './population.ts'
import { makeRng, type Rng } from './random.ts'
import type { ServerClock } from './server-clock.ts'
import type { World } from './world.ts'

/**
 * A few phones that speak for themselves: enrolled once with the public key of their application, signing each batch, doing what the
 * policy says.
 */
const PHONES_PER_APP = 5
const BETWEEN_BATCHES_MS = 20_000

type Enrolled = {
  install: string
  deviceKey: string
  policyKey: string
  enrolmentKey: string
  device: string
  sequence: number
}
export type EnrolledOptions = {
  world: World
  seed: number
  /** Of the collector. */
  origin: string
  /** By application; '' when it has none. */
  enrolmentKeys: readonly string[]
  /** Ids of the applications: a policy of another one is not obeyed. */
  appids?: readonly string[]
  post: Post
  clock: ServerClock
  counters: Counters
  now(): number
  /** Keeps what was enrolled between starts (0600). */
  file: string | undefined
  say(text: string): void
  /** Phones of each application. */
  phones?: number
  /** Milliseconds between the batches of one phone. */
  every?: number
  /** Milliseconds between its looks at the policy. */
  policyEvery?: number
}

/** Answers the function that stops them. */
export function startEnrolledDevices(options: EnrolledOptions): () => void {
  const { world, seed, enrolmentKeys, file, phones = PHONES_PER_APP, every = BETWEEN_BATCHES_MS } = options
  const rng = makeRng(seed, 'enrolled')
  const known = readDevices(file)
  const timers: NodeJS.Timeout[] = []
  for (const [app, enrolmentKey] of enrolmentKeys.entries()) {
    if (!enrolmentKey) continue
    // Odd phones first: a policy shows on those that report risks.
    const mine = world.population.installs
      .filter((one) => one.app === app)
      .sort((a, b) => Number(a.trait === 'clean') - Number(b.trait === 'clean'))
      .slice(0, phones)
    for (const install of mine) {
      let device = known.find((one) => one.enrolmentKey === enrolmentKey && one.device === install.device)
      let policy: PolicyHolder | undefined
      let busy = false
      const report = async () => {
        if (!device) {
          device = await enrol(options, enrolmentKey, install.device)
          if (!device) return
          known.push(device)
        }
        const enrolled = device
        policy ??= policyHolder({
          origin: options.origin,
          policyKey: enrolled.policyKey,
          appid: options.appids?.[app],
          sign: (method, target, body) => signedHeaders(options, enrolled, method, target, body),
          now: options.now,
          say: options.say,
          ...(options.policyEvery !== undefined && { every: options.policyEvery }),
        })
        await sendBatch(options, rng, install, enrolled, policy)
        if (file) writeFileSync(file, JSON.stringify(known), { mode: 0o600 })
      }
      const timer = setInterval(
        () => {
          if (busy) return
          busy = true
          void report().finally(() => {
            busy = false
          })
        },
        every * (1 + 0.4 * rng.next()),
      )
      timers.push(timer)
    }
  }
  return () => timers.forEach(clearInterval)
}

/** Undefined where the collector says no (too many enrolments): the next turn tries again. */
async function enrol(
  { post, clock, say }: EnrolledOptions,
  enrolmentKey: string,
  device: string,
): Promise<Enrolled | undefined> {
  const proof = await proofOfWork(enrolmentKey, device, Math.floor(clock.now() / 60_000))
  const body = JSON.stringify({ enrolment_key: enrolmentKey, device_id: device, proof })
  const answer = await post(COLLECT_ENROL_PATH, body, { 'content-type': 'application/json' })
  const { install, device_key: deviceKey, policy_key: policyKey } = answer.json
  if (
    answer.status === 201 &&
    typeof install === 'string' &&
    typeof deviceKey === 'string' &&
    typeof policyKey === 'string'
  )
    return { install, deviceKey, policyKey, enrolmentKey, device, sequence: 0 }
  say(`enrolment answered ${answer.status}`)
  return undefined
}

/** A nonce whose hash begins with ENROL_PROOF_BITS zero bits; a quarter of a second of work, in slices. */
async function proofOfWork(
  enrolmentKey: string,
  device: string,
  salt: number,
): Promise<{ salt: number; nonce: string }> {
  const start = createHash('sha256').update(`${enrolmentKey}${device}${salt}`)
  for (let tries = 0; ; tries++) {
    const nonce = tries.toString(36)
    const digest = start.copy().update(nonce).digest()
    if (digest.readUInt32BE(0) >>> (32 - ENROL_PROOF_BITS) === 0) return { salt, nonce }
    if (tries % 2000 === 1999) await breathe()
  }
}

async function sendBatch(
  options: EnrolledOptions,
  rng: Rng,
  install: Install,
  device: Enrolled,
  policy: PolicyHolder,
): Promise<void> {
  const { world, post, clock, counters, now } = options
  const seen = Array.from({ length: 1 + rng.int(3) }, () => {
    const { text } = world.eventOf(rng, install, now() - rng.next() * BETWEEN_BATCHES_MS, false)
    return JSON.parse(`${ownWords(text)}}`) as Record<string, unknown>
  })
  await policy.refresh(String(seen[0]?.['app_version'] ?? ''))
  const events = seen.flatMap((event) => applyPolicy(policy.current(), { ...event, reported_at: clock.now() }) ?? [])
  if (events.length === 0) return
  const body = JSON.stringify(events)
  const answer = await post(COLLECT_EVENTS_PATH, body, {
    'content-type': 'application/json',
    ...signedHeaders(options, device, 'POST', COLLECT_EVENTS_PATH, body),
  })
  clock.learn(answer)
  counters.sent += events.length
  if (answer.status === 202) countAnswer(counters, answer.json)
  else counters.refused += events.length
}

/** The headers of the next request of this phone (contracts/telemetry/wire.ts). */
function signedHeaders(
  { clock }: EnrolledOptions,
  device: Enrolled,
  method: string,
  target: string,
  body: string,
): Record<string, string> {
  device.sequence++
  const tstamp = String(Math.floor(clock.now() / 1000))
  const nonce = randomBytes(16).toString('base64url')
  const digest = createHash('sha256').update(body).digest('base64url')
  const text = `AW2\n${method}\n${target}\n${tstamp}\n${nonce}\n${digest}`
  const mac = createHmac('sha256', Buffer.from(device.deviceKey, 'base64url')).update(text).digest('base64url')
  return {
    [ENROLLED_HEADERS.install]: device.install,
    [ENROLLED_HEADERS.sequence]: String(device.sequence),
    [ENROLLED_HEADERS.tstamp]: tstamp,
    [ENROLLED_HEADERS.signature]: `2.${nonce}.${mac}`,
  }
}

/** A phone sends its place only with its owner's consent, and never an address. */
function ownWords(text: string): string {
  return text.replace(/"client_ip":"[^"]*",?/, '').replace('"place":', '"consent":{"location":true},"place":')
}

function readDevices(file: string | undefined): Enrolled[] {
  try {
    // Those of an earlier kind know no policy key: they enrol again.
    const found = file ? (JSON.parse(readFileSync(file, 'utf8')) as Partial<Enrolled>[]) : []
    return found.filter((one): one is Enrolled => typeof one.policyKey === 'string')
  } catch {
    return []
  }
}
