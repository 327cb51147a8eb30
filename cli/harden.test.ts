import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { readApk } from '#engines/apk/read-apk.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { verifyApk } from '#engines/signing/verify-apk.ts'
import { method } from '#tests/support/code-body.ts'
import { apkBytes, type MadePackage } from '#tests/support/detect-package.ts'
import { readelfSays } from '#tests/support/readelf.ts'
import { writeZip } from '#tests/support/zip-writer.ts'
import { hardenCommand } from './harden.ts'
import { keyCommand } from './key.ts'

const NOW = Date.UTC(2026, 10, 25)
const env = { APPWARDEN_KEY_PASSWORD: 'store-secret' }
const LOG = 'Landroid/util/Log;->d(Ljava/lang/String;Ljava/lang/String;)I'
const MADE: MadePackage = {
  application: { name: '.Main', debuggable: true },
  classes: [
    { name: 'Lorg/maker/app/Main;', methods: [method('static run()V', (body) => void body.static(LOG, 'a', 'b'))] },
  ],
}
let root: string
let folder: string
let keyFile: string
let input: string
let out: string

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'harden-'))
  keyFile = join(root, 'release.p12')
  const made = ['new', keyFile, '--alias', 'release', '--name', 'CN=Maker', '--algorithm', 'ec']
  expect(keyCommand(made, env, NOW, () => {})).toBe(0)
})
beforeEach(() => {
  folder = mkdtempSync(join(root, 'one-'))
  input = join(folder, 'app.apk')
  out = join(folder, 'out.apk')
  writeFileSync(input, apkBytes(MADE))
})
afterAll(() => rmSync(root, { recursive: true }))

async function harden(...args: string[]): Promise<{ code: number; text: string }> {
  let text = ''
  const code = await hardenCommand(
    [input, '--out', out, ...args],
    env,
    () => NOW,
    'AppWarden test',
    (line) => {
      text += line
    },
  )
  return { code, text }
}

function policyFile(options: object, more: object = {}): string {
  const file = join(folder, 'policy.json')
  writeFileSync(
    file,
    JSON.stringify({ format: 'appwarden.reinforce-policy', version: 1, name: 'mine', options, ...more }),
  )
  return file
}

interface Written {
  bytes: { before: number; after: number }
  signed: { sha256: string } | null
  options: { option: string; state: string; applied: number; lines: { place: string; text: string }[] }[]
  notes: string[]
}

