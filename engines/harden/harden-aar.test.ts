import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeElf } from '#tests/support/elf-writer.ts'
import { mutate, type WrittenEntry, writeZip } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readElf } from '../elf/read-elf.ts'
import { readPackage } from '../package/read-package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import type { HardenRequest } from './harden-apk.ts'
import { hardenPackage } from './harden-package.ts'
import { readKeepRules } from './keep-rules.ts'

const OFF: HardenRequest = { keep: readKeepRules(''), seed: new Uint8Array(32) }
const NAME = 'lib.aar'
const LIBRARY = writeElf({ machine: 183, soname: 'libown.so', needed: ['liblog.so'], exports: ['answer'] })
const entriesOf = (files: Record<string, string | Uint8Array>): WrittenEntry[] =>
  Object.entries({
    'classes.jar': writeZip([{ name: 'org/maker/A.class', data: 'class' }]),
    'AndroidManifest.xml':
      '<manifest xmlns:android="http://schemas.android.com/apk/res/android" package="org.maker.lib"/>',
    'R.txt': '',
    ...files,
  }).map(([name, data]) => ({ name, data, deflate: !name.endsWith('.so') }))
const aar = (files: Record<string, string | Uint8Array> = {}) => writeZip(entriesOf(files))
const harden = async (bytes: Uint8Array, request: Partial<HardenRequest>) => {
  const { pieces, size, lines } = await hardenPackage(bytes, NAME, { ...OFF, ...request })
  const result = new Uint8Array(Buffer.concat(pieces))
  expect(size).toBe(result.length)
  return { result, zip: readZip(result), lines }
}
const protectScript: HardenRequest['protectScript'] = async (_, path) => ({
  ...{ code: `/* ${path} */`, map: null, strength: 'low', tokens: 1, warnings: [], leftOut: [] },
})

describe('[HARD-02] an Android library', () => {
  test('scripts are protected; every other entry keeps its place and its packed bytes, and the result reads as a library', async () => {
    const bytes = aar({ 'assets/www/a.js': 'var a = 1', 'assets/b.txt': 'b', 'jni/arm64-v8a/libown.so': LIBRARY })
    const { result, zip, lines } = await harden(bytes, { protectScript })
    const before = readZip(bytes)
    expect(zip.entries.map(({ name }) => name)).toEqual(before.entries.map(({ name }) => name))
    for (const { name, compressedSize, crc32 } of before.entries) {
      const after = zip.byName.get(name)!
      if (name === 'assets/www/a.js')
        expect(Buffer.from(entryBytes(zip, after)).toString()).toBe('/* assets/www/a.js */')
      else expect([after.compressedSize, after.crc32]).toEqual([compressedSize, crc32])
    }
    expect(lines).toMatchObject([{ option: 'js_protection', outcome: 'applied', file: 'assets/www/a.js' }])
    expect(readPackage(result, NAME).kind).toBe('aar')
  })

  test('every option without anything to do in a library says so, with one reason for code and one for all others', async () => {
    const { result, lines } = await harden(aar(), {
      ...{ logLevels: ['d'], antiDecompile: true, screens: ['**'], manifest: true, zipCheck: true, antiHijack: true },
      ...{ dexProtection: true, soProtection: true, thirdPartySoBan: [], protectScript },
      checks: { anti_debugging: 'exit' },
    })
    expect(Buffer.from(result).equals(Buffer.from((await harden(aar(), {})).result))).toBe(true)
    const reasons = new Map(lines.map(({ option, text }) => [option, text]))
    expect(lines.every(({ outcome }) => outcome === 'skipped')).toBe(true)
    const [code, application] = [
      'the class files of an AAR are not changed by this version',
      'an AAR becomes part of an application: the option is for that application',
    ]
    expect(Object.fromEntries(reasons)).toEqual({
      ...{ log_removal: code, anti_decompile: code, screenshot_prevention: code },
      ...{ manifest_protection: application, zip_check: application, anti_hijack: application },
      ...{ dex_protection: application, anti_debugging: application },
      so_protection: 'the package has no native library',
      third_party_so_ban: 'the package has no library of others that is known or named',
      js_protection: 'the package has no scripts',
    })
  })

  test.skipIf(spawnSync('gcc', ['--version']).status !== 0)(
    'native libraries are trimmed, except those that the policy names',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'aw-aar-'))
      try {
        writeFileSync(
          join(folder, 'a.c'),
          'static int helper(int n) { return n * 3; }\nint answer(void) { return helper(14); }\n',
        )
        execFileSync('gcc', ['-shared', '-fPIC', '-g', '-O0', '-o', join(folder, 'a.so'), join(folder, 'a.c')])
        const made = new Uint8Array(readFileSync(join(folder, 'a.so')))
        const bytes = aar({ 'jni/x86_64/libone.so': made, 'jni/x86_64/libtwo.so': made })
        const { zip } = await harden(bytes, { soProtection: true, thirdPartySoBan: ['libtwo.so'] })
        const [one, two] = ['one', 'two'].map((name) => entryBytes(zip, zip.byName.get(`jni/x86_64/lib${name}.so`)!))
        expect(one!.length).toBeLessThan(made.length)
        expect(readElf(one!).sections.some(({ name }) => name === '.symtab' || name.startsWith('.debug'))).toBe(false)
        expect(Buffer.from(two!).equals(Buffer.from(made))).toBe(true)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )

  test('of a signature nothing is left, and a run that is late is refused', async () => {
    const signature = { 'META-INF/MANIFEST.MF': 'x', 'META-INF/A.SF': 'x', 'META-INF/A.RSA': 'x' }
    const { zip } = await harden(aar({ ...signature, 'META-INF/services/a.B': 'x' }), {})
    expect(zip.entries.map(({ name }) => name).filter((name) => name.startsWith('META-INF/'))).toEqual([
      'META-INF/services/a.B',
    ])
    await expect(harden(aar(), { isLate: () => true })).rejects.toThrow('longer than the limit')
  })

  test('hostile bytes give a result or a refusal', async () => {
    const bytes = aar({ 'assets/www/a.js': 'var a = 1', 'jni/arm64-v8a/libown.so': LIBRARY })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.option(fc.nat(bytes.length - 1), { nil: bytes.length }),
        async (changes, cut) => {
          try {
            await hardenPackage(mutate(bytes, changes, cut), NAME, { ...OFF, soProtection: true, protectScript })
          } catch (error) {
            if (!(error instanceof FormatError)) throw error
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
