import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type AxmlOptions,
  chunk,
  le32,
  stringPool,
  type WrittenElement,
  writeAxml,
} from '#tests/support/resource-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { axmlText } from './axml-text.ts'
import { chunkAt } from './chunk.ts'
import { findAttribute, plainAttribute } from './find-attribute.ts'
import { manifestWords } from './manifest-words.ts'
import { AXML_LIMITS, readAxml } from './read-axml.ts'
import { ResourceNotes } from './resource-notes.ts'
import { readStringPool } from './string-pool.ts'
import { valueText } from './typed-value.ts'

const NAME = 0x01010003
const poolOf = (bytes: Buffer) => {
  const notes = new ResourceNotes()
  const pool = chunkAt(new ByteReader(bytes, 't'), 0, bytes.length, notes)!
  return { notes: notes.list, strings: readStringPool(bytes, pool, notes) }
}
const manifest: WrittenElement = {
  name: 'manifest',
  attributes: [{ name: 'package', value: 'a.b' }],
  children: [
    { name: 'uses-permission', attributes: [{ name: 'name', id: NAME, value: 'android.permission.INTERNET' }] },
    {
      name: 'application',
      attributes: [
        { name: 'debuggable', id: 0x0101000f, value: [0x12, 0xffffffff] },
        { name: 'label', id: 0x01010001, value: [1, 0x7f010002] },
      ],
      children: [
        { name: 'activity', text: 'a < b', attributes: [{ name: 'launchMode', id: 0x0101001d, value: [0x10, 2] }] },
      ],
    },
  ],
}
const notesOf = (options: AxmlOptions) => readAxml(writeAxml(manifest, options)).notes.map((note) => note.key)

describe('string pools', () => {
  test('any strings, in both encodings', () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom('a', 'Z', '\0', 'é', '漢', '😀'), maxLength: 40 }),
      fc.constantFrom('x'.repeat(127), 'é'.repeat(300), ''),
    )
    fc.assert(
      fc.property(fc.array(text, { maxLength: 20 }), fc.boolean(), (strings, utf8) => {
        const read = poolOf(stringPool(strings, { utf8 }))
        expect(strings.map((_, i) => read.strings.at(i))).toEqual(strings)
        expect(read.strings.at(strings.length)).toBeUndefined()
        expect(read.notes).toEqual([])
      }),
      { numRuns: 60 },
    )
  })

  test('lengths that need more than the short form', () => {
    const long = ['a'.repeat(0x9123), 'b'.repeat(40_000), 'c']
    for (const utf8 of [true, false]) {
      const { strings } = poolOf(stringPool(long, { utf8 }))
      expect(long.map((_, i) => strings.at(i)?.length)).toEqual([0x9123, 40_000, 1])
    }
  })

  test('surrogates encoded as three bytes each', () => {
    const bytes = stringPool(['abcdef'])
    bytes.set([0xed, 0xa0, 0xbd, 0xed, 0xb8, 0x80], bytes.indexOf('abcdef'))
    expect(poolOf(bytes).strings.at(0)).toBe('\u{1f600}')
  })

  test('counts that lie are cut and reported', () => {
    const { strings, notes } = poolOf(stringPool(['a', 'b'], { count: 0x7fffffff }))
    expect(notes).toMatchObject([{ key: 'string-count', refused: true }])
    expect([strings.at(0), strings.at(1)]).toEqual(['a', 'b'])
    expect(strings.at(0x7ffffff0)).toBeUndefined()
  })

  test('strings laid over each other cannot decode to more than twice their pool', () => {
    const body = Buffer.concat([le32(...Array.from({ length: 2000 }, (_, i) => 4 * i)), Buffer.alloc(20_000, 0x20)])
    const { strings } = poolOf(chunk(1, le32(2000, 0, 0, 28 + 8000, 0), body))
    expect(() => Array.from({ length: 2000 }, (_, i) => strings.at(i))).toThrow(FormatError)
  })
})

