import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Uid, type Written, writeBinaryPlist, writeXmlPlist } from '#tests/support/plist-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { PLIST_LIMITS, plistAt, plistFlag, plistJson, plistText, plistTexts } from './plist-node.ts'
import { readPlist } from './read-plist.ts'

const keyOf = (read: () => unknown): string => {
  try {
    read()
  } catch (error) {
    if (error instanceof FormatError) return `${error.format} ${error.key}`
    throw error
  }
  return 'nothing thrown'
}
const xml = (body: string) => Buffer.from(`<plist version="1.0">${body}</plist>`)
const both = [writeBinaryPlist, writeXmlPlist]

describe('property lists', () => {
  const value = {
    text: 'plain & <marked>',
    wide: '中文 𝄞',
    list: [0, 1, -1, 255, 65536, 2 ** 40, 1.5, true, false],
    data: Buffer.from([0, 1, 2, 255]),
    date: new Date(1_526_000_000_000),
    nested: { empty: {}, none: [] },
  }
  const expected = {
    ...value,
    data: 'AAEC/w==',
    date: '2018-05-11T00:53:20.000Z',
  }

  test.each(both)('a property list gives every kind of value', (write) => {
    expect(plistJson(readPlist(write(value)))).toEqual(expected)
  })

  test('integers that no number holds, and what only the binary form has', () => {
    for (const write of both) {
      const big = readPlist(write([2n ** 63n, -(2n ** 62n)]))
      expect(plistJson(big)).toEqual(['9223372036854775808', '-4611686018427387904'])
    }
    expect(plistJson(readPlist(writeBinaryPlist([new Uid(7), null])))).toEqual([7, null])
    expect(plistJson(readPlist(xml('<integer>0x1F</integer>')))).toBe(31)
  })

  test('values by path, each with its offset in the file', () => {
    const bytes = writeXmlPlist({ a: { list: ['x', 'y'] }, on: true, off: 'NO' })
    const read = readPlist(bytes)
    expect(plistText(read, 'a', 'list', 1)).toBe('y')
    expect(plistTexts(read, 'a', 'list')).toEqual(['x', 'y'])
    expect([plistFlag(read, 'on'), plistFlag(read, 'off'), plistFlag(read, 'absent')]).toEqual([true, false, undefined])
    const { offset } = plistAt(read, 'a', 'list', 1)!
    expect(Buffer.from(bytes).toString('utf8', offset, offset + 17)).toBe('<string>y</string')
    expect(plistAt(read, 'a', 'list', 'x')).toBeUndefined()
  })

  test('a property list in UTF-16 or with a byte order mark is read', () => {
    const written = Buffer.from(writeXmlPlist({ a: '中' })).toString('utf8')
    const little = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(written, 'utf16le')])
    const big = Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from(written, 'utf16le').swap16()])
    const marked = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(written)])
    for (const bytes of [little, big, marked]) expect(plistJson(readPlist(bytes))).toEqual({ a: '中' })
  })

  test('each error of a property list is reported with its key', () => {
    expect(keyOf(() => readPlist(Buffer.from('nothing')))).toBe('xml not-xml')
    expect(keyOf(() => readPlist(xml('<dict><key>a</key></dict>')))).toBe('plist element')
    expect(keyOf(() => readPlist(xml('<dict><string>a</string></dict>')))).toBe('plist element')
    expect(keyOf(() => readPlist(xml('<what/>')))).toBe('plist element')
    expect(keyOf(() => readPlist(xml('<integer>x</integer>')))).toBe('plist number')
    expect(keyOf(() => readPlist(xml('<date>today</date>')))).toBe('plist date')
    expect(keyOf(() => readPlist(xml('<data>*</data>')))).toBe('plist data')
    expect(keyOf(() => readPlist(xml('')))).toBe('plist not-plist')
    expect(keyOf(() => readPlist(xml('<dict>')))).toBe('xml mismatch')
  })

  test('no entity, no document type that declares, no blow-up', () => {
    const bomb = `<!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><plist><string>&b;</string></plist>`
    expect(keyOf(() => readPlist(Buffer.from(bomb)))).toBe('xml doctype')
    expect(keyOf(() => readPlist(xml('<string>&b;</string>')))).toBe('xml reference')
    expect(keyOf(() => readPlist(xml('<string>&#0;</string>')))).toBe('xml reference')
    expect(keyOf(() => readPlist(xml('<array>'.repeat(200))))).toBe('xml limit')
  })

  test('a binary list that holds itself, or shares until it bursts', () => {
    const itself = Buffer.from([0xa1, 0, 0])
    expect(keyOf(() => readPlist(writeBinaryPlist('x', { raw: [itself], top: 0 })))).toBe('plist cycle')
    // Each array holds the one behind it twice: forty of them are a million million values.
    const shared = Array.from({ length: 40 }, (_, i) => Buffer.from([0xa2, 0, i + 1, 0, i + 1]))
    expect(keyOf(() => readPlist(writeBinaryPlist('x', { raw: shared, top: 0 })))).toBe('plist limit')
    expect(keyOf(() => readPlist(writeBinaryPlist('x', { count: 2 ** 40 })))).toBe('plist trailer')
    expect(keyOf(() => readPlist(writeBinaryPlist('x', { top: 9 })))).toBe('plist reference')
    expect(keyOf(() => readPlist(writeBinaryPlist('x'), { ...PLIST_LIMITS, size: 10 }))).toBe('plist limit')
    expect(keyOf(() => readPlist(Buffer.from('bplist00')))).toBe('plist truncated')
  })

  test('a long number costs time in proportion to its length', () => {
    const began = performance.now()
    const real = (text: string) => readPlist(Buffer.from(`<plist><real>${text}</real></plist>`))
    expect(real('1.5e3')).toMatchObject({ value: 1500 })
    expect(real('.5')).toMatchObject({ value: 0.5 })
    expect(keyOf(() => real(`${'0'.repeat(500_000)}x`))).toBe('plist number')
    expect(performance.now() - began).toBeLessThan(2000)
  })

  const leaf = fc.oneof(
    fc.string({ unit: 'grapheme' }).filter((text) => !/[\p{Cc}\ufffe\uffff]/u.test(text)),
    fc.integer(),
    fc.boolean(),
  )
  const tree: fc.Arbitrary<Written> = fc.letrec<{ tree: Written }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      leaf,
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(fc.string({ unit: fc.constantFrom(...'abcXYZ') }), tie('tree'), {
        maxKeys: 4,
        noNullPrototype: true,
      }),
    ),
  })).tree

  test.each(both)('any property list that was written is read back unchanged', (write) => {
    fc.assert(
      fc.property(tree, (value) => {
        expect(plistJson(readPlist(write(value)))).toEqual(value)
      }),
      { numRuns: 200 },
    )
  })

  test('whatever is flipped or cut, only FormatError is thrown', () => {
    for (const write of both) {
      const bytes = write(value)
      const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 0x0f, 0x7f, 0x80, 0xaf, 0xdf, 0xff))
      fc.assert(
        fc.property(fc.array(change, { maxLength: 6 }), fc.constantFrom(0, 0, 1, 33), (changes, cut) => {
          keyOf(() => plistJson(readPlist(mutate(bytes, changes, cut))))
        }),
        { numRuns: 500 },
      )
    }
  })
})
