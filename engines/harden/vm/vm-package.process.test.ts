import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { missingForHostRuntime } from '#tests/host-runtime/build-host-runtime.ts'
import { phoneApp, startOnPhone } from '#tests/host-runtime/reinforced-device.ts'
import { element } from '#tests/support/detect-package.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import { readZip } from '../../zip/read-zip.ts'
import { hardenApk } from '../harden-apk.ts'
import type { HardenRequest } from '../harden-request.ts'
import type { HardenLine } from '../hardening.ts'
import { readKeepRules } from '../keep-rules.ts'

const NO_HOST = missingForHostRuntime()
const DER = Buffer.from('the certificate of the maker')
const CERTIFICATE = createHash('sha256').update(DER).digest('hex')
let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'aw-vm-package-'))
  writeFileSync(join(folder, 'maker.der'), DER)
})
afterAll(() => rmSync(folder, { recursive: true }))

const app = (minSdk = 26, files: Record<string, string> = {}) =>
  phoneApp({
    ...{ minSdk, files },
    components: [element('provider', { name: '.Store', authorities: 'a' }), element('activity', { name: '.Main' })],
  })

async function harden(apk: Uint8Array, more: Partial<HardenRequest> = {}) {
  const request = { keep: readKeepRules(''), seed: Buffer.alloc(32, 7), virtualised: ['org.maker.**'] }
  const { pieces, lines, open } = await hardenApk(apk, 'made.apk', { ...request, ...more })
  return { apk: new Uint8Array(Buffer.concat(pieces)), lines, open }
}

/** Puts the libraries of this machine where an installer puts them. */
function installed(apk: Uint8Array): { folder: string; names: string[] } {
  const own = mkdtempSync(join(folder, 'lib-'))
  mkdirSync(own, { recursive: true })
  const zip = readZip(apk)
  const names = zip.entries.map(({ name }) => name).filter((name) => name.startsWith('lib/x86_64/'))
  for (const name of names) writeFileSync(join(own, basename(name)), entryBytes(zip, zip.byName.get(name)!))
  return { folder: own, names }
}

const said = (lines: readonly HardenLine[], text: string) =>
  lines.filter((line) => line.option === 'dex_vmp' && line.text === text).reduce((sum, line) => sum + line.count, 0)

