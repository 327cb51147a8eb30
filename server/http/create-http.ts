import cookie from '@fastify/cookie'
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { log } from '#runtime/log.ts'
import { certificateFor, isTlsServed } from '../platform/tls/own-certificate.ts'
import { makeAuthenticator } from './authenticate.ts'
import { addBodyKinds } from './body-kinds.ts'
import { sessionCookie } from './cookies.ts'
import { errorAnswer, languageOf } from './errors.ts'
import { finishBody } from './finish-body.ts'
import type { HttpDeps, HttpModule } from './http-deps.ts'
import { checkMetricsAccess } from './metrics-access.ts'
import { makeMount } from './mount.ts'
import { makeNetworkLog } from './network-log.ts'
import { openApi } from './openapi/openapi.ts'
import { commonHeaders, DATA_POLICY } from './security-headers.ts'
import { makeStaticFiles } from './static-files.ts'

const BODY_LIMIT = 1024 * 1024
/** Node looks for requests beyond requestTimeout only every 30 s by default, so that 15 s become 45. */
const CONNECTION_CHECKS = { connectionsCheckingInterval: 1000 }
const DATA_PATHS = /^\/(api|collect|live|healthz|metrics|license-remind)(\/|\?|$)/

/**
 * The console's HTTP application: every endpoint of the given modules and the built web folder. Does not listen yet. `at`: on a port of its
 * own, or on a Unix socket behind the process that owns the public port (server/public), which ends TLS and says who calls.
 * `app.close()` writes what the network log still holds.
 */
export async function createHttp(
  deps: HttpDeps,
  modules: readonly HttpModule[],
  at: 'port' | 'socket' = 'port',
): Promise<FastifyInstance> {
  const { config } = deps
  const certificate = at === 'port' ? await certificateFor(config, deps.now()) : undefined
  const app = fastify({
    bodyLimit: BODY_LIMIT,
    requestTimeout: 15_000,
    http: CONNECTION_CHECKS,
    ...(at === 'port'
      ? { trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false }
      : // Only the owner of the public port can connect here; its one entry in x-forwarded-for is the client.
        { trustProxy: (_address: string, hop: number) => hop === 0, requestIdHeader: 'x-request-id' }),
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    routerOptions: { maxParamLength: 200 },
    ...(certificate ? { https: { ...certificate, ...CONNECTION_CHECKS } } : {}),
  }) as unknown as FastifyInstance
  await app.register(cookie)
  // The exact bytes of a body are signed, so they are kept as they came and parsed by us.
  app.removeAllContentTypeParsers()
  addBodyKinds(app)

  const headers = commonHeaders(isTlsServed(config))
  app.addHook('onSend', async (request, reply) => {
    for (const [name, value] of Object.entries(headers)) if (!reply.hasHeader(name)) reply.header(name, value)
    if (!reply.hasHeader('content-security-policy')) reply.header('content-security-policy', DATA_POLICY)
    if (!reply.hasHeader('cache-control') && DATA_PATHS.test(request.raw.url ?? ''))
      reply.header('cache-control', 'no-store')
  })
  const refuse = (error: unknown, request: FastifyRequest, reply: FastifyReply) => {
    const { status, body, headers } = errorAnswer(error, {
      bearer: request.headers.authorization !== undefined,
      language: languageOf(request.headers['accept-language']),
    })
    if (status >= 500)
      log.error({ err: error, request: request.id }, `${request.method} ${request.routeOptions.url ?? '?'} failed`)
    finishBody(request, reply, request.isCallerKnown)
    return reply.status(status).headers(headers).send(body)
  }
  app.setErrorHandler(refuse)

  const networkLog = makeNetworkLog(deps.meta)
  app.addHook('onClose', () => networkLog.close())
  const authenticator = makeAuthenticator(deps)
  const { mount, mounted } = makeMount(app, deps, { authenticator, log: networkLog })
  for (const module of modules) await module(mount, deps)
  app.decorate(
    'unmounted',
    [...ENDPOINTS.keys()].filter((name) => !mounted.has(name)),
  )

  // Made when somebody asks: it takes longer than anything else of a start.
  let description: string | undefined
  app.get('/api/openapi.json', (_request, reply) => {
    description ??= JSON.stringify(openApi(config.version))
    return reply.type('application/json').send(description)
  })
  app.get('/metrics', async (request, reply) => {
    await checkMetricsAccess(deps, request)
    return reply.type('text/plain; version=0.0.4; charset=utf-8').send(await deps.metrics())
  })
  const files = makeStaticFiles(config.paths.web)
  app.setNotFoundHandler(async (request, reply) => {
    const page = (request.method === 'GET' || request.method === 'HEAD') && !DATA_PATHS.test(request.raw.url ?? '')
    if (page && (await files.serve(request, reply, sessionCookie(request, config) !== undefined))) return reply
    return refuse(new ProductError('request.unknown_path'), request, reply)
  })
  return app
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Names of endpoints in contracts/http that no module has mounted. */
    unmounted: readonly string[]
  }
}
