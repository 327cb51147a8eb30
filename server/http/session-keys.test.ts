import { generateKeyPairSync } from 'node:crypto'
import { type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { expect, test } from 'vitest'
import { makeSessionKeys } from './session-keys.ts'

const SECRET = Buffer.alloc(32, 7)
const time = { now: Date.UTC(2026, 10, 24) }
const keys = makeSessionKeys({ secret: () => SECRET, now: () => time.now })

/** A token like ours but for what a test changes. */
function forged(change: { alg?: string; key?: Uint8Array; claims?: JWTPayload } = {}): Promise<string> {
  const seconds = Math.floor(time.now / 1000)
  const claims = { iss: 'appwarden', aud: 'console', iat: seconds, exp: seconds + 600, sid: 'label', ...change.claims }
  return new SignJWT(claims).setProtectedHeader({ alg: change.alg ?? 'HS256' }).sign(change.key ?? SECRET)
}

test('[LOGIN-04] a jwt of another algorithm, key, issuer, audience, session or form is refused', async () => {
  expect(await keys.checkJwt(await keys.issueJwt('label'), 'label')).toBe(0)
  expect(await keys.checkJwt(await forged(), 'label')).toBe(0)
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const rsa = await new SignJWT({ sid: 'label' })
    .setProtectedHeader({ alg: 'RS256' })
    .setIssuer('appwarden')
    .setAudience('console')
    .setIssuedAt(Math.floor(time.now / 1000))
    .setExpirationTime(Math.floor(time.now / 1000) + 600)
    .sign(privateKey)
  const unsigned = new UnsecuredJWT({ sid: 'label', iss: 'appwarden', aud: 'console' })
    .setIssuedAt(Math.floor(time.now / 1000))
    .setExpirationTime(Math.floor(time.now / 1000) + 600)
    .encode()
  const refused = {
    'no algorithm': unsigned,
    'another algorithm': rsa,
    'another hash with the same key': await forged({ alg: 'HS512', key: SECRET }),
    'another key': await forged({ key: Buffer.alloc(32, 8) }),
    'another issuer': await forged({ claims: { iss: 'other' } }),
    'another audience': await forged({ claims: { aud: 'collector' } }),
    'another session': await forged({ claims: { sid: 'other' } }),
    'not yet valid': await forged({ claims: { nbf: Math.floor(time.now / 1000) + 60 } }),
    'a cut signature': (await forged()).slice(0, -4),
    'no token at all': 'x.y.z',
  }
  for (const [name, jwt] of Object.entries(refused))
    expect([name, await keys.checkJwt(jwt, 'label')]).toEqual([name, undefined])
})

test('[LOGIN-04] a jwt is expired after ten minutes, which only its own session learns', async () => {
  const jwt = await keys.issueJwt('label')
  time.now += 601_000
  expect(await keys.checkJwt(jwt, 'label')).toBe('expired')
  expect(await keys.checkJwt(jwt, 'other')).toBeUndefined()
})