describe.skipIf(NO_HOST)(
  `a package with virtualised methods${NO_HOST ? `: ${NO_HOST}` : ''}`,
  { timeout: 120_000 },
  () => {
    const start = (apk: Uint8Array, SDK_INT: string, nativeLibraries = '') => {
      const sourceDir = join(folder, 'base.apk')
      writeFileSync(sourceDir, apk)
      return startOnPhone(apk, {
        ...{ SDK_INT, sourceDir, activity: 'org.maker.app.Main', certificate: join(folder, 'maker.der') },
        ...(nativeLibraries && { nativeLibraries }),
      })
    }

    test.each([
      ['alone', {}],
      ['with hidden texts and opaque predicates', { antiDecompile: true }],
      ['inside of encrypted code', { dexProtection: true, certificate: CERTIFICATE }],
      [
        'with checks at run time',
        { checks: { anti_debugging: 'exit', integrity_check: 'exit' }, certificate: CERTIFICATE },
      ],
    ] as [string, Partial<HardenRequest>][])('[HARD-02] the app starts as before: %s', async (_, more) => {
      const source = app()
      const before = await start(source, '33')
      expect(before).toMatchObject({ exit: 0, stdout: expect.stringContaining('running') })
      const { apk, lines } = await harden(source, more)
      expect(said(lines, 'methods virtualised')).toBeGreaterThan(5)
      const { folder: libraries, names } = installed(apk)
      expect(names).toHaveLength(1)
      for (const SDK_INT of ['26', '28', '29', '33']) {
        const run = await start(apk, SDK_INT, libraries)
        if (run.exit !== 0) console.log(JSON.stringify(run).slice(0, 3000))
        expect({ SDK_INT, ...run }).toMatchObject({ SDK_INT, exit: 0, stdout: before.stdout })
      }
      expect((await start(apk, '33')).stdout).not.toBe(before.stdout)
    })

    test('the libraries are for the ABIs of the package and differ from build to build', async () => {
      const source = app(26, { 'lib/arm64-v8a/libown.so': 'a library', 'lib/armeabi-v7a/libown.so': 'a library' })
      const librariesOf = (apk: Uint8Array) => {
        const zip = readZip(apk)
        const added = zip.entries.filter(({ name }) => /^lib\//.test(name) && !name.endsWith('/libown.so'))
        return added.map((entry) => ({
          name: entry.name,
          method: entry.method,
          bytes: Buffer.from(entryBytes(zip, entry)),
        }))
      }
      const [one, same, other] = [
        librariesOf((await harden(source)).apk),
        librariesOf((await harden(source)).apk),
        librariesOf((await harden(source, { seed: Buffer.alloc(32, 8) })).apk),
      ]
      expect(one.map(({ name, method }) => [name.replace(/[a-z]{8}\.so$/, '.so'), method])).toEqual([
        ['lib/arm64-v8a/lib.so', 0],
        ['lib/armeabi-v7a/lib.so', 0],
      ])
      expect(same).toEqual(one)
      expect(one[0]!.bytes.equals(other[0]!.bytes)).toBe(false)
    })

    test('code that is no more readable is readable in the package for those who judge the result', async () => {
      const source = app()
      const { apk, open } = await harden(source)
      const dexOf = (bytes: Uint8Array) =>
        Buffer.from(entryBytes(readZip(bytes), readZip(bytes).byName.get('classes.dex')!))
      const text = Buffer.from('in its application')
      expect(dexOf(source).includes(text)).toBe(true)
      expect(dexOf(apk).includes(text)).toBe(false)
      expect(dexOf(Buffer.concat(open!())).includes(text)).toBe(true)
    })

    test('a pattern that matches nothing is named, one that takes out too', async () => {
      const { lines } = await harden(app(), {
        virtualised: ['org.maker.**', 'org.maker.app.Main.onCreate', 'org.other.**', '!org.maker.app.Absent'],
      })
      expect(said(lines, 'methods virtualised')).toBeGreaterThan(5)
      const text = 'the pattern {detail} matches no class or method'
      expect(lines.filter((line) => line.text === text).map(({ detail }) => detail)).toEqual([
        'org.other.**',
        '!org.maker.app.Absent',
      ])
    })

    test.each([
      ['an empty list', app(), { virtualised: [] }, 'the policy names no method: nothing is virtualised'],
      [
        'patterns that only take out',
        app(),
        { virtualised: ['!org.maker.**'] },
        'the policy names no method: nothing is virtualised',
      ],
      [
        'minSdkVersion below 26',
        app(24),
        {},
        'Android before 8.0 limits the references that an interpreter holds (minSdkVersion {detail})',
      ],
      [
        'libraries for x86',
        app(26, { 'lib/x86/libown.so': 'a' }),
        {},
        'the interpreter is not built for {detail}, which the package supports',
      ],
      ['nothing chosen', app(), { virtualised: ['org.other.**'] }, 'no chosen method can be virtualised'],
      [
        'kept classes',
        app(),
        { keep: readKeepRules('-keep class org.maker.**') },
        'no chosen method can be virtualised',
      ],
    ] as [string, Uint8Array, Partial<HardenRequest>, string][])(
      'a package is left with the reason: %s',
      async (_, source, more, reason) => {
        const { apk, lines, open } = await harden(source, more)
        expect(said(lines, reason)).toBe(1)
        expect(said(lines, 'methods virtualised')).toBe(0)
        expect(open).toBeUndefined()
        expect(readZip(apk).entries.map(({ name }) => name)).toEqual(readZip(source).entries.map(({ name }) => name))
      },
    )
  },
)
