import type { FastifyReply, FastifyRequest } from 'fastify'
import { ProductError } from '#contracts/errors.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import { addressClass } from '#domain/address-class.ts'
import { gmNode } from '#engines/gm/gm-openssl.ts'
import { type ParsedSignature, parseSignature, verifySignature } from '#engines/gm/signature.ts'
import { sessionCookie, setJwtCookie } from './cookies.ts'
import { languageOf } from './errors.ts'
import { findBearer } from './find-bearer.ts'
import type { HttpDeps } from './http-deps.ts'
import type { Caller } from './module.ts'
import { makeNonceCache, startByClock } from './nonce-cache.ts'
import { makeRateLimit } from './rate-limit.ts'
import { JWT_REISSUE_MS, makeSessionKeys, type SessionKeys } from './session-keys.ts'
import { makeSessions, type Session, type Sessions } from './sessions.ts'
import { makeSharedNonces } from './shared-nonces.ts'

/** A request's time may differ this much from ours. */
const WINDOW_SECONDS = 60
/** Nonces of requests that are not signed in, in one time window. */
const ANONYMOUS_NONCES = 100_000
/** What an account that must change its password may still call. */
const BEFORE_CHANGE = new Set(['/api/accounts/user-group/', '/api/accounts/change-pass/', '/api/accounts/logout/'])
/** What an account that must set up its second factor may still call, beside that. */
const BEFORE_ENROLMENT = /^\/api\/accounts\/second-factor\//

/** A caller whose session or token was checked. */
export type Identified = {
  caller: Caller
  /** What envelopes of this caller are bound to: the session's public label, '' before sign-in; undefined for tokens, which seal nothing. */
  sid?: string
  /** Checks what needs the body: the signature, its nonce, then the jwt, which it renews. Throws ProductError. */
  verify(body: Uint8Array, reply: FastifyReply): Promise<void>
}

export type Authenticator = {
  keys: SessionKeys
  sessions: Sessions
  /**
   * Finds out who calls from the headers alone, before the body is read, in the documented order, cheap checks first.
   * Throws ProductError.
   */
  identify(endpoint: Endpoint, request: FastifyRequest): Promise<Identified>
}

