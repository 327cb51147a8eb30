import {
  COLLECT_ENROL_PATH,
  COLLECT_EVENTS_PATH,
  type CollectAnswer,
  ENROL_PROOF_BITS,
  ENROLLED_HEADERS,
  type EnrolAnswer,
} from '#contracts/telemetry/wire.ts'
import { parse, stringify } from './natives.ts'
import type { Port, QueuedEvent, Reply, StoredEvent } from './port.ts'
import { proofOfWork } from './proof-of-work.ts'
import { importDeviceKey, signature } from './signing.ts'

/** What enrolment gave; the key cannot be read again. */
type Install = { install: string; key: CryptoKey; policyKey: string }
type Answer = { reply: Reply; json: Record<string, unknown> }

export type Delivery = {
  /** This machine's time plus this is the server's, by its last answer; null before the first. */
  offset(): number | null
  /** Sends what waits, soon or when the server's wish to wait is over. */
  send(): void
  /** A signed request without body; undefined when there is no install or no answer. */
  signedGet(target: string, headers: Record<string, string>): Promise<Reply | undefined>
  policyKey(): Promise<string | undefined>
  /** For tests and for pages that end: resolves when nothing is under way. */
  settled(): Promise<void>
  stop(): void
}

const BATCH = 100
const MINUTE = 60_000
const LONGEST_WAIT = 5 * MINUTE
/** A key that the server does not know (revoked, or another installation) may be known again later. */
const REFUSED_WAIT = 60 * MINUTE
/** Answers that say something about this batch and not about the moment: sending it again changes nothing. */
const BATCH_FAULTS = [400, 413, 415]

/**
 * Takes the queue to the collector: enrols once, signs each attempt again, forgets what was acknowledged and nothing else. An event keeps
 * its id and stamps on every retry, so what arrives twice counts once.
 */