describe('[HARD-02] appwarden harden', () => {
  test('performs the policy, signs and verifies; every option is reported by class', async () => {
    const policy = policyFile({ log_removal: { on: true }, manifest_protection: { on: true } })
    const { code, text } = await harden('--policy', policy, '--key', keyFile, '--alias', 'release', '--format', 'json')
    expect(code).toBe(0)
    const report = JSON.parse(text) as Written
    expect(report.options.map(({ option, state, applied }) => [option, state, applied])).toEqual([
      ['log_removal', 'applied', 1],
      ['manifest_protection', 'applied', 3],
    ])
    expect(report.options[0]!.lines[0]).toMatchObject({ place: 'org.maker.app.Main', text: 'log calls removed' })
    const bytes = new Uint8Array(readFileSync(out))
    expect(report.bytes.after).toBe(bytes.length)
    const verified = verifyApk(bytes, {})
    expect([verified.verified, verified.certificates[0]!.fingerprints.sha256]).toEqual([true, report.signed!.sha256])
    expect(readApk(bytes).facts.debuggable?.value).toBe(false)
    expect(readdirSync(folder).sort()).toEqual(['app.apk', 'out.apk', 'policy.json'])
  })

  test('an option that this version does not have gives exit code 1 and is named', async () => {
    const { code, text } = await harden(
      '--policy',
      policyFile({ log_removal: { on: true }, process_protection: { on: true } }),
    )
    expect(code).toBe(1)
    expect(text).toMatch(/skipped +Process protection: this version does not have it/)
    expect(text).toContain('the package is not signed')
    expect(existsSync(out)).toBe(true)
  })

  test('methods that patterns choose are virtualised; without a pattern the policy is refused', async () => {
    const check = method('static check()V', (body) => void body.static(LOG, 'a', 'b'))
    const classes = [{ name: 'Lorg/maker/app/Main;', methods: [{ ...check, registers: 16 }] }]
    writeFileSync(input, apkBytes({ ...MADE, minSdk: 26, classes }))
    const { code, text } = await harden(
      '--policy',
      policyFile({ dex_vmp: { on: true, patterns: ['org.maker.**', 'org.absent.Pay'] } }),
    )
    expect(text).toMatch(/applied +Dex virtualization \(VMP\)\n +applied: methods virtualised: 1\n/)
    expect(text).toContain('the pattern org.absent.Pay matches no class or method')
    expect(text).toContain('proof on a device')
    expect(code).toBe(0)
    for (const patterns of [[], ['!org.maker.**']])
      expect(await harden('--policy', policyFile({ dex_vmp: { on: true, patterns } }))).toMatchObject({
        code: 2,
        text: expect.stringContaining('dex_vmp: patterns is missing'),
      })
  })

  test('without a policy file the usual options are performed', async () => {
    const { code, text } = await harden('--format', 'json')
    const { options } = JSON.parse(text) as Written
    expect(options.map(({ option }) => option)).toEqual([
      'log_removal',
      'anti_decompile',
      'zip_check',
      'manifest_protection',
    ])
    expect([code, options.map(({ state }) => state)]).toEqual([0, ['applied', 'partial', 'partial', 'applied']])
  })

  test('equal seeds give equal files', async () => {
    const seed = ['--seed', 'ab'.repeat(32)]
    await harden(...seed)
    const first = readFileSync(out)
    await harden(...seed)
    expect(Buffer.compare(readFileSync(out), first)).toBe(0)
  })

  test('scripts of the package are protected in the script worker', async () => {
    const script = "function greet(name) {\n  var text = 'hello ' + name\n  return text\n}\ngreet('x')\n"
    writeFileSync(input, apkBytes({ ...MADE, files: { 'assets/www/a.js': script, 'assets/www/b.js': 'not ( js' } }))
    const { code, text } = await harden(
      '--policy',
      policyFile({ js_protection: { on: true, strength: 'low' } }),
      '--format',
      'json',
    )
    const [option] = (JSON.parse(text) as Written).options
    expect([code, option!.state, option!.applied]).toEqual([0, 'applied', 1])
    expect(option!.lines.map(({ text: line }) => line.replace(/:.*/, ''))).toEqual([
      'protected, strength low',
      'the script keeps its original',
    ])
    const { zip } = readApk(new Uint8Array(readFileSync(out)))
    expect(zip.entries.map(({ name }) => name)).toContain('assets/www/a.js')
  })

  test('scripts of an Android library are protected; a key is refused, and the result reads as a library', async () => {
    const manifest = '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.maker.lib"/>'
    const script = "function greet(name) {\n  var text = 'hello ' + name\n  return text\n}\ngreet('x')\n"
    input = join(folder, 'lib.aar')
    out = join(folder, 'out.aar')
    writeFileSync(
      input,
      writeZip([
        { name: 'AndroidManifest.xml', data: manifest },
        { name: 'classes.jar', data: writeZip([{ name: 'org/maker/A.class', data: 'class' }]) },
        { name: 'assets/www/a.js', data: script },
      ]),
    )
    const policy = policyFile({ js_protection: { on: true, strength: 'low' } })
    const { code, text } = await harden('--policy', policy)
    expect(code).toBe(0)
    expect(text).toContain('the library is not signed: npx appwarden sign signs it')
    const { kind } = readPackage(new Uint8Array(readFileSync(out)), 'out.aar')
    expect(kind).toBe('aar')
    expect(readFileSync(out).equals(readFileSync(input))).toBe(false)
    const signed = await harden('--policy', policy, '--key', keyFile)
    expect([signed.code, signed.text]).toEqual([2, expect.stringContaining('--key does not apply to a library here')])
    const more = await harden(
      ...['--policy', policyFile({ js_protection: { on: true, strength: 'low' }, anti_decompile: { on: true } })],
    )
    expect(more.code).toBe(1)
    expect(more.text).toContain('this version does not do it in class files')
  })

  test.skipIf(spawnSync('gcc', ['--version']).status !== 0 || !existsSync('/usr/bin/readelf'))(
    'a native library alone is trimmed, and readelf finds it sound; options without anything to do give exit code 1',
    async () => {
      const source = join(folder, 'one.c')
      input = join(folder, 'libone.so')
      out = join(folder, 'out.so')
      writeFileSync(
        source,
        'static int hidden_helper(int n) { return n * 3; }\nint answer(void) { return hidden_helper(14); }\n',
      )
      execFileSync('gcc', ['-shared', '-fPIC', '-g', '-O0', '-o', input, source])
      const before = readelfSays(input)
      const { code, text } = await harden('--policy', policyFile({ so_protection: { on: true } }))
      expect([code, readelfSays(out)]).toEqual([0, before])
      expect(readFileSync(out).includes('hidden_helper')).toBe(false)
      expect(text).not.toContain('not signed')
      const more = await harden(
        ...['--policy', policyFile({ so_protection: { on: true }, manifest_protection: { on: true } })],
      )
      expect(more.code).toBe(1)
      expect(more.text).toMatch(/skipped: the file is a native library alone/)
      const signed = await harden('--key', keyFile)
      expect(signed.code).toBe(2)
      expect(signed.text).toContain('--key does not apply to a native library alone')
      writeFileSync(input, readFileSync(input).subarray(0, 300))
      const cut = await harden('--policy', policyFile({ so_protection: { on: true } }))
      expect(cut.code).toBe(2)
      expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
    },
  )

  test.each([
    [['--policy', 'missing.json'], /no such file/],
    [['--alias', 'release'], /--alias needs --key/],
    [['--seed', '12'], /64 hexadecimal digits/],
    [['--format', 'xml'], /Unknown format/],
    [['--unknown'], /Unknown option/],
  ])('%j is refused with exit code 2', async (args, message) => {
    const { code, text } = await harden(...args)
    expect([code, existsSync(out)]).toEqual([2, false])
    expect(text).toMatch(message)
  })

  test('a file that is no policy, a wrong password and a file that is no package are refused, and no file is left', async () => {
    const refused = async (args: string[], message: RegExp) => {
      const { code, text } = await harden(...args)
      expect([code, existsSync(out)]).toEqual([2, false])
      expect(text).toMatch(message)
    }
    await refused(['--policy', policyFile({ unknown_option: { on: true } })], /is no policy: options: .*unknown_option/)
    await refused(['--policy', policyFile({}, { version: 9 })], /is no policy: version/)
    await refused(['--policy', policyFile({ screenshot_prevention: { on: true } })], /patterns is missing/)
    writeFileSync(join(folder, 'broken.json'), '{')
    await refused(['--policy', join(folder, 'broken.json')], /is no JSON/)
    const wrong = await hardenCommand(
      [input, '--out', out, '--key', keyFile],
      { APPWARDEN_KEY_PASSWORD: 'x' },
      () => NOW,
      '',
      () => {},
    )
    expect(wrong).toBe(2)
    writeFileSync(input, 'no package')
    await refused([], /is not reinforced; these are: APK, AAB, AAR, JAR, SO/)
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([])
  })

  test('an output that would replace the key store is refused', async () => {
    let text = ''
    const code = await hardenCommand(
      [input, '--out', keyFile, '--key', keyFile],
      env,
      () => NOW,
      '',
      (line) => {
        text += line
      },
    )
    expect([code, text.includes('is a key store')]).toEqual([2, true])
  })
})
