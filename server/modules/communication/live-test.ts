import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { ProductError } from '#contracts/errors.ts'
import { OWN_GATEWAY, type runCommunicationTest, type TestAnswer } from '#contracts/http/communication.ts'
import type { BodyOf } from '#contracts/http/endpoint.ts'
import { GATEWAY_GONE_MS } from '#domain/communication.ts'
import { SESSION_HTTP } from '#engines/session/http-body.ts'
import type { ServerDeps } from '../../http/module.ts'
import { type RunningGateway, startGateway } from './gateway/start-gateway.ts'
import { readTrace, signTrace, TRACE_HEADER, TRACE_SECRET } from './gateway/trace.ts'

/** A gateway without tests for so long is stopped. */
const IDLE_MS = 30_000
const TIMEOUT_MS = 20_000
const MOST_ANSWER_BYTES = 1024 * 1024

type Deps = Pick<ServerDeps, 'meta' | 'secret' | 'now' | 'config'>
type Requests = BodyOf<typeof runCommunicationTest>['requests']

export type LiveTest = { run(gateway: string, requests: Requests): Promise<{ name: string; answers: TestAnswer[] }> }

/** Forwards the requests of the live test to a gateway: the page may connect to its own origin alone. */
export function makeLiveTest(deps: Deps): LiveTest {
  const { meta, now } = deps
  const own = ownGateway(deps)

  async function find(id: string): Promise<{ name: string; address: string; use(): void }> {
    if (id === OWN_GATEWAY) return { name: OWN_GATEWAY, ...(await own()) }
    const row = await meta.db
      .selectFrom('communication_gateways')
      .select(['name', 'address'])
      .where('id', '=', id)
      .where('seen_at', '>', now() - GATEWAY_GONE_MS)
      .executeTakeFirst()
    if (!row) throw new ProductError('data.missing')
    return { ...row, use() {} }
  }

  async function send(address: string, name: string, request: Requests[number]): Promise<TestAnswer> {
    const { method, path, content_type } = request
    const body = Buffer.from(request.body, 'base64url')
    const hasBody = method !== 'GET'
    // The gateway does not read what is not sealed before it decides.
    const seen = content_type === SESSION_HTTP.mediaType ? body : new Uint8Array(0)
    const signed = signTrace(deps.secret(TRACE_SECRET), { method, target: path, body: seen }, now())
    const began = performance.now()
    const answer = await fetch(address + path, {
      method,
      headers: { 'content-type': content_type, [TRACE_HEADER]: signed, 'aw-sdk': 'console/1' },
      redirect: 'manual',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(hasBody && { body }),
    }).catch((cause: Error) => {
      throw Object.assign(new ProductError('communication.gateway_away', { gateway: name }), { cause })
    })
    const bytes = Buffer.from(await answer.arrayBuffer()).subarray(0, MOST_ANSWER_BYTES)
    const trace = readTrace(answer.headers.get(TRACE_HEADER) ?? '')
    return {
      status: answer.status,
      content_type: answer.headers.get('content-type') ?? '',
      body: bytes.toString('base64url'),
      micros: Math.round((performance.now() - began) * 1000),
      outcome: trace?.outcome ?? '',
      stages: trace?.stages ?? [],
    }
  }

  return {
    async run(id, requests) {
      const { name, address, use } = await find(id)
      const answers: TestAnswer[] = []
      // One after the other: a replay has to come after what it repeats.
      for (const request of requests) answers.push(await send(address, name, request))
      use()
      return { name, answers }
    },
  }
}

/** Starts a gateway and its server behind when a test asks for it; both stop when no test uses them for a while. */
function ownGateway(deps: Deps): () => Promise<{ address: string; use(): void }> {
  type Own = { gateway: RunningGateway; stop(): Promise<void>; timer: NodeJS.Timeout | undefined }
  let running: Promise<Own> | undefined

  async function start(): Promise<Own> {
    const echo = createServer((request, response) => {
      const chunks: Buffer[] = []
      request.on('data', (chunk: Buffer) => chunks.push(chunk))
      request.on('end', () => {
        const { method, url, headers } = request
        const got = { method, target: url, type: headers['content-type'] ?? '', key: headers['aw-key'] ?? '' }
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(JSON.stringify({ ...got, body: Buffer.concat(chunks).toString('utf8') }))
      })
    })
    await new Promise<void>((resolve, reject) => {
      echo.once('error', reject).listen(0, '127.0.0.1', () => resolve())
    })
    const { port } = echo.address() as AddressInfo
    const gateway = await startGateway({
      ...{ meta: deps.meta, secret: deps.secret, now: deps.now, version: deps.config.version },
      ...{ upstream: new URL(`http://127.0.0.1:${port}`), host: '127.0.0.1', port: 0, trustProxy: [] },
    })
    return {
      gateway,
      timer: undefined,
      async stop() {
        await gateway.close()
        echo.close()
      },
    }
  }

  return async () => {
    running ??= start().catch((error: unknown) => {
      running = undefined
      throw error
    })
    const own = await running
    const use = () => {
      clearTimeout(own.timer)
      own.timer = setTimeout(() => {
        running = undefined
        void own.stop()
      }, IDLE_MS).unref()
    }
    use()
    // A key that was made a moment ago is known to it.
    await own.gateway.refresh()
    return { address: own.gateway.url, use }
  }
}
