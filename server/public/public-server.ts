import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerOptions, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import { LIVE_PATH } from '#contracts/live/messages.ts'
import { clientAddress } from '#realtime/collect/enrol/client-address.ts'
import { log } from '#runtime/log.ts'
import type { Config } from '../config.ts'
import { errorAnswer, languageOf } from '../http/errors.ts'
import type { Health } from '../http/http-deps.ts'
import { checkMetricsAccess } from '../http/metrics-access.ts'
import type { ServerDeps } from '../http/module.ts'
import { commonHeaders, DATA_POLICY, hashSource } from '../http/security-headers.ts'
import { certificateFor } from '../platform/tls/own-certificate.ts'
import { hostProblem } from './check-host.ts'
import type { Forwarder } from './forward.ts'

/** A request (headers and body) must have arrived within this time. */
const REQUEST_MS = 15_000
/** How often Node looks for requests past that; its default of 30 s would triple the limit. */
const CHECK_CONNECTIONS_MS = 2000
/** Between two requests of a connection. */
const KEEP_ALIVE_MS = 72_000

export type PublicServerDeps = {
  config: Config
  now(): number
  /** Adds the collector's routes; absent where this node has not the role `ingest`: then its paths are unknown. */
  ingestRoutes?: ((app: FastifyInstance) => Promise<void>) | undefined
  /** The console and the relay; absent where this node has not the role. */
  back: { console?: Forwarder | undefined; relay?: Forwarder | undefined }
  health(): Promise<Health>
  metrics(): Promise<string>
  /** What /metrics needs to check a token. */
  metricsAccess: Pick<ServerDeps, 'meta' | 'now'>
}

/**
 * The HTTP server of the public port: ends TLS, serves the collector, /healthz and /metrics itself and forwards everything else to the
 * console's or the relay's process, so that no page or upload code runs where events are taken in. Does not listen yet.
 */