describe('binary XML', () => {
  test('the tree, its attributes, its text', () => {
    const { root, notes, namespaces } = readAxml(writeAxml(manifest))
    expect(notes).toEqual([])
    expect(namespaces.map(({ prefix }) => prefix)).toEqual(['android'])
    expect(plainAttribute(root, 'package')!.value.text).toBe('a.b')
    const [permission, application] = root.children
    expect(findAttribute(permission!, 'name')!.value.text).toBe('android.permission.INTERNET')
    expect(findAttribute(application!, 'exported')).toBeUndefined()
    expect(application!.children[0]!.texts).toEqual(['a < b'])
    expect(application!.line).toBe(7)
  })

  test('binary XML is written as text with the names of its references', () => {
    expect(axmlText(readAxml(writeAxml(manifest)), (id) => (id === 0x7f010002 ? 'string/app' : undefined))).toBe(
      `<?xml version="1.0" encoding="utf-8"?>
<manifest
    xmlns:android="http://schemas.android.com/apk/res/android"
    package="a.b">
  <uses-permission android:name="android.permission.INTERNET"/>
  <application
      android:debuggable="true"
      android:label="@string/app">
    <activity android:launchMode="singleTask">a &lt; b</activity>
  </application>
</manifest>
`,
    )
  })

  test('the id counts, not the name beside it', () => {
    const lying: WrittenElement = {
      name: 'x',
      attributes: [
        { name: 'exported', id: NAME, value: 'real' },
        { name: '', id: 0x01010010, value: [0x12, 1] },
      ],
    }
    const { root } = readAxml(writeAxml(lying))
    expect(findAttribute(root, 'name')!.value.text).toBe('real')
    expect(findAttribute(root, 'exported')!.value.data).toBe(1)
    expect(axmlText(readAxml(writeAxml(lying)))).toContain('android:name="real"')
  })

  test('what packers do to it is read over and reported', () => {
    expect(notesOf({ type: 0x0008 })).toEqual(['type'])
    expect(notesOf({ junk: chunk(0x7777, Buffer.alloc(0), Buffer.alloc(40)) })).toContain('junk')
    expect(notesOf({ attributeSize: 28 })).toContain('attributes')
    expect(notesOf({ withoutEnds: true })).toContain('unclosed')
    expect(notesOf({ count: 1_000_000 })).toContain('string-count')
    const tailed = new Uint8Array(Buffer.concat([writeAxml(manifest), Buffer.alloc(8, 0xff)]))
    expect(readAxml(tailed).root.children.length).toBe(2)
    const over = writeAxml(manifest)
    over[4]!++
    expect(readAxml(over).notes).toMatchObject([{ key: 'size' }])
  })

  test('every size that lies leaves the same tree', () => {
    for (const attributeSize of [20, 24, 64]) {
      const { root } = readAxml(writeAxml(manifest, { attributeSize, utf8: false }))
      expect(findAttribute(root.children[0]!, 'name')!.value.text).toBe('android.permission.INTERNET')
    }
  })

  test('depth, elements and attributes of binary XML are limited', () => {
    let deep: WrittenElement = { name: 'leaf' }
    for (let i = 0; i < 100; i++) deep = { name: 'e', children: [deep] }
    const { root, notes } = readAxml(writeAxml(deep))
    let levels = 1
    for (let at = root; at.children[0]; at = at.children[0]) levels++
    expect(levels).toBe(64)
    expect(notes.map((note) => note.key)).toEqual(['depth'])
    expect(() => readAxml(writeAxml(manifest), { ...AXML_LIMITS, elements: 3 })).toThrow('more than 3 elements')
    expect(() => readAxml(writeAxml(manifest), { ...AXML_LIMITS, attributes: 3 })).toThrow('more than 3 attributes')
  })

  test('bytes without an element are refused as binary XML', () => {
    expect(() => readAxml(new Uint8Array(100))).toThrow('no element')
    expect(() => readAxml(new Uint8Array(3))).toThrow(FormatError)
  })

  test('whatever is flipped or cut, only FormatError is thrown', () => {
    const bytes = writeAxml(manifest)
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 2, 3, 4, 8, 0x7f, 0x80, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 8 }), fc.constantFrom(0, 0, 0, 1, 4, 50), (changes, cut) => {
        try {
          axmlText(readAxml(mutate(bytes, changes, cut)))
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('values', () => {
  test.each([
    [0x00, 1, '@empty'],
    [0x01, 0, '@null'],
    [0x01, 0x7f010000, '@0x7f010000'],
    [0x02, 0x01010000, '?0x01010000'],
    [0x04, 0x3fc00000, '1.5'],
    [0x05, 0x00001001, '16dp'],
    [0x05, 0x00000151, '0.0078125dp'],
    [0x05, 0xfffff001, '-16dp'],
    [0x06, 0x00008000, '12800%'],
    [0x10, 0xffffffff, '-1'],
    [0x11, 0x30000, '0x30000'],
    [0x12, 0, 'false'],
    [0x1c, 0xff00ff00, '#ff00ff00'],
    [0x55, 5, '(type 0x55) 0x5'],
  ])('a value of type %i with data %i has the text %s', (type, data, text) => {
    expect(valueText({ type, data: data >>> 0 })).toBe(text)
  })

  test.each([
    ['protectionLevel', 0x01010009, 0x12, 'signature|privileged'],
    ['protectionLevel', 0x01010009, 1, 'dangerous'],
    ['protectionLevel', 0x01010009, 9, undefined],
    ['screenOrientation', 0x0101001e, 0xffffffff, 'unspecified'],
    ['configChanges', 0x0101001f, 0x4a0, 'keyboardHidden|orientation|screenSize'],
    ['configChanges', 0x0101001f, 0x80000000, undefined],
    ['value', 0x01010024, 2, undefined],
  ])('the manifest attribute %s (%i) with value %i has the words %s', (name, resourceId, data, words) => {
    expect(manifestWords({ name, resourceId, namespace: '', offset: 0, value: { type: 0x11, data } })).toBe(words)
  })
})
