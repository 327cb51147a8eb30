import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { COLLECT_EVENTS_PATH, type WireEvent } from '#contracts/telemetry/wire.ts'
import { waitFor } from '../support/running-server.ts'
import { ACCOUNTS, type AccountName, openMeta } from './support/accounts.ts'
import { URL_OF_SERVER } from './support/console.ts'

/** An application of its own with a server key; what is sent comes in through the public collector. */
export type Sender = {
  appid: string
  /** Its server key. */
  serverKey: string
  /** Sends events and waits until the store has them. */
  send(events: readonly WireEvent[]): Promise<void>
  /** Takes the application away again, so that other tests see the platform as it was. */
  remove(): Promise<void>
}

export async function makeSender(owner: AccountName, name: string): Promise<Sender> {
  const data = process.env['E2E_DATA'] ?? ''
  const meta = await openMeta(data)
  const { id: ownerId } = await meta.db
    .selectFrom('users')
    .select('id')
    .where('username', '=', ACCOUNTS[owner].username)
    .executeTakeFirstOrThrow()
  const { id } = await meta.db
    .insertInto('applications')
    .values({
      uuid: randomUUID(),
      name,
      mime_type: 1,
      protect_type: '0',
      has_file: false,
      owner_id: ownerId,
      site_id: null,
      created_at: Date.now(),
      deleted_at: null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const text = `aw_sk_${randomBytes(32).toString('base64url')}`
  await meta.db
    .insertInto('ingest_keys')
    .values({
      id: randomUUID(),
      application_id: id,
      kind: 'server',
      name: 'e2e',
      hint: text.slice(0, 10),
      hash: createHash('sha256').update(text).digest('hex'),
      text: null,
      scopes: ['events'],
      created_at: Date.now(),
      last_used_at: null,
      revoked_at: null,
    })
    .execute()
  return {
    appid: String(id),
    serverKey: text,
    async send(events) {
      // The collector reads keys that it does not know at most once a second.
      await waitFor(async () => {
        const answer = await fetch(URL_OF_SERVER + COLLECT_EVENTS_PATH, {
          method: 'POST',
          headers: { authorization: `Bearer ${text}`, 'content-type': 'application/json' },
          body: JSON.stringify(events),
        })
        if (answer.status === 202) return true
        if (answer.status === 401) return false
        throw new Error(`${answer.status} ${await answer.text()}`)
      }, 10_000)
      await waitFor(async () => {
        // The store is asked twice a second how many events wait; the bytes are those of now.
        const health = (await (await fetch(`${URL_OF_SERVER}/healthz`)).json()) as { backlog: { bytes: number } }
        return health.backlog.bytes === 0
      }, 15_000)
    },
    async remove() {
      await meta.db.updateTable('applications').set({ deleted_at: Date.now() }).where('id', '=', id).execute()
      await meta.close()
    },
  }
}

const RISKS = ['hook', 'root', 'emulator', 'proxy_vpn'] as const
const PLACES: readonly WireEvent['place'][] = [
  { country: 'CN', province: '440000', city: '440300' },
  { country: 'CN', province: '330000', city: '330100' },
  { country: 'SG' },
  undefined,
]

/** What knownEvents holds; the pages must say the same. */
export const KNOWN = { attacks: 120, starts: 80, critical: 30, users: 12, attackedUsers: 10, version2: 50 } as const

/** 200 events of the last three hours whose figures are known by construction. */
export function knownEvents(now: number): WireEvent[] {
  const common = (index: number): WireEvent => ({
    event_id: randomUUID(),
    type: 'start',
    device_id: `device-${index % 20}`,
    occurred_at: now - 600_000 - (index % 60) * 150_000,
    platform: index % 3 ? 'android' : 'ios',
    app_version: index % 4 ? '1.0.0' : '2.0.0',
    channel: index % 2 ? 'official' : 'store',
    os: 'Android 14',
    model: `Model ${index % 7}`,
  })
  const place = (index: number) => {
    const found = PLACES[index % PLACES.length]
    return found ? { place: found } : {}
  }
  const attacks = Array.from(
    { length: KNOWN.attacks },
    (_, index): WireEvent => ({
      ...common(index),
      ...place(index),
      type: 'risk',
      risk_type: RISKS[index % RISKS.length] as (typeof RISKS)[number],
      action: index % 2 ? 'block' : 'report',
      user_id: `user-${index % KNOWN.attackedUsers}`,
      detail: { index },
    }),
  )
  const starts = Array.from(
    { length: KNOWN.starts },
    (_, index): WireEvent => ({
      ...common(index),
      user_id: `user-${index % KNOWN.users}`,
    }),
  )
  return [...attacks, ...starts]
}
