import { createHash, createHmac, randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { setImmediate as breathe } from 'node:timers/promises'
import {
  COLLECT_ENROL_PATH,
  COLLECT_EVENTS_PATH,
  ENROL_PROOF_BITS,
  ENROLLED_HEADERS,
} from '#contracts/telemetry/wire.ts'
import { type Counters, countAnswer } from './counters.ts'
import type { Post } from './http-post.ts'
import type { Install } from './population.ts'
import { makeRng, type Rng } from './random.ts'
import type { ServerClock } from './server-clock.ts'
import type { World } from './world.ts'

/** A few phones that speak for themselves: enrolled once with the public key of their application, signing each batch. */
const DEVICES_PER_APP = 2
const BETWEEN_BATCHES_MS = 20_000

type Enrolled = { install: string; deviceKey: string; enrolmentKey: string; device: string; sequence: number }
export type EnrolledOptions = {
  world: World
  seed: number
  /** By application; '' is none. */
  enrolmentKeys: readonly string[]
  post: Post
  clock: ServerClock
  counters: Counters
  now(): number
  /** Keeps what was enrolled between starts (0600). */
  file: string | undefined
  say(text: string): void
  /** Milliseconds between the batches of one phone. */
  every?: number
}

/** Answers the function that stops them. */
export function startEnrolledDevices(options: EnrolledOptions): () => void {
  const { world, seed, enrolmentKeys, file, every = BETWEEN_BATCHES_MS } = options
  const rng = makeRng(seed, 'enrolled')
  const known = readDevices(file)
  const timers: NodeJS.Timeout[] = []
  for (const [app, enrolmentKey] of enrolmentKeys.entries()) {
    if (!enrolmentKey) continue
    const mine = world.population.installs.filter((one) => one.app === app).slice(0, DEVICES_PER_APP)
    for (const install of mine) {
      let device = known.find((one) => one.enrolmentKey === enrolmentKey && one.device === install.device)
      let busy = false
      const report = async () => {
        if (!device) {
          device = await enrol(options, enrolmentKey, install.device)
          if (!device) return
          known.push(device)
        }
        await sendBatch(options, rng, install, device)
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
  const { install, device_key: deviceKey } = answer.json
  if (answer.status === 201 && typeof install === 'string' && typeof deviceKey === 'string')
    return { install, deviceKey, enrolmentKey, device, sequence: 0 }
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
  { world, post, clock, counters, now }: EnrolledOptions,
  rng: Rng,
  install: Install,
  device: Enrolled,
): Promise<void> {
  const events = Array.from({ length: 1 + rng.int(3) }, () => {
    const { text } = world.eventOf(rng, install, now() - rng.next() * BETWEEN_BATCHES_MS, false)
    return `${ownWords(text)},"reported_at":${clock.now()}}`
  })
  const body = `[${events.join(',')}]`
  device.sequence++
  const tstamp = String(Math.floor(clock.now() / 1000))
  const nonce = randomBytes(16).toString('base64url')
  const answer = await post(COLLECT_EVENTS_PATH, body, {
    'content-type': 'application/json',
    [ENROLLED_HEADERS.install]: device.install,
    [ENROLLED_HEADERS.sequence]: String(device.sequence),
    [ENROLLED_HEADERS.tstamp]: tstamp,
    [ENROLLED_HEADERS.signature]: `2.${nonce}.${signBatch(device.deviceKey, tstamp, nonce, body)}`,
  })
  clock.learn(answer)
  counters.sent += events.length
  if (answer.status === 202) countAnswer(counters, answer.json)
  else counters.refused += events.length
}

/** The signature of a batch (contracts/telemetry/wire.ts). */
function signBatch(deviceKey: string, tstamp: string, nonce: string, body: string): string {
  const digest = createHash('sha256').update(body).digest('base64url')
  const text = `AW2\nPOST\n${COLLECT_EVENTS_PATH}\n${tstamp}\n${nonce}\n${digest}`
  return createHmac('sha256', Buffer.from(deviceKey, 'base64url')).update(text).digest('base64url')
}

/** A phone tells its place only with its owner's consent, and no address. */
function ownWords(text: string): string {
  return text.replace(/"client_ip":"[^"]*",?/, '').replace('"place":', '"consent":{"location":true},"place":')
}

function readDevices(file: string | undefined): Enrolled[] {
  try {
    return file ? (JSON.parse(readFileSync(file, 'utf8')) as Enrolled[]) : []
  } catch {
    return []
  }
}
