import cookie from '@fastify/cookie'
import fastify from 'fastify'
import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { setJwtCookie, setPreCookie, setSessionCookie } from './cookies.ts'

/** The cookies that a server with these settings sets, by name, with their attributes in lower case. */
async function cookiesOf(env: Record<string, string>): Promise<Map<string, string[]>> {
  const config = readConfig({ APPWARDEN_DATA: '/nowhere', ...env }, '1')
  const app = fastify()
  await app.register(cookie)
  app.get('/', async (_request, reply) => {
    setSessionCookie(reply, config, 'A'.repeat(43))
    setPreCookie(reply, config, 'B'.repeat(43))
    setJwtCookie(reply, config, 'a.b.c')
    return reply.send('')
  })
  const { headers } = await app.inject('/')
  await app.close()
  return new Map(
    [headers['set-cookie'] ?? []].flat().map((line) => {
      const [pair, ...attributes] = line.split('; ')
      return [(pair as string).split('=')[0] as string, attributes.map((one) => one.toLowerCase()).sort()]
    }),
  )
}

test('[LOGIN-04] under TLS and behind a trusted proxy the session cookie has the __Host- prefix and every attribute that it needs', async () => {
  for (const env of [{ HOST: '0.0.0.0' }, { APPWARDEN_TRUST_PROXY: '127.0.0.1' }] as Record<string, string>[]) {
    const cookies = await cookiesOf(env)
    expect(cookies.get('__Host-aw_sid')).toEqual(['httponly', 'path=/', 'samesite=strict', 'secure'])
    expect(cookies.get('aw_pre')).toEqual(['httponly', 'max-age=600', 'path=/', 'samesite=strict', 'secure'])
    expect(cookies.get('jwt_token')).toEqual(['path=/', 'samesite=strict', 'secure'])
    expect(cookies.has('aw_sid')).toBe(false)
  }
})

test('[LOGIN-04] on loopback without TLS, where browsers drop the prefix, the session cookie is called aw_sid', async () => {
  const cookies = await cookiesOf({})
  expect(cookies.get('aw_sid')).toEqual(['httponly', 'path=/', 'samesite=strict'])
  expect(cookies.has('__Host-aw_sid')).toBe(false)
})
