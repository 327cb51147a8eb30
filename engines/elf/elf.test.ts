import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeElf } from '#tests/support/elf-writer.ts'
import { readelfSays } from '#tests/support/readelf.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { ElfFacts } from './elf-facts.ts'
import { elfTexts } from './elf-texts.ts'
import { readElf } from './read-elf.ts'

const names = (symbols: readonly { readonly name: string }[]) => symbols.map(({ name }) => name)

describe('what a library says of itself', () => {
  test.each([
    [64, true, 183, 'aarch64', 'arm64-v8a'],
    [32, true, 40, 'arm', 'armeabi-v7a'],
    [32, true, 3, 'x86', 'x86'],
    [64, true, 62, 'x86_64', 'x86_64'],
    [32, false, 8, 'mips', null],
    [64, false, 21, 'ppc64', null],
    [64, true, 777, '777', null],
  ] as const)('%i bits, little-endian %s, machine %i', (bits, littleEndian, machine, name, abi) => {
    const elf = readElf(
      writeElf({
        bits,
        littleEndian,
        machine,
        soname: 'libfoo.so',
        needed: ['libc.so', 'liblog.so'],
        runpath: '/data/local/tmp',
        imports: ['memcpy', '__strcpy_chk', '__stack_chk_fail'],
        exports: ['JNI_OnLoad', 'Java_a_b_c'],
        buildId: 'a1b2c3d4',
        stack: 6,
        relro: true,
        dynamic: [[30, 8]],
      }),
    )
    expect(elf).toMatchObject({
      bits,
      littleEndian,
      type: 'shared',
      machine: name,
      abi,
      pie: null,
      notes: [],
      stripped: true,
    })
    expect([elf.soname?.value, elf.runpath?.value, elf.rpath, elf.buildId?.value]).toEqual([
      'libfoo.so',
      '/data/local/tmp',
      null,
      'a1b2c3d4',
    ])
    expect(elf.needed.map(({ value }) => value)).toEqual(['libc.so', 'liblog.so'])
    expect([names(elf.imports), names(elf.exports)]).toEqual([
      ['memcpy', '__strcpy_chk', '__stack_chk_fail'],
      ['JNI_OnLoad', 'Java_a_b_c'],
    ])
    expect([elf.relro.value, elf.noExecutableStack.value, elf.stackCanary.value]).toEqual(['full', true, true])
    expect([names(elf.fortify.checked), names(elf.fortify.plain)]).toEqual([['__strcpy_chk'], ['memcpy']])
  })

  test('protections that an ELF library lacks are reported', () => {
    const elf = readElf(writeElf({ stack: 7, load: 7, dynamic: [[22, 0]] }))
    expect([elf.relro.value, elf.noExecutableStack.value, elf.stackCanary.value, elf.textRelocations.value]).toEqual([
      'none',
      false,
      false,
      true,
    ])
    expect(elf.writableCode.length).toBe(1)
    expect(readElf(writeElf()).noExecutableStack).toEqual({ value: false, offset: -1 })
    expect(readElf(writeElf({ relro: true })).relro.value).toBe('partial')
    expect(readElf(writeElf({ relro: true, dynamic: [[0x6ffffffb, 1]] })).relro.value).toBe('full')
    expect(readElf(writeElf({ dynamic: [[0x6ffffffb, 0x08000001]] })).pie).toMatchObject({ value: true })
    expect(readElf(writeElf({ type: 2 })).pie).toMatchObject({ value: false })
  })

  test('texts with their offsets, in any script, with and without sections', () => {
    const rodata = Buffer.from('\0abc\0https://a.example/\0密钥\0\x01xyz\x02long enough\0tail without end')
    const bytes = writeElf({ sections: { '.rodata': rodata }, exports: ['exported'] })
    const found = [...elfTexts(bytes, readElf(bytes))]
    expect(found.map(({ value }) => value)).toEqual(['https://a.example/', '密钥', 'long enough', 'tail without end'])
    for (const { value, offset } of found)
      expect(Buffer.from(bytes).toString('utf8', offset, offset + Buffer.byteLength(value))).toBe(value)
    const whole = bytes.slice()
    whole.fill(0, 40, 48)
    expect([...elfTexts(whole, readElf(whole))].map(({ value }) => value)).toContain('exported')
  })
})

describe('hostile files', () => {
  const bytes = writeElf({
    needed: ['libc.so'],
    imports: ['memcpy'],
    exports: ['f'],
    buildId: 'a1b2c3d4',
    sections: { '.rodata': Buffer.from('some text\0') },
  })

  test('what is no ELF file has a named error', () => {
    for (const [at, to, key] of [
      [0, 0, 'magic'],
      [4, 3, 'class'],
      [5, 0, 'class'],
    ] as const) {
      const copy = bytes.slice()
      copy[at] = to
      expect(() => readElf(copy)).toThrow(expect.objectContaining({ format: 'elf', key }))
    }
    expect(() => readElf(bytes.subarray(0, 60))).toThrow(expect.objectContaining({ key: 'truncated' }))
  })

  test('whatever is flipped or cut, only FormatError is thrown', () => {
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 2, 5, 0x7f, 0x80, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.constantFrom(0, 0, 0, 1, 40, 200), (changes, cut) => {
        const broken = mutate(bytes, changes, cut)
        try {
          for (const text of elfTexts(broken, readElf(broken))) void text
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
        }
      }),
      { numRuns: 1500 },
    )
  })

  test('sections that lie cost the sections, not the facts', () => {
    const copy = bytes.slice()
    new DataView(copy.buffer).setBigUint64(40, 0xffff_ffffn, true)
    const elf = readElf(copy)
    expect(elf.sections).toEqual([])
    expect(elf.notes.map(({ key }) => key)).toContain('sections')
    expect(names(elf.imports)).toEqual(['memcpy'])
  })
})

describe('as readelf sees them', () => {
  const libraries = nativeLibraries()
  const hasReadelf = canRun('readelf')

  test.skipIf(!hasReadelf || !libraries.length).each(libraries)('facts about %s equal those of readelf', (path) => {
    const elf = readElf(new Uint8Array(readFileSync(path)))
    expect(summary(elf)).toEqual(readelfSays(path))
  })
})

/** The facts in the words of readelf. */
function summary(elf: ElfFacts): ReturnType<typeof readelfSays> {
  return {
    bits: elf.bits,
    needed: elf.needed.map(({ value }) => value),
    soname: elf.soname?.value ?? null,
    bindNow: elf.bindNow.value,
    relro: elf.relro.value !== 'none',
    noExecutableStack: elf.noExecutableStack.value,
    buildId: elf.buildId?.value ?? null,
    imports: names(elf.imports).toSorted(),
    exports: names(elf.exports).toSorted(),
  }
}

/** Libraries that packages of this repository bring for this machine. */
function nativeLibraries(): string[] {
  const require = createRequire(import.meta.url)
  const found = [
    '@node-rs/argon2-linux-x64-gnu/argon2.linux-x64-gnu.node',
    '@resvg/resvg-js-linux-x64-gnu/resvgjs.linux-x64-gnu.node',
  ]
  return found.flatMap((name) => {
    const [scope = '', pack = '', file = ''] = name.split('/')
    try {
      const path = join(dirname(require.resolve(`${scope}/${pack}/package.json`)), file)
      return existsSync(path) ? [path] : []
    } catch {
      return []
    }
  })
}

function canRun(command: string): boolean {
  try {
    execFileSync(command, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
