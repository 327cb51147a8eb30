import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fastify from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeStaticFiles } from './static-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'appwarden-web-'))
const app = fastify()
const HTML = '<!doctype html><html><head><title>t</title></head><body><script>1</script></body></html>'

beforeAll(() => {
  mkdirSync(join(folder, 'assets'))
  writeFileSync(join(folder, 'index.html'), HTML)
  writeFileSync(join(folder, 'assets/start-AAAAAAAA.js'), 'start')
  writeFileSync(
    join(folder, 'page-files.json'),
    JSON.stringify({
      login: ['assets/login-AAAAAAAA.js'],
      home: ['assets/home-AAAAAAAA.js', 'assets/home-AAAAAAAA.css'],
      observatory: ['assets/maps-AAAAAAAA.js'],
      device_activity: ['assets/device-AAAAAAAA.js'],
    }),
  )
  const files = makeStaticFiles(folder)
  app.setNotFoundHandler(async (request, reply) => {
    const isSignedIn = request.headers['x-signed-in'] === '1'
    return (await files.serve(request, reply, isSignedIn)) ? reply : reply.status(404).send('none')
  })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const open = (url: string, headers: Record<string, string> = {}) => app.inject({ url, headers })
const named = (html: string) => [...html.matchAll(/href="\/assets\/(\w+)-/g)].map((one) => one[1])

test('a page names the files that opening it loads: of the login page without a session, except for a wall', async () => {
  const signedIn = { 'x-signed-in': '1' }
  for (const [path, headers, files] of [
    ['/home', signedIn, ['home', 'home']],
    ['/', signedIn, ['home', 'home']],
    ['/?a=1', signedIn, ['home', 'home']],
    ['/HOME/', signedIn, ['home', 'home']],
    ['/statistics/user_check/17/', signedIn, ['device']],
    ['/no/such/page', signedIn, ['home', 'home']],
    ['/home', {}, ['login']],
    ['/', {}, ['login']],
    ['/index.html', {}, ['login']],
    ['/login', signedIn, ['login']],
    ['/maps', {}, ['maps']],
    // The build named no files for it: the page as it is.
    ['/assets/apps', signedIn, []],
  ] as const) {
    const { body, statusCode } = await open(path, headers)
    expect([path, statusCode, named(body)]).toEqual([path, 200, files])
  }
  const { body } = await open('/home', signedIn)
  expect(body).toContain(
    '<link rel="modulepreload" crossorigin href="/assets/home-AAAAAAAA.js"><link rel="preload" as="style" crossorigin href="/assets/home-AAAAAAAA.css"></head>',
  )
})

test('pages of different paths have different tags; a tag of the same page is answered with 304 and the same policy', async () => {
  const home = await open('/home', { 'x-signed-in': '1' })
  const login = await open('/home')
  expect(home.headers['etag']).not.toBe(login.headers['etag'])
  expect(home.headers['vary']).toBe('accept-encoding, cookie')
  expect(home.headers['content-security-policy']).toBe(login.headers['content-security-policy'])
  const again = await open('/home', { 'x-signed-in': '1', 'if-none-match': String(home.headers['etag']) })
  expect([again.statusCode, again.body]).toEqual([304, ''])
  expect((await open('/login', { 'if-none-match': String(home.headers['etag']) })).statusCode).toBe(200)
})

test('the list of files is not served, files are kept by browsers, and what is missing is no page', async () => {
  expect((await open('/page-files.json')).statusCode).toBe(404)
  expect((await open('/assets/gone-AAAAAAAA.js')).statusCode).toBe(404)
  expect((await open('/..%2f..%2fetc/passwd.txt')).statusCode).toBe(404)
  const file = await open('/assets/start-AAAAAAAA.js')
  expect([file.body, file.headers['cache-control']]).toEqual(['start', 'public, max-age=31536000, immutable'])
  const page = await open('/home', { 'accept-encoding': 'br;q=0, gzip' })
  expect([page.headers['content-encoding'], page.headers['cache-control']]).toEqual(['gzip', 'no-cache'])
})
