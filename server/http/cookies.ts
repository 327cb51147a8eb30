import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../config.ts'

/**
 * Only the session cookie takes the __Host- prefix, and only under TLS: a browser drops it on plain http (decision 7), which is spoken
 * on loopback alone. Behind a trusted proxy the outside is taken to be TLS.
 */
function secure(config: Config): boolean {
  return config.tls !== undefined || !config.loopback || config.trustProxy.length > 0
}
function sessionName(config: Config): string {
  return secure(config) ? '__Host-aw_sid' : 'aw_sid'
}
export const PRE_SESSION = 'aw_pre'
/** Binds a sign-in with a provider to the browser that began it. */
export const PROVIDER_COOKIE = 'aw_oidc'

export function readCookie(request: FastifyRequest, name: string): string | undefined {
  const value = request.cookies[name]
  return value && /^[\w-]{43}$/.test(value) ? value : undefined
}
export function sessionCookie(request: FastifyRequest, config: Config): string | undefined {
  return readCookie(request, sessionName(config))
}

export function setSessionCookie(reply: FastifyReply, config: Config, value: string): void {
  reply.setCookie(sessionName(config), value, { ...base(config), httpOnly: true })
}
/** Lives as long as its sign-in attempt: the verification image is good for two minutes. */
export function setPreCookie(reply: FastifyReply, config: Config, value: string): void {
  reply.setCookie(PRE_SESSION, value, { ...base(config), httpOnly: true, maxAge: 600 })
}
/** The page that the provider sends the browser back to is ours, so its own request has the cookie although it is SameSite=Strict. */
export function setProviderCookie(reply: FastifyReply, config: Config, value: string): void {
  reply.setCookie(PROVIDER_COOKIE, value, { ...base(config), httpOnly: true, maxAge: 600 })
}
/** Readable by scripts, which send it as a header (LOGIN-04); alone it opens nothing. */
export function setJwtCookie(reply: FastifyReply, config: Config, jwt: string): void {
  reply.setCookie('jwt_token', jwt, base(config))
}
export function clearSessionCookies(reply: FastifyReply, config: Config): void {
  reply.clearCookie(sessionName(config), { ...base(config), httpOnly: true })
  reply.clearCookie('jwt_token', base(config))
}

function base(config: Config) {
  return { path: '/', sameSite: 'strict', secure: secure(config) } as const
}
