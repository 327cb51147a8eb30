import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { verifyJar } from '#engines/signing/verify-jar.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { buildApk } from '#tests/support/apk/signed-apk.ts'
import { writeAxml } from '#tests/support/resource-writer.ts'
import { channelsCommand } from './channels.ts'
import { keyCommand } from './key.ts'
import { signCommand } from './sign.ts'

const NOW = Date.UTC(2026, 10, 25)
const env = { APPWARDEN_KEY_PASSWORD: 'store-secret' }
let root: string
let folder: string
let keyFile: string
let input: string

const manifest = (minSdk: number) =>
  writeAxml({
    name: 'manifest',
    children: [{ name: 'uses-sdk', attributes: [{ name: 'minSdkVersion', id: 0x0101020c, value: [0x10, minSdk] }] }],
  })

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'sign-'))
  keyFile = join(root, 'release.p12')
  expect(key('new', keyFile, '--alias', 'release', '--name', 'CN=Maker, O=示例银行', '--algorithm', 'ec').code).toBe(0)
})
beforeEach(() => {
  folder = mkdtempSync(join(root, 'one-'))
  input = join(folder, 'app.apk')
  writeFileSync(input, buildApk({ 'AndroidManifest.xml': manifest(21), 'classes.dex': Buffer.from('code') }))
})
afterAll(() => rmSync(root, { recursive: true }))

function printed(run: (print: (text: string) => void) => number) {
  let text = ''
  const code = run((line) => {
    text += line
  })
  return { code, text }
}
async function sign(args: readonly string[], environment: Record<string, string> = env) {
  let text = ''
  const code = await signCommand(args, environment, NOW, 'AppWarden test', (line) => {
    text += line
  })
  return { code, text }
}
function key(...args: string[]) {
  return printed((print) => keyCommand(args, env, NOW, print))
}
const channels = (...args: string[]) => printed((print) => channelsCommand(args, print))
const out = () => join(folder, 'out.apk')

