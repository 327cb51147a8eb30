import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterAll, describe, expect, test } from 'vitest'
import { writeElf } from '#tests/support/elf-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readElf } from './read-elf.ts'
import { trimElf } from './trim-elf.ts'

const folder = mkdtempSync(join(tmpdir(), 'trim-elf-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** All that a loader goes by. */
const loaded = (bytes: Uint8Array) => {
  const { segments, needed, soname, imports, exports, buildId, notes } = readElf(bytes)
  return { segments, needed, soname, imports, exports, buildId, notes }
}

const keyOf = (bytes: Uint8Array): string | undefined => {
  try {
    trimElf(bytes)
    return undefined
  } catch (error) {
    if (error instanceof FormatError) return error.key
    throw error
  }
}

const hasCompiler = spawnSync('gcc', ['--version']).status === 0

describe.skipIf(!hasCompiler)('a library that a compiler wrote', () => {
  const compiled = (...flags: string[]): Uint8Array => {
    const source = join(folder, 'one.c')
    const library = join(folder, 'one.so')
    writeFileSync(
      source,
      'static int secret_helper(int n) { return n * 3; }\nint answer(void) { return secret_helper(14); }\n',
    )
    execFileSync('gcc', ['-shared', '-fPIC', '-g', '-O0', ...flags, '-o', library, source])
    return new Uint8Array(readFileSync(library))
  }

  test('loses symbols, debug information and comments, and is loaded and run as before', () => {
    const before = compiled()
    const { bytes, removed } = trimElf(before)!
    expect(removed).toEqual(expect.arrayContaining(['.symtab', '.strtab', '.debug_info', '.comment']))
    expect(loaded(bytes)).toEqual(loaded(before))
    expect(Buffer.from(before).includes('secret_helper')).toBe(true)
    expect(Buffer.from(bytes).includes('secret_helper')).toBe(false)
    expect(bytes.length).toBeLessThan(before.length)
    expect(trimElf(bytes)).toBeUndefined()
    const library = join(folder, 'trimmed.so')
    const program = join(folder, 'main')
    const source = join(folder, 'main.c')
    writeFileSync(library, bytes)
    writeFileSync(
      source,
      '#include <dlfcn.h>\nint main(int n, char **a) { void *l = dlopen(a[1], RTLD_NOW); int (*f)(void) = l ? (int (*)(void))dlsym(l, "answer") : 0; return f ? f() : 1; }\n',
    )
    execFileSync('gcc', ['-o', program, source, '-ldl'])
    expect(spawnSync(program, [library]).status).toBe(42)
  })

  test.skipIf(!existsSync('/usr/bin/readelf'))(
    'has a section table that readelf finds sound, with a row for .dynamic that fits its segment',
    () => {
      const { bytes } = trimElf(compiled())!
      const library = join(folder, 'read.so')
      writeFileSync(library, bytes)
      const { stdout, stderr } = spawnSync('readelf', ['-W', '-S', '-l', '--dyn-syms', library], { encoding: 'utf8' })
      expect(stderr).toBe('')
      const [, section] = /\.dynamic +DYNAMIC +[0-9a-f]+ ([0-9a-f]+)/.exec(stdout)!
      const [, segment] = /^ +DYNAMIC +0x([0-9a-f]+)/m.exec(stdout)!
      expect(Number.parseInt(section!, 16)).toBe(Number.parseInt(segment!, 16))
      expect(stdout).toMatch(/FUNC +GLOBAL +DEFAULT +\d+ answer/)
    },
  )

  test.each([0x7fff_ffff, 2 ** 52])(
    'with a segment that claims %d bytes of the file is refused, and takes no memory for them',
    (fileSize) => {
      const bytes = compiled()
      const view = new DataView(bytes.buffer, bytes.byteOffset)
      view.setBigUint64(Number(view.getBigUint64(32, true)) + 32, BigInt(fileSize), true)
      // Sections to remove of no size lie between no mapped ones.
      const [table, count] = [Number(view.getBigUint64(40, true)), view.getUint16(60, true)]
      for (let at = table; at < table + 64 * count; at += 64)
        if (!(view.getUint32(at + 8, true) & 2)) view.setBigUint64(at + 32, 0n, true)
      expect(keyOf(bytes)).toBe('layout')
    },
  )

  test.each([
    ['a hash table that claims more symbols than are mapped', '.gnu.hash', 0, 0x7f],
    // The entry of the string table is the eighth of .dynamic; its second byte moves the table over the header of the file.
    ['a string table that lies over the header', '.dynamic', 7 * 16 + 9, 0],
  ])('with %s is refused, since it would read otherwise afterwards', (_, section, at, value) => {
    const bytes = compiled()
    bytes[readElf(bytes).sections.find(({ name }) => name === section)!.fileOffset + at] = value
    expect(keyOf(bytes)).toBe('layout')
  })

  test('whatever is changed, the result says the same to a loader or a FormatError is thrown', () => {
    const before = compiled()
    const change = fc.tuple(fc.oneof(fc.nat(63), fc.nat(before.length - 1)), fc.constantFrom(0, 1, 2, 0x7f, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 5 }), (changes) => {
        const bytes = mutate(before, changes, 0)
        try {
          const trimmed = trimElf(bytes)
          if (trimmed) expect(loaded(trimmed.bytes)).toEqual(loaded(bytes))
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
        }
      }),
      { numRuns: 300 },
    )
  })
})

test('what is no shared library, has no section table or an odd one is refused', () => {
  expect(keyOf(new Uint8Array(100))).toBe('magic')
  expect(keyOf(writeElf({ type: 2 }))).toBe('kind')
  expect(keyOf(writeElf({ littleEndian: false }))).toBe('kind')
  expect(keyOf(writeElf())).toBe('layout')
  expect(trimElf(writeElf({ sections: { '.text': new Uint8Array(8) } }))).toBeUndefined()
})
