import { describe, expect, test } from 'vitest'
import { readElf } from '../../elf/read-elf.ts'
import { SeededRandom } from '../seeded-random.ts'
import { makeVmKey } from './vm-image.ts'
import { compiledLibrary, libraryOfBuild, VM_ABIS } from './vm-library.ts'

const [PT_LOAD, PT_DYNAMIC, PT_GNU_RELRO] = [1, 2, 0x6474e552]
const [SHT_STRTAB, SHT_DYNAMIC] = [3, 6]
const PAGE = 0x4000
const down = (address: number) => address - (address % PAGE)
const up = (address: number) => down(address + PAGE - 1)
const key = makeVmKey(new SeededRandom(Buffer.alloc(32, 1)))

describe.each([...VM_ABIS])('the library for %s', (abi) => {
  const bytes = libraryOfBuild(compiledLibrary(abi), key, 'Lvm/a;')
  const elf = readElf(bytes)
  const segments = (type: number) => elf.segments.filter((one) => one.type === type)

  test("[HARD-02] Android's linker takes it: it needs nothing, and no page is written and executed", () => {
    const facts = {
      ...{ abi: elf.abi, type: elf.type, needed: elf.needed, imports: elf.imports, notes: elf.notes },
      ...{ exports: elf.exports.map(({ name }) => name), writableCode: elf.writableCode },
      ...{ relro: elf.relro.value, bindNow: elf.bindNow.value, noExecutableStack: elf.noExecutableStack.value },
      textRelocations: elf.textRelocations.value,
    }
    expect(facts).toEqual({
      ...{ abi, type: 'shared', needed: [], imports: [], notes: [], exports: ['JNI_OnLoad'], writableCode: [] },
      ...{ relro: 'full', bindNow: true, noExecutableStack: true, textRelocations: false },
    })
  })

  test('the section table names the dynamic section, which Android 7 and later compare', () => {
    const [dynamic] = elf.sections.filter(({ type }) => type === SHT_DYNAMIC)
    const [segment] = segments(PT_DYNAMIC)
    expect([dynamic!.fileOffset, dynamic!.size]).toEqual([segment!.fileOffset, segment!.fileSize])
    expect(elf.sections[dynamic!.link]!.type).toBe(SHT_STRTAB)
  })

  test('its segments share no page of 16 KiB, and what becomes read-only ends before what is written', () => {
    const loaded = segments(PT_LOAD)
    expect(loaded.length).toBeGreaterThan(2)
    const alignOf = ({ offset }: { offset: number }) =>
      elf.bits === 64 ? Number(bytes.readBigUInt64LE(offset + 48)) : bytes.readUInt32LE(offset + 28)
    for (const [i, one] of loaded.entries()) {
      expect(alignOf(one)).toBe(PAGE)
      expect(one.address % PAGE).toBe(one.fileOffset % PAGE)
      const before = loaded[i - 1]
      if (before) expect(up(before.address + before.memorySize)).toBeLessThanOrEqual(down(one.address))
    }
    const [relro] = segments(PT_GNU_RELRO)
    const own = loaded.findIndex(({ address }) => address === relro!.address)
    expect(own).toBeGreaterThan(0)
    expect(up(relro!.address + relro!.memorySize)).toBeLessThanOrEqual(down(loaded[own + 1]!.address))
  })

  test('key, opcodes and class of a build are all that is written into it', () => {
    const compiled = compiledLibrary(abi)
    const changed = [...bytes.keys()].filter((i) => bytes[i] !== compiled[i])
    expect(bytes.length).toBe(compiled.length)
    expect(changed.at(-1)! - changed[0]!).toBeLessThan(16 + 16 + 256 + 64)
    expect(() => libraryOfBuild(bytes, key, 'Lvm/a;')).toThrow('no place for the build')
    expect(() => libraryOfBuild(compiled, key, `L${'a'.repeat(64)};`)).toThrow('too long')
  })
})
