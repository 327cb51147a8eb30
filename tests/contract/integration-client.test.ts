import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveStrategy } from '#contracts/http/detection/tasks.ts'
import { createAccessToken } from '#contracts/http/tokens.ts'
import { AppWardenClient, AppWardenError } from '#sdk/client/client.ts'
import { scanCommand } from '#sdk/client/scan-command.ts'
import { scanPackage, uploadPackage } from '#sdk/client/scan-package.ts'
import { SETTINGS_APK } from '#tests/support/asset-bed.ts'
import { type DetectionBed, detectionBed, good } from '#tests/support/detection-bed.ts'

/** The client of sdk/client against a running server, as a customer's script uses it. */
let bed: DetectionBed
let folder: string
let token: string
let client: AppWardenClient
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'aw-client-'))
  bed = await detectionBed()
  const owner = await bed.signIn('ci', 'operator')
  const scopes = [
    'asset.read',
    'asset.upload',
    'asset.detect',
    'asset.detect_sdk',
    'asset.detect_privacy',
    'detect.view',
  ]
  const made = await owner.call(createAccessToken, {
    body: { name: 'ci', scopes: [...scopes, 'application.create'], days: 1 },
  })
  token = made.body['token'] as string
  client = new AppWardenClient({ url: `${bed.http.url}/`, token })
}, 240_000)
afterAll(async () => {
  await bed?.close()
  rmSync(folder, { recursive: true, force: true })
})
const caught = async (call: Promise<unknown>) =>
  call.then(
    () => expect.unreachable('it was not refused'),
    (error: unknown) => error,
  )

test('an access token lists and creates applications through the client, typed', async () => {
  const { object_list: before } = await client.call('applicationList')
  expect(before).toEqual([])
  const { object_list: made } = await client.call('createApplication', { body: { name: 'Wallet', mimetype_list: [1] } })
  const { object_list } = await client.call('applicationList')
  expect(object_list.map(({ id, name }) => [id, name])).toEqual([[made[0]?.id, 'Wallet']])
})

test('a refusal is an AppWardenError with status, number, key and text, and its key is one of the operation', async () => {
  const empty = await caught(client.call('createApplication', { body: { name: ' ', mimetype_list: [1] } }))
  expect(empty).toMatchObject({
    status: 422,
    code: 500301,
    key: 'application.name_empty',
    message: 'createApplication: Please enter the application name',
  })
  expect(AppWardenError.of(empty, 'createApplication') && empty.key === 'application.name_empty').toBe(true)
  expect(AppWardenError.of(empty, 'applicationList')).toBe(false)
  expect(await caught(client.call('auditLog'))).toMatchObject({ status: 403, code: 500018, key: 'permission.missing' })
  const chinese = new AppWardenClient({ url: bed.http.url, token, language: 'zh' })
  expect(
    String(await caught(chinese.call('detectionTask', { query: { id: '00000000-0000-0000-0000-000000000000' } }))),
  ).toContain('数据不存在')
  const stranger = new AppWardenClient({ url: bed.http.url, token: `aw_at_${'A'.repeat(43)}` })
  expect(await caught(stranger.call('applicationList'))).toMatchObject({ status: 401, key: 'session.signed_out' })
})

