import type { FastifyRequest } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import { healthz } from '#contracts/http/health.ts'
import type { ServerDeps } from './module.ts'

const LOOPBACK = new Set(['127.0.0.1', '::1', '::ffff:127.0.0.1'])

/** /metrics: loopback without a proxy in front, or a token with metrics.read (decision 38). */
export async function checkMetricsAccess(
  deps: Pick<ServerDeps, 'meta' | 'now'>,
  request: FastifyRequest,
): Promise<void> {
  const { authorization } = request.headers
  if (authorization) {
    // Tokens are seldom used here and bring the console's key handling with them: loaded when one comes.
    const { findBearer } = await import('./find-bearer.ts')
    const bearer = await findBearer(deps, authorization, healthz)
    if (bearer.auth.includes('metrics.read')) return
    throw new ProductError('permission.missing', { permission: 'metrics.read' })
  }
  const proxied = ['x-forwarded-for', 'x-real-ip', 'forwarded'].some((name) => name in request.headers)
  if (proxied || !LOOPBACK.has(request.socket.remoteAddress ?? '')) throw new ProductError('request.unknown_path')
}
