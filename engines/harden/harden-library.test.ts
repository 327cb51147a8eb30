import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ClassPoolNumbers, two, writeClass } from '#tests/support/class-writer.ts'
import { writeElf } from '#tests/support/elf-writer.ts'
import { mutate, type WrittenEntry, writeZip } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readElf } from '../elf/read-elf.ts'
import { readPackage } from '../package/read-package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { hardenPackage } from './harden-package.ts'
import type { HardenRequest } from './harden-request.ts'
import { readKeepRules } from './keep-rules.ts'
import { removeClassLogs } from './remove-class-logs.ts'

const SOURCES = {
  'android/util/Log.java': `package android.util;
public class Log {
  static int say(String what) { System.out.println("LOG " + what); return 7; }
  public static int d(String tag, String what) { return say(what); }
  public static int e(String tag, String what, Throwable why) { return say(what); }
  public static int w(String tag, Throwable why) { return say("" + why); }
  public static int println(int level, String tag, String what) { return say(what); }
  public static boolean isLoggable(String tag, int level) { return true; }
}`,
  'org/maker/Main.java': `package org.maker;
import android.util.Log;
public class Main {
  static int calls;
  static String text() { calls++; return "text " + calls; }
  static int branches(int n) {
    int sum = n > 2 ? Log.d("t", text()) : Log.e("t", text(), null);
    for (int i = 0; i < n; i++) switch (i % 3) {
      case 0: Log.d("t", text()); sum += i; break;
      case 1: if (Log.isLoggable("t", i)) Log.println(i, "t", text()); sum += 2; break;
      default: try { throw new IllegalStateException(text()); } catch (RuntimeException why) { Log.w("t", why); } finally { Log.d("t", "end"); sum++; }
    }
    return sum;
  }
  public static void main(String[] args) { for (int n = 0; n < 9; n++) System.out.println(branches(n) + " " + calls); }
}`,
}

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
      'this version does not do it in class files',
      'a library becomes part of an application: the option is for that application',
    ]
    expect(Object.fromEntries(reasons)).toEqual({
      log_removal: 'the class file cannot be read: {detail}',
      ...{ anti_decompile: code, screenshot_prevention: code },
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

  test.skipIf(spawnSync('javac', ['-version']).status !== 0)(
    'log calls are removed from class files, which Java verifies and runs as before, without the logs',
    async () => {
      const folder = mkdtempSync(join(tmpdir(), 'aw-jar-'))
      const run = (jar: Uint8Array) => {
        writeFileSync(join(folder, 'a.jar'), jar)
        const options = ['-Xverify:all', '-cp', join(folder, 'a.jar'), 'org.maker.Main']
        return execFileSync('java', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).split('\n')
      }
      try {
        for (const [path, source] of Object.entries(SOURCES)) {
          mkdirSync(join(folder, dirname(path)), { recursive: true })
          writeFileSync(join(folder, path), source)
        }
        execFileSync('javac', ['-g', '-d', folder, ...Object.keys(SOURCES).map((path) => join(folder, path))])
        const classes = Object.keys(SOURCES).map((path) => path.replace('.java', '.class'))
        const jar = writeZip(classes.map((name) => ({ name, data: new Uint8Array(readFileSync(join(folder, name))) })))
        const before = run(jar)
        expect(before.filter((line) => line.startsWith('LOG'))).not.toEqual([])
        const all = await hardenPackage(jar, 'a.jar', { ...OFF, logLevels: ['v', 'd', 'i', 'w', 'e', 'println'] })
        // The two ways of n > 2 give the number of the log call, which is 0 then.
        const withZero = before
          .filter((line) => !line.startsWith('LOG'))
          .map((line) => line.replace(/^\d+/, (sum) => String(Number(sum) - 7)))
        expect(run(Buffer.concat(all.pieces))).toEqual(withZero)
        // Six in the source; javac writes the one of `finally` twice.
        expect(all.lines).toMatchObject([
          { outcome: 'applied', file: 'org/maker/Main.class', place: 'org.maker.Main', count: 7 },
          { outcome: 'absent', text: 'printing to System.out in class files' },
        ])
        const some = await hardenPackage(jar, 'a.jar', { ...OFF, logLevels: ['e'] })
        expect(run(Buffer.concat(some.pieces)).filter((line) => line === 'LOG text 1')).toEqual([])
        expect(run(Buffer.concat(some.pieces)).filter((line) => line.startsWith('LOG')).length).toBeGreaterThan(5)
        const kept = { ...OFF, keep: readKeepRules('-keep class org.maker.**'), logLevels: ['d' as const] }
        const { pieces, lines } = await hardenPackage(jar, 'a.jar', kept)
        expect(run(Buffer.concat(pieces))).toEqual(before)
        expect(lines).toMatchObject([{ outcome: 'skipped', count: 1 }])
        const { result } = await harden(aar({ 'classes.jar': jar }), { logLevels: ['d', 'e', 'w', 'println'] })
        const inner = readZip(result)
        expect(run(entryBytes(inner, inner.byName.get('classes.jar')!))).toEqual(withZero)
      } finally {
        rmSync(folder, { recursive: true, force: true })
      }
    },
  )

  test('a class file that cannot be read stays, with the reason, and other code of the same name as Log is no log', async () => {
    const log = (owner: string) => ({
      name: `org/maker/${owner.replace('/', '')}`,
      methods: [
        {
          name: 'run()V',
          flags: 9,
          code: (x: ClassPoolNumbers) => [
            ...[0x12, x.string('a'), 0x12, x.string('b')],
            ...[0xb8, ...two(x.method(`${owner}->d(Ljava/lang/String;Ljava/lang/String;)I`)), 0x57, 0xb1],
          ],
        },
      ],
    })
    const jar = writeZip([
      { name: 'A.class', data: writeClass(log('android/util/Log')) },
      { name: 'B.class', data: writeClass(log('org/other/Log')) },
      { name: 'C.class', data: 'no class' },
    ])
    const { pieces, lines } = await hardenPackage(jar, 'a.jar', { ...OFF, logLevels: ['d'] })
    const zip = readZip(new Uint8Array(Buffer.concat(pieces)))
    const before = readZip(jar)
    expect(zip.entries.map(({ crc32 }, i) => crc32 === before.entries[i]!.crc32)).toEqual([false, true, true])
    expect(lines.map(({ file, outcome, text }) => `${file} ${outcome}: ${text}`)).toEqual([
      'A.class applied: log calls removed',
      'C.class skipped: the class file cannot be read: {detail}',
    ])
  })

  test('an archive with two entries of one name is refused, inside of an AAR too', async () => {
    const twice = writeZip([
      { name: 'A.class', data: 'a' },
      { name: 'A.class', data: 'b' },
    ])
    await expect(hardenPackage(twice, 'a.jar', OFF)).rejects.toMatchObject({ format: 'signing', key: 'archive' })
    await expect(harden(aar({ 'classes.jar': twice }), {})).rejects.toMatchObject({ key: 'archive' })
  })

  test('of a signature nothing is left, and a run that is late is refused', async () => {
    const signature = { 'META-INF/MANIFEST.MF': 'x', 'META-INF/A.SF': 'x', 'META-INF/A.RSA': 'x' }
    const { zip } = await harden(aar({ ...signature, 'META-INF/services/a.B': 'x' }), {})
    expect(zip.entries.map(({ name }) => name).filter((name) => name.startsWith('META-INF/'))).toEqual([
      'META-INF/services/a.B',
    ])
    await expect(harden(aar(), { isLate: () => true })).rejects.toThrow('longer than the limit')
  })

  test('a class file with any bytes changed gives a result of the same size or a refusal', () => {
    const levels = new Set(['d'] as const)
    const bytes = writeClass({
      name: 'org/maker/A',
      methods: [
        {
          name: 'run()V',
          flags: 9,
          tries: [[0, 7, 8]],
          code: (x: ClassPoolNumbers) => [
            ...[0x12, x.string('a'), 0x12, x.string('b')],
            ...[0xb8, ...two(x.method('android/util/Log->d(Ljava/lang/String;Ljava/lang/String;)I')), 0x57, 0xb1],
          ],
        },
      ],
    })
    expect(removeClassLogs(bytes, levels)?.removed).toBe(1)
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 6 }),
        fc.oneof(fc.constant(0), fc.nat(bytes.length - 1)),
        (changes, cut) => {
          const changed = mutate(bytes, changes, cut)
          try {
            const result = removeClassLogs(changed, levels)
            if (result) expect(result.bytes.length).toBe(changed.length)
          } catch (error) {
            if (!(error instanceof FormatError)) throw error
          }
        },
      ),
      { numRuns: 2000 },
    )
  })

  test('hostile bytes give a result or a refusal', async () => {
    const bytes = aar({ 'assets/www/a.js': 'var a = 1', 'jni/arm64-v8a/libown.so': LIBRARY })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.option(fc.nat(bytes.length - 1), { nil: bytes.length }),
        async (changes, cut) => {
          try {
            await hardenPackage(mutate(bytes, changes, cut), NAME, {
              ...{ ...OFF, soProtection: true, protectScript, logLevels: ['d'] },
            })
          } catch (error) {
            if (!(error instanceof FormatError)) throw error
          }
        },
      ),
      { numRuns: 200 },
    )
  })
})
