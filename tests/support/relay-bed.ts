import { createHash, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { io, type Socket } from 'socket.io-client'
import {
  LIVE_PATH,
  type LiveMessage,
  type StatusMessage,
  type StreamFrame,
  type SubscribeAnswer,
  type Topic,
  type WallFrame,
  type WallSnapshot,
} from '#contracts/live/messages.ts'
import { createRelay, type Relay, type RelayDeps } from '#realtime/relay/relay.ts'
import { type DuckStore, openDuckStore } from '#storage/events/serve/open-duck-store.ts'
import { type DatabaseAddress, type MetaStore, openDatabase } from '#storage/postgres/database.ts'
import type { LiveSubject } from '#storage/postgres/schema.ts'
import { type MemoryJournal, memoryJournal } from './made-events.ts'
import { startTestPostgres } from './test-postgres.ts'

/** A PostgreSQL and an event store for the test, and relays over them. */
export type RelayBed = {
  meta: MetaStore
  store: DuckStore
  folder: string
  address: DatabaseAddress
  /** A relay on a free port; closed with the bed. */
  relay(deps?: Partial<RelayDeps>): Promise<RunningRelay>
  ticket(subject?: Partial<LiveSubject>, expiresAt?: number): Promise<string>
  close(): Promise<void>
}
export type RunningRelay = { url: string; relay: Relay; journal: MemoryJournal; close(): Promise<void> }

export async function relayBed(): Promise<RelayBed> {
  const folder = mkdtempSync(join(tmpdir(), 'aw-relay-'))
  const postgres = await startTestPostgres(join(folder, 'postgres'))
  const meta = await openDatabase(postgres.address, { migrate: true, connections: 3 })
  const store = await openDuckStore({ folder: join(folder, 'events'), memoryMb: 128 })
  const running = new Set<RunningRelay>()
  return {
    meta,
    store,
    folder,
    address: postgres.address,
    async relay(deps = {}) {
      const journal = memoryJournal()
      const server = createServer()
      const relay = await createRelay(server, {
        reader: journal,
        store,
        meta,
        settings: () => ({ zone: 'Asia/Shanghai', idle_minutes: 30, absolute_hours: 12, console_addresses: [] }),
        now: Date.now,
        random: Math.random,
        version: '0',
        demo: false,
        geo: () => 'ok',
        journalState: () => 'ok',
        // Tickets of this bed name sessions without rows: only tests of revocation check them.
        subjectCheckMs: 86_400_000,
        ...deps,
      })
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      const one: RunningRelay = {
        url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
        relay,
        journal: 'append' in (deps.reader ?? {}) ? (deps.reader as MemoryJournal) : journal,
        async close() {
          running.delete(one)
          await relay.close()
          server.closeAllConnections()
          server.close()
        },
      }
      running.add(one)
      return one
    },
    async ticket(subject = {}, expiresAt = Date.now() + 30_000) {
      const ticket = randomBytes(16).toString('base64url')
      const whole: LiveSubject = {
        kind: 'session',
        id: 's1',
        userId: 1,
        scope: { apps: 'all' },
        personal: false,
        until: null,
        auth: ['events.read', ...(subject.personal ? ['personal.reveal'] : [])],
        ...subject,
      }
      const id = createHash('sha256').update(ticket).digest('hex')
      await meta.db
        .insertInto('live_tickets')
        .values({ id, subject: JSON.stringify(whole), expires_at: expiresAt })
        .execute()
      return ticket
    },
    async close() {
      for (const one of running) await one.close()
      await store.close()
      await meta.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** A minimal protocol client that records every message it receives. */
export type BareClient = {
  socket: Socket
  heard: LiveMessage[]
  subscribe(topic: unknown): Promise<SubscribeAnswer>
  /** The first message, received already or later, that passes. */
  wait<T extends LiveMessage>(test: (message: LiveMessage) => message is T): Promise<T>
  until(test: (message: LiveMessage) => boolean): Promise<LiveMessage>
  disconnected: Promise<string>
}

/** Rejects with the server's refusal. */
export async function bareClient(
  url: string,
  ticket: string,
  headers: Record<string, string> = {},
): Promise<BareClient> {
  const socket = io(url, {
    path: LIVE_PATH,
    transports: ['websocket'],
    reconnection: false,
    forceNew: true,
    auth: { ticket },
    extraHeaders: headers,
  })
  const heard: LiveMessage[] = []
  const wake = new Set<() => void>()
  socket.on('message', (message: LiveMessage) => {
    heard.push(message)
    for (const resume of wake) resume()
  })
  const disconnected = new Promise<string>((resolve) => socket.on('disconnect', resolve))
  await new Promise<void>((resolve, reject) => {
    socket.on('connect', resolve)
    socket.on('connect_error', reject)
  })
  const until = async (test: (message: LiveMessage) => boolean): Promise<LiveMessage> => {
    let next = 0
    for (const end = Date.now() + 8000; Date.now() < end; ) {
      for (; next < heard.length; next++) if (test(heard[next] as LiveMessage)) return heard[next] as LiveMessage
      await Promise.race([new Promise<void>((resolve) => wake.add(resolve)), delay(200)])
      wake.clear()
    }
    throw new Error(`no matching message among ${heard.map(({ type }) => type).join(' ')}`)
  }
  return {
    socket,
    heard,
    subscribe: (topic) => socket.timeout(5000).emitWithAck('subscribe', { topic }),
    wait: (test) => until(test) as never,
    until,
    disconnected,
  }
}

export const WALL: Topic = { kind: 'wall', filters: [] }
export const STREAM: Topic = { kind: 'stream', filters: [] }
export const isSnapshot = (message: LiveMessage): message is WallSnapshot => message.type === 'snapshot'
export const isFrame = (message: LiveMessage): message is WallFrame => message.type === 'frame'
export const isStream = (message: LiveMessage): message is StreamFrame => message.type === 'stream'
export const isStatus = (message: LiveMessage): message is StatusMessage => message.type === 'status'
