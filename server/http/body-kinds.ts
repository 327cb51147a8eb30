import type { Readable } from 'node:stream'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { type ByteBudget, makeByteBudget } from './byte-budget.ts'

/** Bytes of a form besides its file. */
export const FORM_ROOM = 64 * 1024
const FORM = 'multipart/form-data'
const BYTES = 'application/offset+octet-stream'

/** A caller who is not known yet may make this process hold so many bytes: one request, and all of them together. */
const ANONYMOUS_REQUEST = 16 * 1024
const ANONYMOUS_PROCESS = 4 * 1024 * 1024
/** Bodies of known callers together: uploads that are signed as a whole take 8 MB each. */
const KNOWN_PROCESS = 256 * 1024 * 1024
const FIRST_CAPACITY = 2048

declare module 'fastify' {
  interface FastifyRequest {
    /** The session or token was checked, before anything of the body was read (mount.ts). */
    isCallerKnown: boolean
  }
}

/**
 * Adds the parsers of bodies. A body is kept as the exact bytes that came, since they are signed; a form with an access token is not
 * signed, and streams. Memory is bounded by what has arrived, not by what was announced: a small limit for each request and for the
 * process where the caller is not known, the limit of the route and a larger one for the process where he is.
 */
export function addBodyKinds(app: FastifyInstance): void {
  const anonymous = makeByteBudget(ANONYMOUS_PROCESS)
  const known = makeByteBudget(KNOWN_PROCESS)
  app.decorateRequest('isCallerKnown', false)
  const read = (request: FastifyRequest, payload: unknown) => {
    const limit = request.routeOptions.bodyLimit
    return request.isCallerKnown
      ? readWhole(request, payload as Readable, limit, known)
      : readWhole(request, payload as Readable, Math.min(ANONYMOUS_REQUEST, limit), anonymous)
  }
  app.addContentTypeParser('application/json', read)
  app.addContentTypeParser(BYTES, read)
  app.addContentTypeParser(FORM, async (request: FastifyRequest, payload: unknown) =>
    request.headers.authorization && request.isCallerKnown ? payload : read(request, payload),
  )
}

/** Throws request.too_large beyond `limit`, request.rate where the budget is used up. Bytes are released when the answer is done. */
async function readWhole(
  request: FastifyRequest,
  payload: Readable,
  limit: number,
  budget: ByteBudget,
): Promise<Buffer> {
  let bytes = Buffer.alloc(0)
  let size = 0
  let held = 0
  // The socket outlives a request of a kept connection, so the answer's end is what counts.
  const release = () => {
    budget.release(held)
    held = 0
  }
  request.raw.once('close', release)
  // A refused body must not take its connection along: the answer is sent on it.
  for await (const part of payload.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    if (size + part.length > limit) throw new ProductError('request.too_large')
    if (size + part.length > bytes.length) {
      // Parts are copied: a body of single bytes would keep a whole read buffer for each.
      const capacity = Math.min(limit, Math.max(FIRST_CAPACITY, bytes.length * 2, size + part.length))
      if (!budget.take(capacity - held)) throw new ProductError('request.rate', {}, { retry_after: 1 })
      held = capacity
      const larger = Buffer.allocUnsafeSlow(capacity)
      bytes.copy(larger, 0, 0, size)
      bytes = larger
    }
    part.copy(bytes, size)
    size += part.length
  }
  return bytes.subarray(0, size)
}

/** Refuses a body of a kind that the endpoint does not take. */
export function checkKind(endpoint: Endpoint, request: FastifyRequest): void {
  const kind = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
  const wrong =
    endpoint.takes === 'form' ? kind !== FORM : endpoint.takes ? kind === FORM : kind === FORM || kind === BYTES
  if (wrong) throw new ProductError('request.media_type')
}