export async function createPublicServer(deps: PublicServerDeps): Promise<FastifyInstance> {
  const { config, back } = deps
  const certificate = await certificateFor(config, deps.now())
  const addressOf = clientAddress(config.trustProxy)
  const headers = {
    ...commonHeaders(certificate !== undefined),
    'content-security-policy': DATA_POLICY,
    'cache-control': 'no-store',
  }
  let requests = 0
  const boot = randomBytes(3).toString('hex')
  const requestId = () => `${boot}-${(++requests).toString(36)}`

  function originOf(request: IncomingMessage) {
    const forwarded = request.headers['x-forwarded-for']
    const text = Array.isArray(forwarded) ? forwarded.join(',') : forwarded
    return { address: addressOf(request.socket.remoteAddress ?? '', text), requestId: requestId() }
  }
  /** The process that serves the path; undefined for this one. */
  function backOf(request: IncomingMessage): Forwarder | undefined {
    const path = request.url ?? ''
    if (isBelow(path, '/collect') || isBelow(path, '/healthz') || isBelow(path, '/metrics')) return undefined
    return isBelow(path, LIVE_PATH) ? back.relay : back.console
  }
  function problemOf(request: IncomingMessage): 'malformed' | 'foreign' | undefined {
    // Phones reach a machine under names of their own (an emulator's 10.0.2.2), and no cookie counts for the collector.
    return hostProblem(request.rawHeaders, config.host, config.private && !isBelow(request.url ?? '', '/collect'))
  }

  const dispatcher = (own: (request: IncomingMessage, response: ServerResponse) => void) => {
    return (request: IncomingMessage, response: ServerResponse) => {
      const problem = problemOf(request)
      if (problem) return refuse(request, response, problem === 'malformed' ? 'envelope.malformed' : 'request.host')
      const forwarder = backOf(request)
      if (forwarder) forwarder.request(request, response, originOf(request))
      else own(request, response)
    }
  }
  function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const forwarder = isBelow(request.url ?? '', LIVE_PATH) ? back.relay : undefined
    const status = problemOf(request) ? '400 Bad Request' : forwarder ? undefined : '404 Not Found'
    if (status) socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n`)
    else forwarder?.upgrade(request, socket, head, originOf(request))
  }
  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    key: 'envelope.malformed' | 'request.host',
  ): void {
    sendError(request, response, new ProductError(key), headers)
  }

  const app = fastify({
    serverFactory(handler) {
      const options: ServerOptions = { connectionsCheckingInterval: CHECK_CONNECTIONS_MS }
      const dispatch = dispatcher(handler)
      const server = certificate
        ? createTlsServer({ ...options, ...certificate }, dispatch)
        : createServer(options, dispatch)
      server.requestTimeout = REQUEST_MS
      server.headersTimeout = REQUEST_MS
      server.keepAliveTimeout = KEEP_ALIVE_MS
      server.on('upgrade', (request, socket, rest) => upgrade(request, socket as Socket, rest))
      return server
    },
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    genReqId: requestId,
  }) as unknown as FastifyInstance
  app.addHook('onSend', async (_request, reply) => {
    reply.headers(headers)
  })
  app.addHook('preClose', async () => {
    back.console?.close()
    back.relay?.close()
  })
  const answerError = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { status, body, headers } = errorAnswer(error, {
      bearer: request.headers.authorization !== undefined,
      language: languageOf(request.headers['accept-language']),
    })
    if (status >= 500)
      log.error({ err: error, request: request.id }, `${request.method} ${request.routeOptions.url ?? '?'} failed`)
    return reply.status(status).headers(headers).send(body)
  }
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => answerError(new ProductError('request.unknown_path'), request, reply))

  app.get('/healthz', async (_request, reply) => {
    const health = await deps.health()
    if (health.state !== 'ok') reply.header('retry-after', '5')
    return reply.send(health)
  })
  app.get('/metrics', async (request, reply) => {
    await checkMetricsAccess(deps.metricsAccess, request)
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await deps.metrics())
  })
  const { ingestRoutes } = deps
  if (ingestRoutes)
    await app.register(async (scope) => {
      scope.removeAllContentTypeParsers()
      await ingestRoutes(scope)
    })
  return app
}

const WAITING_STYLE =
  'body{margin:0;min-height:100vh;display:grid;place-items:center;font:16px system-ui,sans-serif;color:#5b6b80;background:#f5f7fa}'
/** No sandbox: Chromium follows no refresh of a sandboxed document. */
const WAITING_POLICY = `default-src 'none'; style-src ${hashSource(WAITING_STYLE)}; frame-ancestors 'none'`

/** Answers for a back process that is away: a page that tries again to a browser, the product's error to every other caller. */
export function answerUnavailable(request: IncomingMessage, response: ServerResponse, cause: Error): void {
  log.info({ err: cause }, `${request.method} ${request.url?.split('?', 1)[0]}: the process that serves it is away`)
  const wantsPage = request.method === 'GET' && /\btext\/html\b/.test(request.headers.accept ?? '')
  const headers = { 'retry-after': '2', 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
  if (!wantsPage) {
    sendError(request, response, new ProductError('server.starting'), headers)
    return
  }
  const page = `<!doctype html><meta charset="utf-8"><meta http-equiv="refresh" content="2"><title>AppWarden</title><style>${WAITING_STYLE}</style><p>服务正在启动 · The service is starting`
  response.writeHead(503, {
    ...headers,
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': WAITING_POLICY,
    'content-length': Buffer.byteLength(page),
  })
  response.end(page)
}

function sendError(
  request: IncomingMessage,
  response: ServerResponse,
  error: ProductError,
  headers: Record<string, string>,
): void {
  const { status, body } = errorAnswer(error, {
    bearer: true,
    language: languageOf(request.headers['accept-language']),
  })
  const text = JSON.stringify(body)
  response.writeHead(status, {
    ...headers,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    ...(request.complete ? {} : { connection: 'close' }),
  })
  response.end(text)
}

/** Whether the request target is the path or lies below it. */
function isBelow(target: string, path: string): boolean {
  if (!target.startsWith(path)) return false
  const next = target[path.length]
  return next === undefined || next === '/' || next === '?'
}
