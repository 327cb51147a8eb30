import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { ENROLLED_HEADERS } from '#contracts/telemetry/wire.ts'
import { allowBrowsers } from './cors.ts'

const PAGE = { origin: 'https://shop.example' }

async function collector() {
  const app = Fastify()
  await app.register(
    async (scope) => {
      allowBrowsers(scope)
      scope.post('/v1/events', async (_request, reply) => reply.code(429).header('retry-after', '7').send({}))
    },
    { prefix: '/collect' },
  )
  app.post('/api/other', async () => ({}))
  return app
}

test('[SDK-01] a page of another origin may ask before it posts, for the headers that a device signs with and no others', async () => {
  const app = await collector()
  const asked = await app.inject({
    method: 'OPTIONS',
    url: '/collect/v1/events',
    headers: { ...PAGE, 'access-control-request-method': 'POST', 'access-control-request-headers': 'x-aw-install' },
  })
  expect(asked.statusCode).toBe(204)
  expect(asked.headers['access-control-allow-origin']).toBe('*')
  const allowed = String(asked.headers['access-control-allow-headers']).split(', ')
  expect(allowed).toEqual(expect.arrayContaining(Object.values(ENROLLED_HEADERS)))
  expect(allowed).not.toContain('authorization')
  expect(asked.headers['access-control-allow-credentials']).toBeUndefined()
})

test('[SDK-01] a page can read every answer, refusals and their retry-after too', async () => {
  const app = await collector()
  const answer = await app.inject({ method: 'POST', url: '/collect/v1/events', headers: PAGE })
  expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([429, '*'])
  expect(String(answer.headers['access-control-expose-headers'])).toMatch(/retry-after/)
})

test('the console itself stays closed to other origins', async () => {
  const app = await collector()
  const answer = await app.inject({ method: 'POST', url: '/api/other', headers: PAGE })
  expect(answer.headers['access-control-allow-origin']).toBeUndefined()
})
