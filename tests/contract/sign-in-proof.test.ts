import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { PROOF_HEADER, signin, verifyImage } from '#contracts/http/accounts.ts'
import { type Challenge, isSolution, proofText, solveChallenge } from '#domain/proof-of-work.ts'
import type { ServerDeps } from '#server/http/module.ts'
import { makeDemandProof } from '#server/modules/accounts/sign-in-proof.ts'
import { ConsoleClient } from '#tests/support/console-client.ts'
import { type HttpApp, PASSWORD, startHttpApp } from '#tests/support/http-app.ts'

let app: HttpApp
beforeAll(async () => {
  app = await startHttpApp({ APPWARDEN_CAPTCHA_FIXED: '', APPWARDEN_TRUST_PROXY: '127.0.0.1' })
  await app.addUser('admin@example.com', 'administrator')
})
afterAll(() => app.close())
beforeEach(async () => {
  await app.meta.db.deleteFrom('login_failures').execute()
  app.clock.offset = 0
})

type Attempt = { username?: string; password?: string; code?: string; address?: string; proof?: string }

/** One attempt with the code that the picture shows. */
async function attempt({
  username = 'admin@example.com',
  password = PASSWORD,
  code,
  address = '203.0.113.5',
  proof,
}: Attempt) {
  const client = new ConsoleClient(app.url, () => Date.now() + app.clock.offset)
  await app.meta.db.deleteFrom('verify_codes').execute()
  await client.call(verifyImage)
  const { answer } = await app.meta.db.selectFrom('verify_codes').select('answer').executeTakeFirstOrThrow()
  const headers = { 'accept-language': 'en', 'x-forwarded-for': address, [PROOF_HEADER]: proof }
  return (await client.call(signin, { body: { username, password, verify_code: code ?? answer } }, { headers })).body
}
/** Three failures of three accounts: no account is locked. */
async function failThrice(address?: string): Promise<void> {
  for (const username of ['a@example.com', 'b@example.com', 'c@example.com'])
    expect((await attempt({ username, ...(address && { address }) }))['key']).toBe('login.wrong')
}
async function askedFor(given: Attempt = {}): Promise<Challenge> {
  const refused = await attempt(given)
  expect(refused['key']).toBe('login.proof')
  return refused['challenge'] as Challenge
}
const solved = (challenge: Challenge) => proofText(challenge, solveChallenge(challenge))

test('[LOGIN-02] a proof of work is asked after three failures of a network within 15 minutes, not before and not of others', async () => {
  await failThrice()
  const challenge = await askedFor({ address: '203.0.113.77' })
  expect(challenge).toMatchObject({ bits: 16, nonce: expect.stringMatching(/^[\w-]{22}$/) })
  expect((await attempt({ address: '198.51.100.1' }))['username']).toBe('admin@example.com')
  app.clock.offset = 15 * 60_000 + 1
  expect((await attempt({}))['username']).toBe('admin@example.com')
})

test('[LOGIN-02] with the proof, code and password are checked as ever, and an attempt without one does not count as a failure', async () => {
  await failThrice()
  for (let i = 0; i < 25; i++) await askedFor()
  expect((await attempt({ code: 'wrong', proof: solved(await askedFor()) }))['codemsg']).toBe(
    'Verification code error!',
  )
  expect((await attempt({ password: 'Granite-Harbour-28', proof: solved(await askedFor()) }))['key']).toBe(
    'login.wrong',
  )
  expect((await attempt({ proof: solved(await askedFor()) }))['username']).toBe('admin@example.com')
})

test('[LOGIN-02] a proof that is wrong, expired, used before, easier or of another network is refused with a new challenge', async () => {
  await failThrice()
  await failThrice('198.51.100.1')
  const challenge = await askedFor()
  let wrong = 0
  while (isSolution(challenge, wrong)) wrong++
  const easier = { ...challenge, bits: 1 }
  const other = { ...challenge, mac: challenge.mac.replace(/^./, (first) => (first === 'A' ? 'B' : 'A')) }
  for (const proof of [proofText(challenge, wrong), solved(easier), solved(other), 'x', '']) {
    const again = await askedFor({ proof })
    expect(again.nonce).not.toBe(challenge.nonce)
  }
  const proof = solved(challenge)
  await askedFor({ proof, address: '198.51.100.1' })
  app.clock.offset = 120_001
  await askedFor({ proof })
  app.clock.offset = 0
  expect((await attempt({ proof, code: 'wrong' }))['key']).toBe('login.code_wrong')
  await askedFor({ proof })
})

test('[LOGIN-02] a proof of a challenge from before the console started is refused, since its use may have been forgotten', async () => {
  await failThrice()
  const deps = {
    config: {},
    meta: app.meta,
    now: () => Date.now() + app.clock.offset,
    secret: () => Buffer.alloc(32, 1),
  } as unknown as ServerDeps
  const before = makeDemandProof(deps)
  await delay(5)
  const refused = (await before('203.0.113.5', undefined).catch((error: unknown) => error)) as {
    extra: { challenge: Challenge }
  }
  const proof = solved(refused.extra.challenge)
  const after = makeDemandProof(deps)
  await expect(after('203.0.113.5', proof)).rejects.toMatchObject({ key: 'login.proof' })
  await expect(before('203.0.113.5', proof)).resolves.toBeUndefined()
})
