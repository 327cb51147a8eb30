import type { FastifyInstance } from 'fastify'
import { POLICY_SIGNATURE_HEADER } from '#contracts/telemetry/policy.ts'
import { ENROLLED_HEADERS } from '#contracts/telemetry/wire.ts'

const DAY_SECONDS = 86_400

/**
 * Lets the web SDK speak from pages of any origin. Nothing here rests on cookies: a request counts by its signature, so any origin may
 * ask and none may send credentials. Server keys are secret and have no place in a page: `authorization` is not allowed.
 */
export function allowBrowsers(scope: FastifyInstance): void {
  scope.addHook('onRequest', async (_request, reply) => {
    reply.header('access-control-allow-origin', '*')
    reply.header('access-control-expose-headers', `etag, retry-after, ${POLICY_SIGNATURE_HEADER}`)
  })
  scope.options('/*', (_request, reply) =>
    reply
      .code(204)
      .header('access-control-allow-methods', 'GET, POST')
      .header(
        'access-control-allow-headers',
        ['content-type', 'content-encoding', 'if-none-match', ...Object.values(ENROLLED_HEADERS)].join(', '),
      )
      .header('access-control-max-age', String(DAY_SECONDS))
      .send(),
  )
}
