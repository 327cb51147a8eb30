import { createHash } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createUpload } from '#contracts/http/assets.ts'
import type { Endpoint } from '#contracts/http/endpoint.ts'
import {
  type InspectedPackage,
  type PackageComparison,
  type PatternTrial,
  type SignatureReading,
  toolCompare,
  toolPackage,
  toolPattern,
  toolPhoneCheck,
  toolPhones,
  toolSignature,
} from '#contracts/http/tools.ts'
import { startAdbServer } from '#mocks/phone/adb-server.ts'
import { SimulatedPhone } from '#mocks/phone/simulated-phone.ts'
import { makeSigner } from '#tests/support/apk/signer.ts'
import { type AssetBed, assetBed, named, SETTINGS_APK, TEST_APK } from '#tests/support/asset-bed.ts'
import type { Reply } from '#tests/support/console-client.ts'

let bed: AssetBed
beforeAll(async () => {
  bed = await assetBed()
})
afterAll(() => bed?.app.close())

/** Sends bytes as the owner; answers the upload's id. */
async function upload(bytes: Uint8Array, name: string): Promise<string> {
  const headers = { 'upload-length': String(bytes.length), 'upload-metadata': named(name) }
  const created = await bed.tus('POST', createUpload.path, headers)
  const path = created.headers.get('location') as string
  const sent = await bed.tus('PATCH', path, { 'upload-offset': '0' }, bytes)
  expect(sent.status).toBe(204)
  return path.split('/').at(-1) as string
}

async function ask(endpoint: Endpoint, body: Record<string, unknown>): Promise<Reply> {
  for (;;) {
    const reply = await bed.owner.call(endpoint, { body })
    if (reply.body['key'] !== 'asset.busy') return reply
  }
}

const left = () => readdirSync(bed.app.config.paths.uploads)
const pem = (der: Uint8Array) =>
  `-----BEGIN CERTIFICATE-----\n${Buffer.from(der).toString('base64')}\n-----END CERTIFICATE-----\n`

describe('package inspector', () => {
  test('[TOOL-01] answers identity, manifest, signature, digests and entries, and keeps nothing', async () => {
    const reply = await ask(toolPackage, { upload: await upload(SETTINGS_APK, 'settings.apk') })
    expect(reply.body['code']).toBe(0)
    const data = reply.body['data'] as InspectedPackage
    expect(data).toMatchObject({
      kind: 'apk',
      package_name: 'io.appium.settings',
      file: {
        name: 'settings.apk',
        size: SETTINGS_APK.length,
        sha256: createHash('sha256').update(SETTINGS_APK).digest('hex'),
        sm3: createHash('sm3').update(SETTINGS_APK).digest('hex'),
      },
      manifest: { form: 'xml', cut: false },
    })
    expect(data.manifest?.text).toContain('package="io.appium.settings"')
    expect(data.entries.find(({ name }) => name === 'AndroidManifest.xml')?.size).toBeGreaterThan(100)
    expect(left()).toEqual([])
    expect(await bed.app.deps.meta.db.selectFrom('app_files').select('id').execute()).toEqual([])
  })

  test('what is no package is refused, and removed as well', async () => {
    const reply = await ask(toolPackage, { upload: await upload(Buffer.from('PK\x03\x04 hello'), 'x.apk') })
    expect(reply.body['key']).toMatch(/^asset\.(unreadable|unknown_kind)$/)
    expect(left()).toEqual([])
  })

  test('an upload of another account, an unknown and an incomplete one are refused', async () => {
    const id = await upload(Buffer.from('hello'), 'x.apk')
    const stolen = await bed.stranger.call(toolPackage, { body: { upload: id } })
    expect(stolen.body['key']).toBe('data.missing')
    expect((await ask(toolPackage, { upload: 'a'.repeat(32) })).body['key']).toBe('data.missing')
    expect((await ask(toolPackage, { upload: '../../etc/passwd' })).body['key']).toBe('input.invalid')
    const created = await bed.tus('POST', createUpload.path, { 'upload-length': '9', 'upload-metadata': named('y') })
    const half = (created.headers.get('location') as string).split('/').at(-1)
    expect((await ask(toolPackage, { upload: half })).body['key']).toBe('asset.incomplete')
    expect(left().filter((name) => name.startsWith(id))).not.toEqual([])
    await ask(toolPackage, { upload: id })
  })
})

