import { existsSync } from 'node:fs'
import { createServer, request as httpRequest, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Browser, chromium, type Page } from 'playwright'
import { build } from 'vite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toBase64url } from '#engines/gm/bytes.ts'
import { echo } from '#tests/support/session/echo.ts'
import {
  KEY_ID,
  RUNNING_CLOCK,
  SERVER_KEY,
  type SessionBed,
  startSessionBed,
} from '#tests/support/session/session-bed.ts'
import { NO_JAVA, type SessionRig, startSessionRig } from '#tests/support/session/session-rig.ts'
import vectors from './vectors.generated.json' with { type: 'json' }

/** As pairs.process.test.ts: a sample here, 10,000 messages by `npm run test:session`. */
const COUNT = Number(process.env['SESSION_MESSAGES'] ?? 60)
const SEED = Number(process.env['SESSION_SEED'] ?? 20260301)
const TIMEOUT = 60_000 + COUNT * 60
const CHROMIUM = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((one) => one && existsSync(one))
const publicKey = toBase64url(SERVER_KEY.publicKey)

type Build = { sessionModule(name: string): Promise<Buffer> }
const { sessionModule } = (await import(new URL('../../scripts/build-sdk-session.mjs', import.meta.url).href)) as Build

let sdk: Buffer
beforeAll(async () => {
  sdk = await sessionModule('browser')
})

test('[SDK-01] the module for browsers is one file of less than 20 kB compressed', () => {
  expect(gzipSync(sdk, { level: 9 }).length).toBeLessThan(20_000)
  expect(sdk.toString()).not.toMatch(/\bimport\s*[({'"]|sourceMappingURL|\bfrom\s*['"]/)
})

test('the module for Node is one file that imports the modules of Node alone', async () => {
  const imports = [...(await sessionModule('node')).toString().matchAll(/^import .*? from ["'](.*?)["'];?$/gm)]
  expect(imports.length).toBeGreaterThan(0)
  expect(imports.filter(([, from]) => !from?.startsWith('node:'))).toEqual([])
})

describe.skipIf(!CHROMIUM)('in Chromium', () => {
  let browser: Browser
  let page: Page
  let site: Server
  let bed: SessionBed
  let rig: SessionRig | undefined
  /** Where the site sends what is not its own file, as a reverse proxy does. */
  let behind = ''

  beforeAll(async () => {
    const files: Record<string, [string, Buffer | string]> = {
      '/': [
        'text/html',
        '<!doctype html><html lang="en"><title>Shop</title><script type="module" src="/harness.mjs"></script>',
      ],
      '/sdk.mjs': ['text/javascript', sdk],
      '/favicon.ico': ['image/x-icon', ''],
      '/harness.mjs': ['text/javascript', await harness()],
    }
    site = createServer((request, response) => {
      const file =
        request.headers['aw-message'] === undefined && request.method === 'GET' ? files[request.url ?? ''] : undefined
      if (file) response.setHeader('content-type', file[0]).end(file[1])
      else handOn(request, response)
    })
    await new Promise<void>((done) => site.listen(0, '127.0.0.1', done))
    bed = await startSessionBed(echo, {}, RUNNING_CLOCK)
    browser = await chromium.launch({
      ...(CHROMIUM && { executablePath: CHROMIUM }),
      args: ['--no-sandbox', '--disable-dev-shm-usage'],
    })
    page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`)
    await page.waitForFunction('globalThis.harness')
  }, 120_000)
  afterAll(async () => {
    await browser?.close()
    site?.close()
    site?.closeAllConnections()
    await bed?.close()
    await rig?.close()
  })

  function handOn(request: IncomingMessage, response: ServerResponse): void {
    const { method, headers, url } = request
    const passed = httpRequest(behind + url, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    passed.on('error', () => response.writeHead(502).end())
    request.pipe(passed)
  }
  const send = (keyId: number) =>
    page.evaluate(
      `(async () => {
        const { createSecureClient } = await import('/sdk.mjs')
        const client = createSecureClient({ origin: location.origin, keyId: ${keyId}, publicKey: '${publicKey}' })
        return harness.sendRandom(client, ${COUNT}, ${SEED})
      })()`,
    )

  test('the published vectors hold', async () => {
    const { checked, failed } = await page.evaluate<{ checked: number; failed: string[] }>(
      `harness.checkVectors(${JSON.stringify(vectors)})`,
    )
    expect(failed).toEqual([])
    expect(checked).toBeGreaterThan(40)
  })

  test(`${COUNT} random messages of seed ${SEED} from the browser to Node come back as they were`, {
    timeout: TIMEOUT,
  }, async () => {
    behind = bed.origin
    expect(await send(KEY_ID)).toBe(COUNT)
    expect(bed.refused).toEqual([])
  })

  test.skipIf(NO_JAVA)(
    `${COUNT} random messages of seed ${SEED} from the browser to the servlet filter come back as they were`,
    { timeout: TIMEOUT },
    async () => {
      rig = startSessionRig()
      const [port] = await rig.ask('serve', KEY_ID, SERVER_KEY.privateKey)
      behind = `http://127.0.0.1:${port}`
      expect(await send(KEY_ID)).toBe(COUNT)
    },
  )

  test('a page uses it as fetch, and gets its errors by code', async () => {
    behind = bed.origin
    const found = await page.evaluate(
      `(async () => {
        const { createSecureClient, SecureError } = await import('/sdk.mjs')
        const options = { origin: location.origin, keyId: ${KEY_ID}, publicKey: '${publicKey}' }
        const secure = createSecureClient(options)
        const answer = await secure.fetch('/pay?to=王', { method: 'POST', body: 'hundred' })
        const wrong = await createSecureClient({ ...options, keyId: 99 }).fetch('/').catch((error) => error)
        return [answer.status, await answer.text(), answer.headers.get('content-type'), wrong instanceof SecureError, wrong.code]
      })()`,
    )
    const type = 'text/plain;charset=UTF-8'
    expect(found).toEqual([203, `POST /pay?to=${encodeURIComponent('王')}\nhundred`, type, true, 'unknown_key'])
  })
})

async function harness(): Promise<string> {
  const result = await build({
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: resolve('tests/support/session/browser-harness.ts'), formats: ['es'] },
    },
  })
  const [made] = Array.isArray(result) ? result : [result]
  if (!made || !('output' in made)) throw new Error('no harness')
  return made.output[0].code
}