export function makeAuthenticator(deps: HttpDeps): Authenticator {
  const { now } = deps
  const keys = makeSessionKeys(deps)
  const sessions = makeSessions(deps)
  // Separate, so that callers who are not signed in cannot fill the cache of those who are.
  const sessionNonces = makeNonceCache(now, 2 * WINDOW_SECONDS * 1000)
  const anonymousNonces = makeNonceCache(now, 2 * WINDOW_SECONDS * 1000, ANONYMOUS_NONCES)
  const sharedNonces = makeSharedNonces(deps.meta, now, 2 * WINDOW_SECONDS * 1000)
  const perSession = makeRateLimit(now, { burst: 400, perSecond: 60 })
  const perNetwork = makeRateLimit(now, { burst: 120, perSecond: 10 })
  const startedAt = startByClock(now)

  function limit(rate: ReturnType<typeof makeRateLimit>, key: string): void {
    const wait = rate.take(key)
    if (wait > 0) throw new ProductError('request.rate', {}, { retry_after: wait })
  }

  /** Header syntax and time: every check that needs no look-up. */
  function checkHeaders(request: FastifyRequest): { signature: ParsedSignature; tstamp: string } {
    const header = request.headers['signature']
    const tstamp = request.headers['tstamp']
    const signature = typeof header === 'string' ? parseSignature(header) : undefined
    if (!signature) throw new ProductError('request.signature')
    const late = new ProductError('request.time', {}, { server_time: Math.floor(now() / 1000) })
    if (typeof tstamp !== 'string' || !/^\d{10}$/.test(tstamp)) throw late
    const seconds = Number(tstamp)
    if (Math.abs(seconds - now() / 1000) > WINDOW_SECONDS || seconds < Math.floor(startedAt() / 1000)) throw late
    return { signature, tstamp }
  }

  async function checkSignature(
    request: FastifyRequest,
    body: Uint8Array,
    { signature, tstamp }: { signature: ParsedSignature; tstamp: string },
    key: Uint8Array | undefined,
    owner: string,
  ): Promise<void> {
    const signed = { method: request.method, target: request.raw.url ?? '', tstamp, body }
    if (!verifySignature(gmNode, signature, signed, key)) throw new ProductError('request.signature')
    const nonces = owner === '' ? anonymousNonces : sessionNonces
    const nonce = `${owner}|${signature.nonce}`
    if (!nonces.use(nonce) || !(await sharedNonces.use(nonce))) throw new ProductError('request.replay')
  }

  async function bySession(endpoint: Endpoint, request: FastifyRequest): Promise<Identified> {
    const cookie = sessionCookie(request, deps.config)
    if (!cookie) throw new ProductError('session.signed_out')
    const headers = endpoint.navigation ? undefined : checkHeaders(request)
    const session = await sessions.find(cookie, { idleSeconds: idleSeconds(request), address: request.ip })
    limit(perSession, session.id)
    if (headers && request.headers['x-token'] !== keys.tokenOf(cookie)) throw new ProductError('request.signature')
    return {
      caller: await callerOf(session, request),
      sid: session.label,
      async verify(body, reply) {
        if (headers) {
          await checkSignature(request, body, headers, keys.signatureKeyOf(session.id), session.id)
          await checkJwt(request, reply, session)
        }
        if (session.user.mustChangePassword && !BEFORE_CHANGE.has(endpoint.path))
          throw new ProductError('login.must_change')
        if (session.mustEnrol && !BEFORE_CHANGE.has(endpoint.path) && !BEFORE_ENROLMENT.test(endpoint.path))
          throw new ProductError('login.must_enrol')
      },
    }
  }

  async function checkJwt(request: FastifyRequest, reply: FastifyReply, session: Session): Promise<void> {
    const jwt = request.headers['jwt_token']
    const age = typeof jwt === 'string' ? await keys.checkJwt(jwt, session.label) : undefined
    if (age === undefined) throw new ProductError('request.signature')
    if (age === 'expired') throw new ProductError('session.jwt_expired')
    if (age > JWT_REISSUE_MS) {
      const fresh = await keys.issueJwt(session.label)
      setJwtCookie(reply, deps.config, fresh)
      reply.header('jwt_token', fresh)
    }
  }

  async function callerOf({ id, user }: Session, request: FastifyRequest): Promise<Caller> {
    return {
      ...anonymous(request),
      kind: 'session',
      userId: user.id,
      username: user.username,
      role: user.role,
      auth: user.auth,
      scope: await sessions.scope(user),
      credential: id,
    }
  }

  return {
    keys,
    sessions,
    async identify(endpoint, request) {
      checkFetchSite(request)
      if (endpoint.access === 'public') {
        limit(perNetwork, addressClass(request.ip))
        const signed = endpoint.enveloped || request.headers['signature'] !== undefined
        const headers = signed ? checkHeaders(request) : undefined
        return {
          caller: anonymous(request),
          sid: '',
          async verify(body) {
            if (headers) await checkSignature(request, body, headers, undefined, '')
          },
        }
      }
      const authorization = request.headers.authorization
      // Requests with a token are not signed.
      return authorization
        ? { caller: await byBearer(authorization), verify: async () => {} }
        : bySession(endpoint, request)

      async function byBearer(header: string): Promise<Caller> {
        const bearer = await findBearer(deps, header, endpoint)
        limit(perSession, bearer.id)
        const { account, kind, id, auth } = bearer
        return {
          ...anonymous(request),
          kind,
          userId: account.id,
          username: account.username,
          role: account.role,
          auth,
          scope: await sessions.scope(account),
          credential: id,
        }
      }
    },
  }
}

/** Refuses what the caller's list does not hold; the answer never signs anyone out (decision 1). */
export function checkPermission(endpoint: Endpoint, caller: Caller): void {
  if (typeof endpoint.access === 'string') return
  if (!endpoint.access.some((item) => caller.auth.includes(item)))
    throw new ProductError('permission.missing', { permission: endpoint.access.join(' / ') })
}

/** Seconds since the user's last input as the client reports them; absent or malformed counts as input. */
export function idleSeconds(request: FastifyRequest): number {
  const header = request.headers['x-idle']
  return typeof header === 'string' && /^\d{1,7}$/.test(header) ? Number(header) : 0
}

/** A browser says where a request comes from; another site, even a sister domain, is refused (decision 5). */
function checkFetchSite(request: FastifyRequest): void {
  const fetchSite = request.headers['sec-fetch-site']
  if (fetchSite !== undefined && fetchSite !== 'none' && fetchSite !== 'same-origin')
    throw new ProductError('request.cross_site')
}

function anonymous(request: FastifyRequest): Caller {
  return {
    kind: 'anonymous',
    userId: 0,
    username: '',
    role: '',
    auth: [],
    scope: { apps: [] },
    credential: '',
    address: request.ip,
    language: languageOf(request.headers['accept-language']),
  }
}
