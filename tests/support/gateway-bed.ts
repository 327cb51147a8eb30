import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fromHex, utf8 } from '#engines/gm/bytes.ts'
import { gmNode } from '#engines/gm/gm-openssl.ts'
import { finishHandshake, startHandshake } from '#engines/session/handshake.ts'
import { decodeResponseBody, encodeRequestBody, SESSION_HTTP } from '#engines/session/http-body.ts'
import { openResponse, sealRequest } from '#engines/session/message.ts'
import type { Session } from '#engines/session/session.ts'
import {
  type GatewayOptions,
  type RunningGateway,
  startGateway,
} from '#server/modules/communication/gateway/start-gateway.ts'
import { createKey, type KeyRow } from '#server/modules/communication/key-rows.ts'
import { seedRoles } from '#server/platform/roles.ts'
import { openSecrets } from '#server/platform/secrets.ts'
import { startBundledPostgres } from '#storage/postgres/bundled.ts'
import { type DatabaseAddress, type MetaStore, openDatabase } from '#storage/postgres/database.ts'
import { startTestPostgres } from './test-postgres.ts'

/** A PostgreSQL with an application that has a key, a server behind that repeats what it gets, and gateways on both. */
export type GatewayBed = {
  folder: string
  meta: MetaStore
  database: DatabaseAddress
  secret(name: string): Buffer
  /** Offset of every clock of this bed, ms. */
  clock: { offset: number }
  now(): number
  application: number
  key: KeyRow
  /** Requests that the server behind has got. */
  received: { method: string; target: string; body: string; headers: Record<string, unknown> }[]
  upstream: URL
  gateway(options?: Partial<GatewayOptions>): Promise<RunningGateway>
  /** Stops PostgreSQL, and starts it again at the same place. */
  stopDatabase(): Promise<void>
  startDatabase(): Promise<void>
  close(): Promise<void>
}

/** High enough that no test meets them by accident. */
const WIDE = { burst: 1_000_000, perSecond: 1_000_000 }
export const WIDE_LIMITS = { handshakes: WIDE, addresses: WIDE, sessions: WIDE }

/** `listener` instead of the repeating server. */
export async function gatewayBed(listener?: RequestListener): Promise<GatewayBed> {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-gateway-'))
  let postgres = await startTestPostgres(join(folder, 'postgres'))
  const meta = await openDatabase(postgres.address, { migrate: true, statementMs: 5000 })
  const clock = { offset: 0 }
  const now = () => Date.now() + clock.offset
  const secret = await openSecrets({ meta, keyFolder: join(folder, 'keys'), now })
  await seedRoles(meta)
  const { id: owner } = await meta.db
    .insertInto('users')
    .values({
      ...{ username: 'owner@example.com', password_hash: '', password_history: [], role: 'operator', super: false },
      ...{ must_change_password: false, disabled: false, created_at: now() },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const application = await addApplication(meta, owner, 'Wallet', now())
  const key = await createKey({ meta, secret, now }, application, 365, owner)
  const received: GatewayBed['received'] = []
  const server = createServer(
    listener ??
      ((request, response) => {
        const chunks: Buffer[] = []
        request.on('data', (chunk: Buffer) => chunks.push(chunk))
        request.on('end', () => {
          const { method = '', url: target = '', headers } = request
          const body = Buffer.concat(chunks).toString('utf8')
          received.push({ method, target, body, headers })
          response.writeHead(200, { 'content-type': 'application/json', 'x-from': 'behind' })
          response.end(JSON.stringify({ method, target, body }))
        })
      }),
  )
  const upstream = new URL(await listening(server))
  const gateways: RunningGateway[] = []
  return {
    ...{ folder, meta, database: postgres.address, secret, clock, now, application, key, received, upstream },
    async gateway(options = {}) {
      const gateway = await startGateway({
        ...{ meta, secret, now, upstream, host: '127.0.0.1', port: 0, trustProxy: [], version: 'test' },
        listed: { name: 'test' },
        limits: WIDE_LIMITS,
        ...options,
      })
      gateways.push(gateway)
      return gateway
    },
    stopDatabase: () => postgres.stop(),
    async startDatabase() {
      postgres = await startBundledPostgres(join(folder, 'postgres'))
    },
    async close() {
      for (const one of gateways) await one.close()
      server.closeAllConnections()
      server.close()
      await meta.close()
      await postgres.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

export async function addApplication(meta: MetaStore, owner: number, name: string, at: number): Promise<number> {
  const { id } = await meta.db
    .insertInto('applications')
    .values({
      ...{
        name,
        uuid: crypto.randomUUID(),
        mime_type: 1,
        owner_id: owner,
        protect_type: '0',
        has_file: false,
        site_id: null,
      },
      ...{ created_at: at, deleted_at: null },
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

async function listening(server: Server): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

const random = (length: number) => new Uint8Array(randomBytes(length))

/** An app as the protocol sees it, whose messages a test can keep, change and send again. */
export class GatewayClient {
  url: string
  session: Session | undefined
  sequence = 1
  readonly now: () => number
  constructor(url: string, now: () => number = Date.now) {
    this.url = url
    this.now = now
  }

  private seconds(): number {
    return Math.floor(this.now() / 1000)
  }

  hello(key: { kid: number; public_key: string }) {
    return startHandshake({ keyId: key.kid, publicKey: fromHex(key.public_key), now: this.seconds(), random })
  }

  /** Answers the status; the session is there after 200. */
  async connect(key: { kid: number; public_key: string }, sdk = 'test/1.0.0'): Promise<number> {
    const { hello, pending } = this.hello(key)
    const answer = await this.post(SESSION_HTTP.handshakePath, hello, { [SESSION_HTTP.sdkHeader]: sdk })
    const body = new Uint8Array(await answer.arrayBuffer())
    if (answer.status === 200) {
      this.session = finishHandshake(gmNode, pending, body)
      this.sequence = 1
    }
    return answer.status
  }

  /** A sealed request; `over` bends it. */
  seal(
    path: string,
    text: string,
    over: { sequence?: number; time?: number; method?: string; query?: string; sealedPath?: string } = {},
  ): { message: Uint8Array; sequence: number } {
    const sequence = over.sequence ?? this.sequence++
    const plaintext = encodeRequestBody({ contentType: 'application/json', query: over.query ?? '', body: utf8(text) })
    const message = sealRequest(gmNode, this.session as Session, plaintext, {
      ...{ sequence, time: over.time ?? this.seconds(), iv: random(16), method: over.method ?? 'POST' },
      path: over.sealedPath ?? path,
    })
    return { message, sequence }
  }

  post(path: string, body: Uint8Array, headers: Record<string, string> = {}): Promise<Response> {
    return fetch(this.url + path, {
      method: 'POST',
      headers: { 'content-type': SESSION_HTTP.mediaType, ...headers },
      body: body as Uint8Array<ArrayBuffer>,
    })
  }

  /** A request and its opened answer; '' where the answer is plain. */
  async request(path: string, text: string, query = ''): Promise<{ status: number; text: string; sealed: boolean }> {
    const { message, sequence } = this.seal(path, text, { query })
    const answer = await this.post(path, message)
    const body = new Uint8Array(await answer.arrayBuffer())
    if (answer.headers.get('content-type') !== SESSION_HTTP.mediaType)
      return { status: answer.status, text: new TextDecoder().decode(body), sealed: false }
    const { plaintext } = openResponse(gmNode, this.session as Session, body, { status: answer.status, sequence })
    const inner = decodeResponseBody(plaintext)
    return { status: answer.status, text: new TextDecoder().decode(inner?.body), sealed: true }
  }
}
