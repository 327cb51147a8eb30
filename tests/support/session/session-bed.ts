import { randomBytes } from 'node:crypto'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gmNode } from '#engines/gm/gm-openssl.ts'
import { answerHandshake, finishHandshake, type KeyLookup, startHandshake } from '#engines/session/handshake.ts'
import type { RefusalReason } from '#engines/session/refusal.ts'
import type { Session } from '#engines/session/session.ts'
import { keyPairOf } from '#sdk/session/node.ts'
import { protectListener, type SessionServerOptions } from '#sdk/session/server.ts'
import { memoryStore, type SessionStore } from '#sdk/session/session-store.ts'

/** A server with suite 3 in front of a listener, on a port of its own, with a clock that the test moves. */

export const KEY_ID = 7
export const SERVER_KEY = keyPairOf('OUUgj3shRLE_NuOKxtOflYiTk2kobFpC-4Hvjff1xbg')
export const random = (length: number): Uint8Array => new Uint8Array(randomBytes(length))

export type SessionBed = {
  origin: string
  /** Unix milliseconds; the server's clock. */
  clock: { now: number }
  keys: Map<number, KeyLookup>
  store: SessionStore
  /** Reasons in order. */
  refused: RefusalReason[]
  /** A session made without HTTP. */
  session(over?: { keyId?: number }): Promise<Session>
  close(): Promise<void>
}

export const RUNNING_CLOCK = {
  get now() {
    return Date.now()
  },
  set now(_at: number) {
    throw new Error('this clock is that of the machine')
  },
}

export async function startSessionBed(
  listener: RequestListener,
  over: Partial<SessionServerOptions> = {},
  /** One that stops, so that tests compare times; RUNNING_CLOCK for long runs. */
  clock: { now: number } = { now: Date.now() },
): Promise<SessionBed> {
  const keys = new Map<number, KeyLookup>([
    [KEY_ID, SERVER_KEY],
    [6, 'key_expired'],
    [5, 'key_revoked'],
  ])
  const store = memoryStore({ now: () => clock.now })
  const refused: RefusalReason[] = []
  const options: SessionServerOptions = {
    keyOf: (keyId) => keys.get(keyId),
    store,
    onRefusal: ({ reason }) => refused.push(reason),
    ...over,
  }
  const server: Server = createServer(protectListener(listener, options, { gm: gmNode, random, now: () => clock.now }))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clock,
    keys,
    store,
    refused,
    async session({ keyId = KEY_ID } = {}) {
      const now = Math.floor(clock.now / 1000)
      const { hello, pending } = startHandshake({ keyId, publicKey: SERVER_KEY.publicKey, now, random })
      const made = await answerHandshake(gmNode, hello, () => SERVER_KEY, { now, random, claimHello: () => true })
      await store.put(made.session)
      return finishHandshake(gmNode, pending, made.answer)
    },
    close: () =>
      new Promise((done) => {
        server.close(() => done())
        server.closeAllConnections()
      }),
  }
}
