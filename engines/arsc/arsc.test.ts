import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type WrittenTable, type WrittenType, writeArsc } from '#tests/support/resource-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readArsc } from './read-arsc.ts'
import { resolveResource } from './resolve-resource.ts'
import { ARSC_LIMITS } from './resource-table.ts'

const LABEL = 0x7f010000
const ICON = 0x7f020000
const table = (written: Partial<WrittenTable> = {}) => readArsc(writeArsc({ types, ...written }))
const types: WrittenType[] = [
  { name: 'string', entries: { 0: { key: 'app_name', value: 'App' }, 2: { key: 'other', value: [1, LABEL] } } },
  { name: 'string', config: { language: 'zh', country: 'CN' }, entries: { 0: { key: 'app_name', value: '应用' } } },
  { name: 'string', config: { language: 'en' }, entries: { 2: { key: 'other', value: 'Other' } } },
  { name: 'mipmap', config: { density: 160 }, entries: { 0: { key: 'icon', value: 'res/m.png' } } },
  { name: 'mipmap', config: { density: 480 }, entries: { 0: { key: 'icon', value: 'res/xxh.png' } } },
  { name: 'mipmap', config: { density: 0xfffe, sdk: 26 }, entries: { 0: { key: 'icon', value: 'res/any.xml' } } },
]
const text = (id: number, preference = {}, written: Partial<WrittenTable> = {}) =>
  resolveResource(table(written), id, preference)?.value.text

describe('resource table', () => {
  test('a resource table gives names, values and languages', () => {
    const read = table()
    expect(read.notes).toEqual([])
    expect(read.nameOf(LABEL)).toBe('string/app_name')
    expect(read.nameOf(0x7f010001)).toBeUndefined()
    expect(read.nameOf(0x7f090000)).toBeUndefined()
    expect(read.valuesOf(ICON).map(({ value }) => value!.text)).toEqual(['res/m.png', 'res/xxh.png', 'res/any.xml'])
    expect(read.locales()).toEqual(['', 'en', 'zh-CN'])
    expect([...read.all()].map(({ id, name }) => `${id.toString(16)} ${name}`)).toEqual([
      '7f010000 string/app_name',
      '7f010002 string/other',
      '7f010000 string/app_name',
      '7f010002 string/other',
      '7f020000 mipmap/icon',
      '7f020000 mipmap/icon',
      '7f020000 mipmap/icon',
    ])
  })

  test('the value that fits the device', () => {
    expect(text(LABEL)).toBe('App')
    expect(text(LABEL, { language: 'zh', country: 'CN' })).toBe('应用')
    expect(text(LABEL, { language: 'zh', country: 'TW' })).toBe('App')
    expect(text(0x7f010002)).toBe('Other')
    expect(text(0x7f010002, { language: 'zh', country: 'CN' })).toBe('应用')
    expect(text(ICON)).toBe('res/any.xml')
    expect(text(ICON, { sdk: 25 })).toBe('res/m.png')
    expect(text(ICON, { sdk: 25, density: 320 })).toBe('res/xxh.png')
    expect(text(ICON, { sdk: 25, density: 640 })).toBe('res/xxh.png')
    const foreign: WrittenType[] = [
      { name: 'string', config: { language: 'zh' }, entries: { 0: { key: 'a', value: '甲' } } },
    ]
    expect(text(LABEL, {}, { types: foreign })).toBe('甲')
  })

  test.each(['plain', 'sparse', 'short', 'compact'] as const)('a resource table reads entries in %s form', (form) => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.nat(300), { maxLength: 20 }), (ids) => {
        const entries = Object.fromEntries(ids.map((id) => [id, { key: `k${id}`, value: `v${id}` }]))
        const read = readArsc(writeArsc({ types: [{ name: 't', entries, form }] }))
        for (let i = 0; i <= 300; i++) {
          const [found] = read.valuesOf(LABEL + i)
          expect(found?.value?.text).toBe(ids.includes(i) ? `v${i}` : undefined)
        }
        expect([...read.all()].length).toBe(ids.length)
      }),
      { numRuns: 15 },
    )
  })

  test('ids of platforms in development, of shared libraries, of feature splits', () => {
    expect(text(0x7fff0000, {}, { aliases: [[0x7fff0000, LABEL]] })).toBe('App')
    expect(text(0x00010000, {}, { packageId: 0 })).toBe('App')
    expect(text(0x7f050000, {}, { typeIdOffset: 4 })).toBe('App')
    expect(text(LABEL, {}, { typeIdOffset: 4 })).toBeUndefined()
  })

  test('a resource that consists of parts has a name but no value', () => {
    const parts: WrittenType[] = [{ name: 'array', entries: { 0: { key: 'a', value: 'parts' } } }]
    const read = table({ types: parts })
    expect(read.nameOf(LABEL)).toBe('array/a')
    expect(resolveResource(read, LABEL)).toBeUndefined()
  })
})

describe('hostile tables', () => {
  test('references in a circle, and longer than the limit', () => {
    const circle: WrittenType[] = [
      { name: 's', entries: { 0: { key: 'a', value: [1, 0x7f010001] }, 1: { key: 'b', value: [1, LABEL] } } },
    ]
    expect(text(LABEL, {}, { types: circle })).toBeUndefined()
    const long = Object.fromEntries(
      Array.from({ length: 40 }, (_, i) => [
        i,
        { key: `k${i}`, value: i === 39 ? 'end' : ([1, LABEL + i + 1] as const) },
      ]),
    )
    const chain: WrittenType[] = [{ name: 's', entries: long }]
    expect(text(LABEL + 30, {}, { types: chain })).toBe('end')
    expect(text(LABEL, {}, { types: chain })).toBeUndefined()
  })

  test('counts that lie are cut and reported', () => {
    const lying = table({ types: [{ ...types[0]!, lies: { entryCount: 0x7fffffff } }] })
    expect(lying.notes).toMatchObject([{ key: 'entry', refused: true }])
    expect(resolveResource(lying, LABEL)?.value.text).toBe('App')
    const headless = table({ types: [{ ...types[0]!, lies: { headerSize: 4 } }] })
    expect(headless.notes.map(({ key }) => key)).toEqual(['header-size', 'chunk'])
  })

  test('a resource table beyond a limit, and bytes that do not begin as one, are refused', () => {
    const bytes = writeArsc({ types })
    expect(() => readArsc(bytes, { ...ARSC_LIMITS, typeChunks: 5 })).toThrow('more than 5 types')
    expect(() => readArsc(bytes, { ...ARSC_LIMITS, configs: 2 })).toThrow('more than 2 configurations')
    expect(() => readArsc(bytes, { ...ARSC_LIMITS, packages: 0 })).toThrow('more than 0 packages')
    expect(() => readArsc(new Uint8Array(50))).toThrow('no resource table')
    expect(() => readArsc(new Uint8Array())).toThrow(FormatError)
  })

  test('whatever is flipped or cut, only FormatError is thrown', () => {
    const forms = (['plain', 'sparse', 'short', 'compact'] as const).map((form, i) => ({
      ...types[0]!,
      name: `t${i}`,
      form,
    }))
    const bytes = writeArsc({ types: [...types, ...forms], aliases: [[0x7fff0000, LABEL]] })
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 2, 3, 4, 8, 0x7f, 0x80, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.constantFrom(0, 0, 0, 1, 4, 50), (changes, cut) => {
        try {
          const read = readArsc(mutate(bytes, changes, cut))
          for (const { id } of read.all()) {
            read.nameOf(id)
            resolveResource(read, id)
          }
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
        }
      }),
      { numRuns: 200 },
    )
  })
})