describe('sign', () => {
  test('signs, verifies and renames: nothing else is left in the folder', async () => {
    const { code, text } = await sign([input, '--out', out(), '--key', keyFile, '--alias', 'RELEASE'])
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/^signed .*out\.apk\n[\s\S]*v1, v2, v3, verified\n.*CN=Maker/),
    ])
    expect(readdirSync(folder).sort()).toEqual(['app.apk', 'out.apk'])
    expect(verifyApk(readFileSync(out()))).toMatchObject({
      verified: true,
      certificates: [{ subject: 'CN=Maker, O=示例银行' }],
    })
  })

  test('gives the same as JSON, names what it took out, and writes v4 beside the package', async () => {
    await sign([input, '--out', out(), '--key', keyFile])
    const again = await sign([
      out(),
      '--out',
      out(),
      '--key',
      keyFile,
      '--scheme',
      'v2,v3,v4',
      '--min-sdk',
      '24',
      '--format',
      'json',
    ])
    expect(JSON.parse(again.text)).toMatchObject({
      schemes: ['v2', 'v3', 'v4'],
      minSdk: 24,
      removed: {
        files: ['META-INF/MANIFEST.MF', 'META-INF/RELEASE.SF', 'META-INF/RELEASE.EC'],
        blocks: ['0x7109871a', '0xf05368c0'],
        sourceStamp: false,
      },
      skipped: [],
    })
    const idsig = readFileSync(`${out()}.idsig`)
    expect(verifyApk(readFileSync(out()), { minSdk: 24, idsig }).schemes.v4.verified).toBe(true)
    const last = await sign([out(), '--out', out(), '--key', keyFile, '--min-sdk', '24'])
    expect([last.code, last.text, existsSync(`${out()}.idsig`)]).toEqual([
      0,
      expect.stringContaining('.idsig belonged'),
      false,
    ])
  })

  test('a key store is never replaced by an output, whatever it is called', async () => {
    const copy = join(folder, 'copy.p12')
    const linked = join(folder, 'linked.p12')
    const before = readFileSync(keyFile)
    writeFileSync(copy, before)
    symlinkSync(copy, linked)
    for (const args of [
      ['--out', copy, '--key', copy],
      ['--out', linked, '--key', copy],
      ['--out', out(), '--key', keyFile, '--old-key', copy, '--lineage-out', copy],
      ['--out', copy, '--key', keyFile, '--cert', copy],
    ])
      expect(await sign([input, ...args])).toEqual({
        code: 2,
        text: expect.stringContaining('that this command reads'),
      })
    expect(readFileSync(copy).equals(before)).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['app.apk', 'copy.p12', 'linked.p12'])
  })

  test('a file that is no key store by its size is not read', async () => {
    const large = join(folder, 'large.p12')
    writeFileSync(large, '')
    truncateSync(large, 8 * 2 ** 20 + 1)
    expect(await sign([input, '--out', out(), '--key', large])).toEqual({
      code: 2,
      text: expect.stringContaining('has more than 8 MB'),
    })
    expect(key('check', large).text).toContain('has more than 8 MB')
  })

  test('what no Android of the asked versions would take is refused, and no file comes into being', async () => {
    const { code, text } = await sign([input, '--out', out(), '--key', keyFile, '--scheme', 'v2'])
    expect([code, text]).toEqual([2, expect.stringContaining('does not verify: JAR_SIG_NO_')])
    expect(readdirSync(folder)).toEqual(['app.apk'])
    writeFileSync(input, buildApk({ 'AndroidManifest.xml': manifest(16) }))
    expect((await sign([input, '--out', out(), '--key', keyFile])).text).toContain('knows no EC keys')
    expect(readdirSync(folder)).toEqual(['app.apk'])
  })

  test('a bundle takes a JAR signature; other schemes that were asked for are skipped with exit code 1', async () => {
    const bundle = join(folder, 'app.aab')
    writeFileSync(
      bundle,
      buildApk({ 'BundleConfig.pb': Buffer.from([10, 0]), 'base/manifest/AndroidManifest.xml': Buffer.from([1]) }),
    )
    const signed = join(folder, 'signed.aab')
    expect((await sign([bundle, '--out', signed, '--key', keyFile])).code).toBe(0)
    expect(verifyJar(readZip(readFileSync(signed))).state).toBe('verified')
    const asked = await sign([bundle, '--out', signed, '--key', keyFile, '--scheme', 'v1,v2'])
    expect([asked.code, asked.text]).toEqual([1, expect.stringMatching(/skipped +v2: a bundle/)])
    expect((await sign([bundle, '--out', signed, '--key', keyFile, '--scheme', 'v2'])).code).toBe(2)
  })

  test('a newer key takes the place of an older one, with a lineage that is kept and used again', async () => {
    const newer = join(folder, 'newer.p12')
    const lineage = join(folder, 'lineage')
    key('new', newer, '--alias', 'newer', '--name', 'CN=Newer', '--algorithm', 'ec')
    const given = [input, '--out', out(), '--key', newer, '--old-key', keyFile]
    const { code, text } = await sign([...given, '--lineage-out', lineage])
    expect([code, text]).toEqual([0, expect.stringContaining('CN=Maker, O=示例银行 -> CN=Newer, from version 33 on')])
    const signedBy = (minSdk: number, maxSdk: number) =>
      verifyApk(readFileSync(out()), { minSdk, maxSdk }).certificates[0]?.subject
    expect([signedBy(24, 32), signedBy(33, 35)]).toEqual(['CN=Maker, O=示例银行', 'CN=Newer'])
    const again = await sign([...given, '--lineage', lineage, '--rotation-min-sdk', '28', '--format', 'json'])
    expect(JSON.parse(again.text)).toMatchObject({
      rotation: { minSdk: 28, lineage: ['CN=Maker, O=示例银行', 'CN=Newer'] },
    })
    expect([signedBy(24, 27), signedBy(28, 32)]).toEqual(['CN=Maker, O=示例银行', 'CN=Newer'])
    expect((await sign([input, '--out', out(), '--key', newer, '--lineage', lineage])).text).toContain(
      '--lineage needs --old-key',
    )
    expect((await sign([...given, '--rotation-min-sdk', '27'])).text).toContain('from version 28 on at the earliest')
    const third = join(folder, 'third.p12')
    key('new', third, '--alias', 'third', '--name', 'CN=Third', '--algorithm', 'ec')
    expect(
      (await sign([input, '--out', out(), '--key', third, '--old-key', keyFile, '--lineage', lineage])).text,
    ).toContain('does not end with the older key')
    const both = ['--old-key', keyFile, '--old-key', newer, '--lineage', lineage, '--format', 'json']
    expect(JSON.parse((await sign([input, '--out', out(), '--key', third, ...both])).text)).toMatchObject({
      rotation: { lineage: ['CN=Maker, O=示例银行', 'CN=Newer', 'CN=Third'] },
    })
  })

  test('answers 2 for what it cannot read or do, and says which password or alias is wrong', async () => {
    const given = [input, '--out', out(), '--key', keyFile]
    for (const args of [
      [],
      [input],
      [...given, '--scheme', 'v5'],
      [...given, '--min-sdk', 'x'],
      [...given, '--format', 'xml'],
      [...given, '--wrong'],
      [join(folder, 'none.apk'), '--out', out(), '--key', keyFile],
      [keyFile, '--out', out(), '--key', keyFile],
      [input, '--out', join(folder, 'no/folder.apk'), '--key', keyFile],
    ])
      expect([args, (await sign(args)).code]).toEqual([args, 2])
    expect((await sign(given, {})).text).toContain('APPWARDEN_KEY_PASSWORD is not set')
    expect((await sign(given, { APPWARDEN_KEY_PASSWORD: 'wrong' })).text).toContain('store password is wrong')
    expect((await sign(given, { ...env, APPWARDEN_KEY_ALIAS_PASSWORD: 'wrong' })).text).toContain(
      'key password is wrong',
    )
    expect((await sign([...given, '--alias', 'other'])).text).toContain(
      'no key "other" in the key store, which has "release"',
    )
    expect(readdirSync(folder)).toEqual(['app.apk'])
  })
})