test('no answer, an unreadable one, a late one and one that sends elsewhere are errors of the same class', async () => {
  const server = createServer((request, response) => {
    if (request.url === '/slow/healthz') return
    if (request.url === '/elsewhere/healthz') response.writeHead(302, { location: bed.http.url }).end()
    else if (request.url === '/busy/healthz') response.writeHead(503, { 'retry-after': '7' }).end('<html>')
    else response.writeHead(200).end('<html>')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const ask = (path: string) => caught(new AppWardenClient({ url: url + path, timeoutMs: 300 }).call('healthz'))
  expect(await ask('/slow')).toMatchObject({ key: 'network.timeout', status: 0 })
  expect(await ask('/elsewhere')).toMatchObject({ key: 'network.failed' })
  expect(await ask('/busy')).toMatchObject({ key: 'network.unreadable', status: 503, retryAfterMs: 7000 })
  expect(await ask('/page')).toMatchObject({ key: 'network.unreadable', status: 200 })
  server.closeAllConnections()
  server.close()
  expect(await ask('/gone')).toMatchObject({ key: 'network.failed', status: 0 })
})

test('a package goes up in one form or in chunks, is examined, and its result downloaded', async () => {
  const small = await uploadPackage(client, 'settings.apk', new Blob([new Uint8Array(SETTINGS_APK)]))
  expect([small.package_name, small.size]).toEqual(['io.appium.settings', SETTINGS_APK.length])
  const large = new Uint8Array(9 * 1024 * 1024)
  large.set(SETTINGS_APK)
  expect(await caught(uploadPackage(client, '大.apk', new Blob([large])))).toMatchObject({
    operation: 'uploadFile',
    key: expect.stringMatching(/^asset\.(unreadable|unknown_kind)$/),
  })
  const seen: string[] = []
  const outcome = await scanPackage(client, 'settings.apk', new Blob([new Uint8Array(SETTINGS_APK)]), {
    kinds: ['vulnerability'],
    pollMs: 100,
    onProgress: ({ state }) => seen.push(state),
  })
  expect(seen.at(-1)).toBe('detected')
  expect([outcome.task.package_id, outcome.passed]).toEqual(['io.appium.settings', outcome.task.gate === 'pass'])
  expect(JSON.parse(await outcome.sarif())).toMatchObject({ version: '2.1.0' })
  expect(JSON.parse(await outcome.json())).toMatchObject({ package: { id: 'io.appium.settings' } })
  // The same question again: its task is taken, not refused.
  const again = await scanPackage(client, 'settings.apk', new Blob([new Uint8Array(SETTINGS_APK)]), {
    kinds: ['vulnerability'],
    pollMs: 100,
  })
  expect(again.task.id).toBe(outcome.task.id)
}, 240_000)

test('the command answers 0 where the gate passes, 1 where it does not, 2 where there is no result', async () => {
  const lines: string[] = []
  const run = (
    args: string[],
    env: Record<string, string> = { APPWARDEN_URL: bed.http.url, APPWARDEN_TOKEN: token },
  ) => {
    lines.length = 0
    const note = (line: string) => void lines.push(line)
    return scanCommand(args, { env, print: note, fail: note, pollMs: 100 })
  }
  const apk = join(folder, 'settings.apk')
  const sarif = join(folder, 'result.sarif')
  writeFileSync(apk, SETTINGS_APK)
  const gate = { need_signature: false }
  const { data: lenient } = await good(await bed.signIn('rules', 'administrator'), saveStrategy, {
    body: { name: 'Lenient', items: ['android-debuggable'], gate },
  })
  const full = await run([apk, '--kinds', 'vulnerability', '--sarif', sarif])
  expect(lines.at(-1)).toBe(full === 0 ? 'gate passed' : 'gate not passed')
  expect(full).toBe(1)
  expect(JSON.parse(readFileSync(sarif, 'utf8'))).toMatchObject({ version: '2.1.0' })
  expect(await run([apk, '--kinds', 'vulnerability', '--strategy', lenient.id])).toBe(0)
  expect(await run([])).toBe(2)
  expect(await run([apk], {})).toBe(2)
  expect(await run([apk, '--kinds', 'nothing'])).toBe(2)
  expect(lines.at(-1)).toContain('input.invalid')
  expect(await run([join(folder, 'none.apk')])).toBe(2)
  const wrong = { APPWARDEN_URL: bed.http.url, APPWARDEN_TOKEN: 'aw_at_wrong' }
  expect(await run([apk], wrong)).toBe(2)
  expect(lines.at(-1)).toContain('session.signed_out')
}, 240_000)
