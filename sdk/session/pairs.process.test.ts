import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { toBase64url } from '#engines/gm/bytes.ts'
import { echo, sendRandom } from '#tests/support/session/echo.ts'
import {
  KEY_ID,
  RUNNING_CLOCK,
  SERVER_KEY,
  type SessionBed,
  startSessionBed,
} from '#tests/support/session/session-bed.ts'
import { NO_JAVA, type SessionRig, startSessionRig } from '#tests/support/session/session-rig.ts'
import { createSecureClient } from './node.ts'

/**
 * Random messages through pairs of SDKs: a sample here, and 10,000 by `npm run test:session`, which also names a seed. The pairs with a browser
 * are in browser.process.test.ts.
 */
const COUNT = Number(process.env['SESSION_MESSAGES'] ?? 60)
const SEED = Number(process.env['SESSION_SEED'] ?? 20260301)
const TIMEOUT = 30_000 + COUNT * 60
const publicKey = toBase64url(SERVER_KEY.publicKey)

test(`${COUNT} random messages of seed ${SEED} from Node to Node come back as they were`, {
  timeout: TIMEOUT,
}, async () => {
  const bed = await startSessionBed(echo, {}, RUNNING_CLOCK)
  const client = createSecureClient({ origin: bed.origin, keyId: KEY_ID, publicKey })
  expect(await sendRandom(client, COUNT, SEED)).toBe(COUNT)
  expect(bed.refused).toEqual([])
  await bed.close()
})

describe.skipIf(NO_JAVA)('with Java', () => {
  let rig: SessionRig
  let javaOrigin: string
  let bed: SessionBed
  beforeAll(async () => {
    rig = startSessionRig()
    const [port] = await rig.ask('serve', KEY_ID, SERVER_KEY.privateKey)
    javaOrigin = `http://127.0.0.1:${port}`
    bed = await startSessionBed(echo, {}, RUNNING_CLOCK)
  })
  afterAll(async () => {
    await rig.close()
    await bed.close()
  })

  test(`${COUNT} random messages of seed ${SEED} from Node to the servlet filter come back as they were`, {
    timeout: TIMEOUT,
  }, async () => {
    const client = createSecureClient({ origin: javaOrigin, keyId: KEY_ID, publicKey })
    expect(await sendRandom(client, COUNT, SEED)).toBe(COUNT)
  })

  test(`${COUNT} random messages of seed ${SEED} from Java to Node come back as they were`, {
    timeout: TIMEOUT,
  }, async () => {
    expect(await rig.ask('send', bed.origin, KEY_ID, publicKey, COUNT, SEED)).toEqual([String(COUNT)])
    expect(bed.refused).toEqual([])
  })

  test(`${COUNT} random messages of seed ${SEED} from Java to the servlet filter come back as they were`, {
    timeout: TIMEOUT,
  }, async () => {
    expect(await rig.ask('send', javaOrigin, KEY_ID, publicKey, COUNT, SEED)).toEqual([String(COUNT)])
  })

  test('the servlet filter refuses a plain request, an unknown key and a replayed message as the Node server does', async () => {
    const plain = await fetch(javaOrigin, { method: 'POST', body: '{}' })
    expect([plain.status, await plain.text()]).toEqual([400, '{"error":"refused"}'])
    for (const [keyId, code] of [
      [99, 'unknown_key'],
      [6, 'unknown_key'],
      [5, 'unknown_key'],
    ] as const)
      await expect(createSecureClient({ origin: javaOrigin, keyId, publicKey }).fetch('/')).rejects.toMatchObject({
        code,
      })
    const sent: Request[] = []
    const client = createSecureClient({ origin: javaOrigin, keyId: KEY_ID, publicKey })
    const real = globalThis.fetch
    globalThis.fetch = (input, init) => {
      const request = new Request(input, init)
      sent.push(request.clone())
      return real(request)
    }
    try {
      expect((await client.fetch('/pay', { method: 'POST', body: 'x' })).status).toBe(201)
    } finally {
      globalThis.fetch = real
    }
    const again = await fetch(sent[1] as Request)
    expect([again.status, await again.text()]).toEqual([400, '{"error":"refused"}'])
    const hello = await fetch(sent[0] as Request)
    expect([hello.status, await hello.text()]).toEqual([400, '{"error":"refused"}'])
  })
})