describe('key', () => {
  test('makes a key store that only its owner reads, never over another file, and says what is in it', () => {
    expect(statSync(keyFile).mode & 0o777).toBe(0o600)
    expect(key('new', keyFile, '--alias', 'x', '--name', 'CN=x')).toMatchObject({
      code: 2,
      text: expect.stringContaining('exists'),
    })
    const { code, text } = key('check', keyFile)
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/alias +release\nsigner +CN=Maker, O=示例银行\nkey +EC 256\n/),
    ])
  })

  test('writes the same key in each format', async () => {
    for (const type of ['jks', 'bks', 'pem', 'pkcs12']) {
      const file = join(folder, `key.${type}`)
      expect(key('convert', keyFile, file, '--type', type).code).toBe(0)
      expect((await sign([input, '--out', out(), '--key', file])).code).toBe(0)
    }
  })

  test('answers 2 for what it cannot do', () => {
    for (const args of [
      [],
      ['old', keyFile],
      ['new', join(folder, 'a')],
      ['new', join(folder, 'a'), '--alias', 'a'],
      ['new', join(folder, 'a'), '--alias', 'a', '--name', 'nothing'],
      ['new', join(folder, 'a'), '--alias', 'a', '--name', 'CN=a', '--bits', '100'],
      ['new', join(folder, 'a'), '--alias', 'a', '--name', 'CN=a', '--type', 'zip'],
      ['new', join(folder, 'a'), '--alias', 'a', '--name', 'CN=a', '--algorithm', 'sm2'],
      ['new', join(folder, 'a'), '--alias', 'a', '--name', 'CN=a', '--days', '0'],
      ['check', join(folder, 'none')],
    ])
      expect([args, key(...args).code]).toEqual([args, 2])
    expect(readdirSync(folder)).toEqual(['app.apk'])
  })
})

describe('channels', () => {
  const listOf = (text: string): string => {
    const file = join(folder, 'list.txt')
    writeFileSync(file, text)
    return file
  }

  test('[HARD-07] writes a verified package for each channel, without a new signature', async () => {
    await sign([input, '--out', out(), '--key', keyFile])
    const target = join(folder, 'channels')
    const { code, text } = channels(
      out(),
      '--list',
      listOf('store_hw:华为,store_xm:小米\nweb:官网\na:1,b:2'),
      '--out',
      target,
    )
    expect([code, text]).toEqual([
      0,
      expect.stringMatching(/5 packages of 3 groups[\s\S]*the tail of each, 3 as a whole/),
    ])
    expect(readdirSync(target).sort()).toEqual(['a', 'b', 'store_hw', 'store_xm', 'web'].map((one) => `out-${one}.apk`))
    for (const name of readdirSync(target)) expect(verifyApk(readFileSync(join(target, name))).verified).toBe(true)
  })

  test('wrong lines refuse the whole list, or are skipped with exit code 1 where that is asked for', async () => {
    await sign([input, '--out', out(), '--key', keyFile])
    const target = join(folder, 'channels')
    const list = listOf('a:1,b 2\nc:3')
    expect(channels(out(), '--list', list, '--out', target)).toMatchObject({
      code: 2,
      text: expect.stringContaining('line 1, item 2'),
    })
    expect(existsSync(target)).toBe(false)
    const some = channels(out(), '--list', list, '--out', target, '--skip-errors', '--format', 'json')
    expect([some.code, readdirSync(target).sort()]).toEqual([1, ['out-a.apk', 'out-c.apk']])
    expect(JSON.parse(some.text)).toMatchObject({ place: 'block', skipped: [expect.stringContaining('no colon')] })
  })

  test('a package that is not signed is refused, and so is what is no list', () => {
    const list = listOf('a:1')
    expect(channels(input, '--list', list, '--out', folder)).toMatchObject({
      code: 2,
      text: expect.stringContaining('not signed'),
    })
    for (const args of [[], [input], [input, '--list', list], [input, '--list', keyFile, '--out', folder]])
      expect(channels(...args).code).toBe(2)
    expect(readdirSync(folder).sort()).toEqual(['app.apk', 'list.txt'])
  })
})
