import type { FastifyReply, FastifyRequest } from 'fastify'

/** An unknown caller's body is read to its end, to keep the connection, only up to this size. */
const DRAINED = 64 * 1024

/**
 * Decides, before an answer is sent, about a body that was not read to its end. The rest is read and dropped, so that the connection can be
 * used for the next request. A caller who is not known would make this process read megabytes for nothing: his connection is closed.
 */
export function finishBody(request: FastifyRequest, reply: FastifyReply, isKnown: boolean): void {
  const { raw } = request
  if (raw.complete) return
  const length = raw.headers['content-length']
  if (isKnown || (length !== undefined && Number(length) <= DRAINED)) raw.resume()
  else reply.header('connection', 'close')
}
