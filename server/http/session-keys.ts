import { createHash, hkdfSync, randomBytes } from 'node:crypto'
import { errors, jwtVerify, SignJWT } from 'jose'

/** What belongs to a session cookie: all of it is derived, so a reload, a second tab and a restart get the same (decision 4). */
export type SessionKeys = {
  /** sessions.id of a cookie's value. */
  idOf(cookie: string): string
  /** The X-Token header that belongs to the cookie. */
  tokenOf(cookie: string): string
  /** Key of the `signature` header, 32 bytes. */
  signatureKeyOf(sessionId: string): Buffer
  /** A jwt of 10 minutes for the session with this public label. */
  issueJwt(label: string): Promise<string>
  /** Age in ms of a valid jwt of this label; 'expired' when only its time is over; undefined for anything else. */
  checkJwt(jwt: string, label: string): Promise<number | 'expired' | undefined>
}

const JWT = { issuer: 'appwarden', audience: 'console' }
const JWT_SECONDS = 600
export const JWT_REISSUE_MS = 300_000

export function makeSessionKeys(deps: { secret(name: string): Buffer; now(): number }): SessionKeys {
  const { secret, now } = deps
  const derive = (name: string, text: string) => Buffer.from(hkdfSync('sm3', secret(name), '', text, 32))
  return {
    idOf: hashOf,
    tokenOf: (cookie) => derive('session.x-token', cookie).toString('base64url'),
    signatureKeyOf: (sessionId) => derive('session.signature', sessionId),
    issueJwt(label) {
      const seconds = Math.floor(now() / 1000)
      return new SignJWT({ sid: label })
        .setProtectedHeader({ alg: 'HS256' })
        .setIssuer(JWT.issuer)
        .setAudience(JWT.audience)
        .setIssuedAt(seconds)
        .setExpirationTime(seconds + JWT_SECONDS)
        .sign(secret('session.jwt'))
    },
    async checkJwt(jwt, label) {
      try {
        const { payload } = await jwtVerify(jwt, secret('session.jwt'), {
          ...JWT,
          algorithms: ['HS256'],
          currentDate: new Date(now()),
        })
        return payload['sid'] === label && payload.iat !== undefined ? now() - payload.iat * 1000 : undefined
      } catch (error) {
        return error instanceof errors.JWTExpired && error.payload['sid'] === label ? 'expired' : undefined
      }
    },
  }
}

/** SHA-256 in hex: how session cookies and tokens are kept. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

/** A new secret text of 32 random bytes behind a prefix that names its kind. */
export function newSecretText(prefix = ''): string {
  return prefix + randomBytes(32).toString('base64url')
}
