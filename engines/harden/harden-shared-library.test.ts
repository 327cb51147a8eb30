import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeElf } from '#tests/support/elf-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { hardenPackage } from './harden-package.ts'
import type { HardenRequest } from './harden-request.ts'
import { readKeepRules } from './keep-rules.ts'

const OFF: HardenRequest = { keep: readKeepRules(''), seed: new Uint8Array(32) }
const REASON = 'the file is a native library alone: it has no code, manifest or resources of an application'
const LIBRARY = writeElf({
  ...{ machine: 183, soname: 'libown.so', needed: ['liblog.so'], exports: ['answer'] },
})

async function refusalOf(bytes: Uint8Array, name = 'libown.so'): Promise<string | undefined> {
  try {
    await hardenPackage(bytes, name, { ...OFF, soProtection: true })
    return undefined
  } catch (error) {
    if (error instanceof FormatError) return `${error.format} ${error.key}`
    throw error
  }
}

describe('[HARD-02] a native library alone', () => {
  test('without a section table stays as it is; every other option that is wanted is skipped for the one reason of the kind', async () => {
    const { pieces, size, lines } = await hardenPackage(LIBRARY, 'libown.so', {
      ...OFF,
      ...{ soProtection: true, antiDecompile: true, manifest: true, logLevels: ['d'], zipCheck: true },
      ...{ dexProtection: true, antiHijack: true, screens: ['**'], checks: { anti_debugging: 'exit' } },
    })
    expect([size, Buffer.concat(pieces).equals(Buffer.from(LIBRARY))]).toEqual([LIBRARY.length, true])
    const [first, ...others] = lines
    expect(first).toMatchObject({
      option: 'so_protection',
      text: 'cannot be trimmed: {detail}',
      file: 'libown.so',
    })
    expect(new Set(others.map(({ outcome, text }) => `${outcome}: ${text}`))).toEqual(new Set([`skipped: ${REASON}`]))
    expect(others.map(({ option }) => option).sort()).toEqual(
      [
        ...['anti_debugging', 'anti_decompile', 'anti_hijack', 'dex_protection', 'log_removal', 'manifest_protection'],
        ...['screenshot_prevention', 'zip_check'],
      ].sort(),
    )
  })

  test('stays byte by byte where the policy names it', async () => {
    const request = { ...OFF, soProtection: true, thirdPartySoBan: ['libown.so'] }
    const { pieces, lines } = await hardenPackage(LIBRARY, 'folder/libown.so', request)
    expect(Buffer.concat(pieces).equals(Buffer.from(LIBRARY))).toBe(true)
    expect(lines).toMatchObject([{ option: 'third_party_so_ban', text: 'stays: named by the policy' }])
  })

  test.each([
    ['an object file', writeElf({ type: 1 })],
    ['a program', writeElf({ type: 2 })],
    ['a library of another processor', writeElf({ machine: 22 })],
    ['a library of the other byte order', writeElf({ machine: 183, littleEndian: false })],
    ['a library whose end is missing', LIBRARY.subarray(0, 200)],
  ])('the input is refused when it is %s', async (_, bytes) => {
    expect(await refusalOf(bytes)).toBe('harden library')
  })

  test('other kinds are refused, and hostile bytes never crash it', async () => {
    expect(await refusalOf(Buffer.from('no package'), 'a.txt')).toBe('package unknown-kind')
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(fc.nat(LIBRARY.length - 1), fc.nat(255)), { maxLength: 12 }),
        fc.nat(LIBRARY.length - 1),
        async (changes, cut) => {
          await refusalOf(mutate(LIBRARY, changes, cut))
        },
      ),
      { numRuns: 300 },
    )
  })
})
