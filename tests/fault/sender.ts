import { randomUUID } from 'node:crypto'
import { COLLECT_EVENTS_PATH, type CollectAnswer, type WireEvent } from '#contracts/telemetry/wire.ts'

export type Sent = {
  ids: Set<string>
  attacks: number
  unacknowledged: number
  retries: number
  duplicates: number
}

const BATCH = 50
const CONNECTIONS = 4

/**
 * Posts batches at a rate and never gives one up: whatever is not answered 202 is sent again, with the same ids and the same
 * reported_at. Every tenth batch is sent a second time although it was acknowledged.
 */
export function createSender({
  url,
  key,
  rate,
  random,
}: {
  url: string
  key: string
  rate: number
  random: () => number
}) {
  const sent: Sent = { ids: new Set(), attacks: 0, unacknowledged: 0, retries: 0, duplicates: 0 }
  let running = true
  let paused: Promise<void> | undefined
  let resume = () => {}
  /** Connections between two batches. */
  let idle = 0
  let lastBody = ''
  /** The server's clock as of its last answer, as the wire format asks for it. */
  let clockOffset = 0

  function batch(): WireEvent[] {
    return Array.from({ length: BATCH }, () => {
      const id = randomUUID()
      const risk = random() < 0.3
      sent.ids.add(id)
      if (risk) sent.attacks++
      return {
        event_id: id,
        type: risk ? ('risk' as const) : ('start' as const),
        ...(risk && { risk_type: 'hook' as const, action: 'block' as const }),
        device_id: `device-${Math.floor(random() * 2000)}`,
        user_id: `user-${Math.floor(random() * 1500)}`,
        reported_at: Date.now() + clockOffset,
        place: { country: 'CN', province: '440000', city: '440300' },
      }
    })
  }

  async function post(body: string): Promise<CollectAnswer | undefined> {
    try {
      const answer = await fetch(url + COLLECT_EVENTS_PATH, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body,
        signal: AbortSignal.timeout(15_000),
      })
      const text = await answer.text()
      if (answer.status === 202) {
        const counts = JSON.parse(text) as CollectAnswer
        clockOffset = counts.server_time - Date.now()
        // Every event must be taken: one that is quarantined or rejected would be missing from the store later.
        if (counts.accepted + counts.pending + counts.duplicates !== BATCH)
          throw new Refused(`202 ${text.slice(0, 300)}`)
        return counts
      }
      if (answer.status < 500 && answer.status !== 429) throw new Refused(`${answer.status} ${text}`)
      return undefined
    } catch (error) {
      if (error instanceof Refused) throw error
      return undefined // no server listens, or the answer was cut: not acknowledged
    }
  }

  async function connection(): Promise<void> {
    for (let n = 0; running; n++) {
      idle++
      await paused
      idle--
      const at = Date.now()
      const body = JSON.stringify(batch())
      sent.unacknowledged += BATCH
      for (let answer: CollectAnswer | undefined; !answer; ) {
        answer = await post(body)
        if (answer) {
          sent.duplicates += answer.duplicates
        } else {
          sent.retries++
          await new Promise((wake) => setTimeout(wake, 100))
        }
      }
      sent.unacknowledged -= BATCH
      lastBody = body
      if (n % 10 === 9) {
        const again = await post(body)
        if (again && again.accepted > 0) throw new Error('a duplicate was counted again')
        sent.duplicates += again?.duplicates ?? 0
      }
      const pause = (BATCH * CONNECTIONS * 1000) / rate - (Date.now() - at)
      if (pause > 0) await new Promise((wake) => setTimeout(wake, pause))
    }
  }
  const connections = Array.from({ length: CONNECTIONS }, connection)
  let failure: unknown
  for (const one of connections)
    one.catch((error: unknown) => {
      failure ??= error
    })

  return {
    /** Resolves once nothing is under way. */
    async pause(): Promise<void> {
      paused = new Promise((go) => {
        resume = go
      })
      while (idle < CONNECTIONS && !failure) await new Promise((wake) => setTimeout(wake, 20))
    },
    /** Throws what ended a connection: an answer that no server may give. */
    mustRun(): void {
      if (failure) throw failure
    },
    resume(): void {
      paused = undefined
      resume()
    },
    /** Sends the last acknowledged batch once more: whatever the answer says, it must not count twice. */
    async repeatLast(): Promise<void> {
      while (!(await post(lastBody))) await new Promise((wake) => setTimeout(wake, 100))
    },
    async finish(): Promise<Sent> {
      running = false
      await Promise.all(connections)
      return sent
    },
  }
}

class Refused extends Error {}