export function startDelivery(
  port: Port,
  key: string,
  device: string,
  hooks: {
    /** There is an install; events wait for what this does. */
    beforeSend(): Promise<void>
    /** Takes out what must not be sent. */
    prune(event: QueuedEvent['event']): QueuedEvent['event']
    /** So many events were refused for good. */
    lost(count: number): void
  },
): Delivery {
  const { store } = port
  let offset: number | null = null
  let install: Install | undefined
  let failures = 0
  let batch = BATCH
  let notBefore = 0
  let sequence = 0
  let enrolledAt = Number.NEGATIVE_INFINITY
  let stopped = false
  let work: Promise<void> | undefined
  let cancel = () => {}
  /** Nothing is asked before what earlier pages left is read. */
  const ready = (async () => {
    offset = (await store.get<number>('offset')) ?? null
    install = await store.get<Install>('install')
  })()

  const serverNow = () => Math.round(port.now() + (offset ?? 0))
  const wait = (ms: number) => {
    notBefore = Math.max(notBefore, port.now() + ms)
  }

  async function ask(
    method: 'GET' | 'POST',
    path: string,
    body: string,
    headers: Record<string, string>,
  ): Promise<Answer> {
    const sent = port.now()
    const all = body ? { ...headers, 'content-type': 'application/json' } : headers
    const reply = await port.fetch(path, { method, headers: all, ...(body && { body }) })
    const answer: Answer = { reply, json: {} }
    if (method === 'POST' || reply.status >= 400)
      try {
        answer.json = Object(parse(new TextDecoder().decode(reply.body)))
      } catch {
        // a proxy's own page: the status says enough
      }
    const serverTime = answer.json['server_time']
    if (typeof serverTime === 'number') {
      offset = serverTime - (sent + port.now()) / 2
      if (!stopped) await store.set('offset', offset)
    }
    const retry = Number(reply.header('retry-after'))
    if (retry > 0) wait(retry * 1000)
    return answer
  }

  async function signed(method: 'GET' | 'POST', target: string, body: string, headers = {}): Promise<Answer> {
    for (let tries = 0; ; tries++) {
      const { install: id, key } = install as Install
      const tstamp = Math.floor(serverNow() / 1000)
      // Grows with each attempt, in a page that lost its store too.
      sequence = Math.max(sequence + 1, ((await store.get<number>('sequence')) ?? 0) + 1, serverNow())
      await store.set('sequence', sequence)
      const answer = await ask(method, target, body, {
        ...headers,
        [ENROLLED_HEADERS.install]: id,
        [ENROLLED_HEADERS.sequence]: String(sequence),
        [ENROLLED_HEADERS.tstamp]: String(tstamp),
        [ENROLLED_HEADERS.signature]: await signature(key, method, target, tstamp, body),
      })
      const why = answer.json['key']
      // The answer corrected the clock, or said that the number was used.
      if ((why === 'collect.time' || why === 'collect.replay') && tries < 3) continue
      if (why === 'collect.key' || why === 'collect.signature') {
        // Another tab may have enrolled again already.
        const known = await store.get<Install>('install')
        install = known && known.install !== id ? known : undefined
        if (!install) await store.set('install', undefined)
        // Refused right after enrolment: doing it again would not help.
        if (port.now() - enrolledAt < REFUSED_WAIT) wait(REFUSED_WAIT)
      }
      return answer
    }
  }

  async function enrol(): Promise<boolean> {
    if (port.now() < notBefore) return false
    for (let tries = 0; tries < 2; tries++) {
      const salt = Math.floor(serverNow() / MINUTE)
      const pause = () => new Promise<void>((resume) => port.later(resume, 0))
      const nonce = await proofOfWork(`${key}${device}${salt}`, ENROL_PROOF_BITS, pause)
      const body = stringify({ enrolment_key: key, device_id: device, proof: { salt, nonce } })
      const { reply, json } = await ask('POST', COLLECT_ENROL_PATH, body, {})
      if (stopped) return false
      if (reply.status === 201) {
        const { install: id, device_key, policy_key } = json as EnrolAnswer
        install = { install: id, key: await importDeviceKey(device_key), policyKey: policy_key }
        await store.set('install', install)
        enrolledAt = port.now()
        return true
      }
      if (json['key'] === 'collect.key') wait(REFUSED_WAIT)
      // A wrong clock was set right by this very answer.
      if (json['key'] !== 'collect.proof') break
    }
    return false
  }

  const stamp = (one: QueuedEvent): QueuedEvent =>
    one.stamps
      ? one
      : {
          ...one,
          event: hooks.prune(one.event),
          stamps: { occurred_at: Math.round(one.at + (one.offset ?? offset ?? 0)), reported_at: serverNow() },
        }

  /** One batch. False: not now. */
  async function sendOne(): Promise<boolean> {
    const kept = await store.take(batch, stamp)
    if (kept.length === 0) return false
    const body = stringify(kept.map(({ waiting: { event, stamps } }) => ({ ...event, ...stamps })))
    const { reply, json } = await signed('POST', COLLECT_EVENTS_PATH, body)
    if (stopped) return false
    if (reply.status === 202) {
      await forget(kept, json as CollectAnswer)
      failures = 0
      batch = BATCH
      return true
    }
    if (BATCH_FAULTS.includes(reply.status)) {
      // One bad event must not take the others along: halve the batch until it is alone.
      if (kept.length === 1) {
        await store.remove([kept[0]!.key])
        hooks.lost(1)
      }
      batch = Math.max(1, kept.length >> 1)
      return true
    }
    return !install && enrol()
  }

  async function forget(kept: readonly StoredEvent[], { rejected = [] }: CollectAnswer): Promise<void> {
    // An event stamped ahead of the server's clock was not counted: stamp it again.
    const again = rejected.filter(({ error }) => error.startsWith('reported_at')).map(({ index }) => kept[index]!)
    for (const { key, waiting } of again) {
      const { stamps: _stamps, ...rest } = waiting
      await store.put({ key, waiting: rest })
    }
    await store.remove(kept.filter((one) => !again.includes(one)).map((one) => one.key))
    if (rejected.length > again.length) hooks.lost(rejected.length - again.length)
  }

  async function run(): Promise<void> {
    await ready
    if (stopped || port.now() < notBefore || !port.online()) return
    await port.alone(async () => {
      if (!install) install = await store.get<Install>('install')
      let going = install !== undefined || (await enrol())
      if (going) await hooks.beforeSend()
      while (going && !stopped && port.now() >= notBefore) going = await sendOne()
      // Something waits and could not go: later, and later still.
      if (!stopped && (await store.take(1, (one) => one)).length > 0)
        wait(Math.min(LONGEST_WAIT, 1000 * 2 ** failures++) * (1 + port.random() / 4))
    })
    const rest = notBefore - port.now()
    if (!stopped && rest > 0) {
      cancel()
      cancel = port.later(send, rest)
    }
  }

  function send(): void {
    work ??= run()
      .catch(() => wait(MINUTE))
      .finally(() => {
        work = undefined
      })
  }

  return {
    offset: () => offset,
    send,
    async signedGet(target, headers) {
      await ready
      if (!install || stopped) return undefined
      const { reply } = await signed('GET', target, '', headers)
      return reply.status === 0 ? undefined : reply
    },
    policyKey: async () => {
      await ready
      return install?.policyKey
    },
    settled: async () => {
      while (work) await work
    },
    stop() {
      stopped = true
      cancel()
    },
  }
}
