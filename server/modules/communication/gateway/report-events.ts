import { randomUUID } from 'node:crypto'
import { COLLECT_EVENTS_PATH, type WireEvent } from '#contracts/telemetry/wire.ts'
import type { RiskType } from '#domain/vocabulary.ts'
import { log } from '#runtime/log.ts'
import { makeRateLimit } from '../../../http/rate-limit.ts'

const MOST_WAITING = 2000
const BATCH = 200
const EVERY_MS = 1000
const TIMEOUT_MS = 10_000
/** Events of one address and reason; the others are counted by the gateway alone. */
const OF_ADDRESS = { burst: 10, perSecond: 10 / 60 }

/** Refusals that are evidence of an attack, by the risk that they are shown as. */
const RISK_OF: Readonly<Record<string, RiskType>> = {
  tag: 'integrity',
  replayed: 'mitm',
  hello_replayed: 'mitm',
  point: 'mitm',
  key_unknown: 'custom',
  key_revoked: 'custom',
}

export type EventReporter = {
  add(refused: { reason: string; applicationId: number; kid: number; address: string; sdk: string }): void
  status(): { sent: number; dropped: number; failed: number }
  /** Sends what waits, once. */
  close(): Promise<void>
}

/**
 * Posts refusals to the collector with the ingest key (server key) of the application, so that they appear on the map. A refusal that
 * names no application is reported where one key alone is given; with several its application is unknown.
 */
export function reportEvents(options: {
  /** Origin of the collector. */
  url: string
  /** Ingest keys by number of the application. */
  ingestKeys: ReadonlyMap<number, string>
  now(): number
  send?: typeof fetch
}): EventReporter {
  const { url, ingestKeys, now, send = fetch } = options
  const limit = makeRateLimit(now, OF_ADDRESS)
  const only = ingestKeys.size === 1 ? [...ingestKeys.keys()][0] : undefined
  const status = { sent: 0, dropped: 0, failed: 0 }
  let waiting: { app: number; event: WireEvent }[] = []
  let isFailing = false

  async function post(app: number, events: readonly WireEvent[]): Promise<void> {
    let canRepeat = true
    try {
      const answer = await send(new URL(COLLECT_EVENTS_PATH, url), {
        method: 'POST',
        headers: { authorization: `Bearer ${ingestKeys.get(app)}`, 'content-type': 'application/json' },
        body: JSON.stringify(events),
        signal: AbortSignal.timeout(TIMEOUT_MS),
      })
      const text = await answer.text()
      if (answer.status !== 202) {
        // A key that was revoked: sending the same again changes nothing.
        canRepeat = answer.status === 429 || answer.status >= 500
        throw new Error(`the collector answers ${answer.status} ${text.slice(0, 200)}`)
      }
      status.sent += events.length
      isFailing = false
    } catch (err) {
      status.failed += events.length
      if (!isFailing) log.warn({ err }, 'gateway: events could not be reported')
      isFailing = true
      if (!canRepeat) return
      // An event may be sent again: its id is the same. What is too much is counted as dropped.
      waiting = [...events.map((event) => ({ app, event })), ...waiting]
      status.dropped += Math.max(0, waiting.length - MOST_WAITING)
      waiting = waiting.slice(0, MOST_WAITING)
    }
  }

  let sending: Promise<void> = Promise.resolve()
  function flush(): Promise<void> {
    sending = sending.then(async () => {
      const taken = waiting.splice(0, BATCH)
      for (const app of new Set(taken.map((one) => one.app)))
        await post(
          app,
          taken.filter((one) => one.app === app).map(({ event }) => event),
        )
    })
    return sending
  }
  const timer = setInterval(() => void flush(), EVERY_MS).unref()

  return {
    add({ reason, applicationId, kid, address, sdk }) {
      const risk = RISK_OF[reason]
      const app = applicationId || only
      if (!risk || app === undefined || !ingestKeys.has(app)) return
      if (waiting.length >= MOST_WAITING || limit.take(`${reason} ${address}`) > 0) {
        status.dropped++
        return
      }
      const event: WireEvent = {
        event_id: randomUUID(),
        type: 'risk',
        risk_type: risk,
        action: 'block',
        // The device behind a message that does not verify is unknown: its address is used instead.
        device_id: `gateway:${address}`,
        occurred_at: now(),
        client_ip: address,
        ...(sdk !== '' && { sdk_version: sdk }),
        detail: { kind: `gateway.${reason}`, reason, ...(kid > 0 && { key: kid }) },
      }
      waiting.push({ app, event })
    },
    status: () => status,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}