describe('signatures and certificates', () => {
  test('[TOOL-01] of an APK: state, signers by scheme and the pairs of the signing block', async () => {
    const reply = await ask(toolSignature, { upload: await upload(SETTINGS_APK, 'settings.apk') })
    const data = reply.body['data'] as SignatureReading
    expect(data).toMatchObject({ form: 'apk', state: 'verified', private_keys: 0 })
    expect(data.groups[0]).toMatchObject({ kind: 'signer', name: expect.stringMatching(/^v\d/) })
    expect(data.groups[0]?.certificates[0]?.pem).toContain('BEGIN CERTIFICATE')
    expect(data.blocks.map(({ id }) => id)).toContain('0x7109871a')
  })

  test('of PEM and DER; a private key is counted, and no byte of it is answered', async () => {
    const { certificate } = makeSigner('tool')
    const secret = Buffer.from('this is a secret key').toString('base64')
    const text = `${pem(certificate)}-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----\n`
    const reply = await ask(toolSignature, { upload: await upload(Buffer.from(text), 'chain.pem') })
    expect(reply.body['data']).toMatchObject({ form: 'pem', private_keys: 1, state: null })
    expect(reply.text).not.toContain(secret)
    const plain = await ask(toolSignature, { upload: await upload(certificate, 'one.der') })
    expect((plain.body['data'] as SignatureReading).groups[0]?.certificates[0]?.sha256).toBe(
      createHash('sha256').update(certificate).digest('hex'),
    )
  })

  test.each([
    ['text', Buffer.from('no certificate here')],
    ['nothing but a header', Buffer.from('-----BEGIN CERTIFICATE-----\n')],
    ['a key store that ends', Buffer.from('feedfeed00000002ffffffff', 'hex')],
    ['a sequence of nothing', Buffer.from('3000', 'hex')],
    ['zeros', Buffer.alloc(4096)],
  ])('%s is refused and removed', async (_, bytes) => {
    const reply = await ask(toolSignature, { upload: await upload(bytes, 'x.cer') })
    expect(reply.body['key']).toMatch(/^(tool\.no_certificate|asset\.unreadable)$/)
    expect(left().length).toBeLessThanOrEqual(2)
  })
})

test('[TOOL-01] two packages are compared: identity, signer, entries and lines of the manifest', async () => {
  const [before, after] = [await upload(SETTINGS_APK, 'a.apk'), await upload(TEST_APK, 'b.apk')]
  expect((await ask(toolCompare, { before, after: before })).body['key']).toBe('input.invalid')
  const data = (await ask(toolCompare, { before, after })).body['data'] as PackageComparison
  expect(data.same_package).toBe(false)
  expect(data.identity.find(({ field }) => field === 'package')?.before).toBe('io.appium.settings')
  expect(data.entries.total).toBeGreaterThan(10)
  expect(data.manifest?.lines.some(({ sign }) => sign === '+')).toBe(true)
  const again = [await upload(SETTINGS_APK, 'a.apk'), await upload(SETTINGS_APK, 'b.apk')]
  const same = (await ask(toolCompare, { before: again[0], after: again[1] })).body['data'] as PackageComparison
  expect([same.same_package, same.same_signer, same.entries.total, same.identity]).toEqual([true, true, 0, []])
  expect(same.manifest?.lines).toEqual([])
})

describe('pattern tester', () => {
  const trial = async (question: Record<string, unknown>) => {
    const { body } = await ask(toolPattern, question)
    expect([body['code'], body['codemsg']]).toEqual([0, ''])
    return body['data'] as PatternTrial
  }

  test('[TOOL-01] finds spans and groups, and says where an expression is wrong', async () => {
    const found = await trial({ kind: 'pattern', expression: '(\\w+)@(\\w+)', text: 'mail a@b and c@d' })
    expect(found.matches.map(({ from, to, groups }) => [from, to, groups])).toEqual([
      [5, 8, ['a', 'b']],
      [13, 16, ['c', 'd']],
    ])
    expect((await trial({ kind: 'pattern', expression: 'a(', text: '' })).error).not.toBeNull()
    expect((await trial({ kind: 'pattern', expression: '(?=a)', text: 'a' })).error).not.toBeNull()
  })

  test('what ruins other matchers ends in time', async () => {
    const begin = Date.now()
    const found = await trial({ kind: 'pattern', expression: '^(a+)+$', text: `${'a'.repeat(16_000)}!` })
    expect(found.total).toBe(0)
    expect(Date.now() - begin).toBeLessThan(15_000)
    const long = await ask(toolPattern, { kind: 'pattern', expression: 'a', text: 'a'.repeat(16_385) })
    expect(long.body['key']).toBe('input.invalid')
  })

  test('words are found through their disguises', async () => {
    const found = await trial({ kind: 'words', words: ['赌博'], text: '拒绝赌-博和賭博' })
    expect(found.matches.map(({ form }) => form)).toEqual(['separators', 'traditional'])
  })
})

describe('phone check', () => {
  test('[DET-05] without an adb server the list says so, and a check is refused with the message', async () => {
    const list = await bed.owner.call(toolPhones)
    expect(list.body).toMatchObject({ adb: false, data: [] })
    const check = await bed.owner.call(toolPhoneCheck, { body: { serial: 'none' } })
    expect(check.body['key']).toBe('detection.no_phone')
  })

  test('[TOOL-01] a phone is looked at without a command that changes it', async () => {
    const phone = new SimulatedPhone({ serial: 'phone-1' })
    const server = await startAdbServer([phone])
    const earlier = bed.app.config.adb
    Object.assign(bed.app.config, { adb: { host: '127.0.0.1', port: server.port } })
    try {
      expect((await bed.owner.call(toolPhones)).body).toMatchObject({ adb: true, data: [{ serial: 'phone-1' }] })
      const check = await bed.owner.call(toolPhoneCheck, { body: { serial: 'phone-1' } })
      const { checks } = check.body['data'] as { checks: { name: string; state: string }[] }
      expect(checks.filter(({ state }) => state !== 'good')).toEqual([])
      expect(checks).toHaveLength(10)
      expect(phone.asked.filter((line) => /install|rm |am |input|grant|touch/.test(line))).toEqual([])
      const other = await bed.owner.call(toolPhoneCheck, { body: { serial: 'phone-1;reboot' } })
      expect(other.body['key']).toBe('input.invalid')
    } finally {
      Object.assign(bed.app.config, { adb: earlier })
      await server.close()
    }
  })
})
