import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type WrittenElement, writeAxml } from '#tests/support/resource-writer.ts'
import { mutate } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { AxmlEditor } from './axml-editor.ts'
import { axmlText } from './axml-text.ts'
import { readAxml, type XmlElement } from './read-axml.ts'

const manifest: WrittenElement = {
  name: 'manifest',
  attributes: [
    { name: 'package', value: 'com.example' },
    { name: 'versionCode', id: 0x0101021b, value: [0x10, 7] },
  ],
  children: [
    {
      name: 'application',
      attributes: [
        { name: 'name', id: 0x01010003, value: 'com.example.App' },
        { name: 'debuggable', id: 0x0101000f, value: [0x12, 0xffffffff] },
        { name: 'theme', id: 0x01010000, value: [1, 0x7f010000] },
      ],
      children: [
        { name: 'activity', attributes: [{ name: 'name', id: 0x01010003, value: '.Main' }], text: '说明' },
        { name: 'activity', attributes: [{ name: 'name', id: 0x01010003, value: '.Other' }] },
      ],
    },
  ],
}

/** All that a reader sees, without places in the file. */
function seen({ offset: _, attributes, children, ...rest }: XmlElement): unknown {
  return {
    ...rest,
    attributes: attributes.map(({ offset: _at, value: { text, type, data }, ...attribute }) => ({
      ...attribute,
      // The number of a string is its place in the pool.
      value: text === undefined ? [type, data] : text,
    })),
    children: children.map(seen),
  }
}
const documentOf = (bytes: Uint8Array) => {
  const { root, namespaces, notes } = readAxml(bytes)
  return { root: seen(root), namespaces, notes: notes.map(({ key }) => key) }
}

const name = fc.constantFrom('a', 'b', 'application', '名', '😀', '')
const ids: Record<string, number> = { name: 0x01010003, label: 0x01010001, exported: 0x01010010 }
const elementArbitrary: fc.Arbitrary<WrittenElement> = fc.letrec<{ element: WrittenElement }>((tie) => ({
  element: fc.record(
    {
      name,
      attributes: fc.uniqueArray(
        fc.oneof(
          fc.record({
            name,
            value: fc.oneof(fc.string({ maxLength: 200 }), fc.tuple(fc.constantFrom(1, 16, 18), fc.nat())),
          }),
          fc
            .tuple(fc.constantFrom('name', 'label', 'exported'), fc.string({ maxLength: 5 }))
            .map(([one, value]) => ({ name: one, id: ids[one]!, value })),
        ),
        { selector: (one) => one.name, maxLength: 4 },
      ),
      text: fc.string({ maxLength: 8 }),
      children: fc.array(tie('element'), { maxLength: 3, depthIdentifier: 'xml' }),
    },
    { requiredKeys: ['name'] },
  ),
})).element

describe('a document that is not changed', () => {
  test('reads the same after it was written, in UTF-8 and in UTF-16', () => {
    fc.assert(
      fc.property(elementArbitrary, fc.boolean(), (root, utf8) => {
        const bytes = writeAxml(root, { utf8 })
        const written = new AxmlEditor(bytes).write()
        expect(documentOf(written)).toEqual(documentOf(bytes))
        expect(Buffer.compare(new AxmlEditor(written).write(), written)).toBe(0)
      }),
      { numRuns: 200 },
    )
  })

  test('a string that UTF-8 cannot hold is written in UTF-16', () => {
    for (const value of ['x'.repeat(40_000), '\ud800', '中'.repeat(12_000)]) {
      const bytes = writeAxml({ name: 'a', attributes: [{ name: 'b', value }] }, { utf8: false })
      expect(documentOf(new AxmlEditor(bytes).write())).toEqual(documentOf(bytes))
    }
  })
})

describe('changes', () => {
  const edited = (change: (editor: AxmlEditor) => void, root = manifest): string => {
    const editor = new AxmlEditor(writeAxml(root))
    change(editor)
    return axmlText(readAxml(editor.write()))
  }

  test('an attribute is set, added in the order of resource ids, and removed', () => {
    const editor = new AxmlEditor(writeAxml(manifest))
    const application = editor.childrenOf(editor.root, 'application')[0]!
    editor.setAttribute(application, { name: 'debuggable', value: false })
    editor.setAttribute(application, { name: 'allowBackup', value: false })
    editor.setAttribute(application, { name: 'label', value: '应用' })
    expect(editor.removeAttribute(application, { name: 'theme' })).toBe(true)
    expect(editor.removeAttribute(application, { name: 'theme' })).toBe(false)
    editor.setAttribute(editor.root, { name: 'package', plain: true, value: 'com.other' })
    const { root, notes } = readAxml(editor.write())
    const [after] = root.children
    expect(
      after!.attributes.map(({ name: one, resourceId, value }) => [one, resourceId, value.text ?? value.data]),
    ).toEqual([
      ['label', 0x01010001, '应用'],
      ['name', 0x01010003, 'com.example.App'],
      ['debuggable', 0x0101000f, 0],
      ['allowBackup', 0x01010280, 0],
    ])
    expect(root.attributes.find(({ name: one }) => one === 'package')!.value.text).toBe('com.other')
    expect(notes).toEqual([])
  })

  test('an element is added first or last, and removed', () => {
    const text = edited((editor) => {
      const application = editor.childrenOf(editor.root, 'application')[0]!
      const [main] = editor.childrenOf(application, 'activity')
      expect(editor.removeElement(application, main!)).toBe(true)
      expect(editor.removeElement(application, main!)).toBe(false)
      editor.addElement(application, 'meta-data', [
        { name: 'value', value: 'one' },
        { name: 'name', value: 'key' },
      ])
      editor.addElement(
        editor.root,
        'uses-permission',
        [{ name: 'name', value: 'android.permission.INTERNET' }],
        'first',
      )
    })
    expect(text).not.toContain('.Main')
    expect(text).toContain('.Other')
    expect(text.indexOf('uses-permission')).toBeLessThan(text.indexOf('<application'))
    expect(text).toMatch(/<meta-data[^>]*android:name="key"[^>]*android:value="one"/)
  })

  test('a document without the namespace of Android gets it with its first attribute', () => {
    const editor = new AxmlEditor(
      new AxmlEditor(writeAxml({ name: 'manifest', children: [{ name: 'application' }] })).write(),
    )
    editor.setAttribute(editor.childrenOf(editor.root, 'application')[0]!, { name: 'name', value: 'App' })
    const { namespaces, root } = readAxml(editor.write())
    expect(namespaces).toEqual([{ prefix: 'android', uri: 'http://schemas.android.com/apk/res/android' }])
    expect(root.children[0]!.attributes[0]).toMatchObject({ name: 'name', resourceId: 0x01010003 })
  })

  test('an attribute that the framework does not have is refused', () => {
    expect(() => edited((editor) => editor.setAttribute(editor.root, { name: 'nothing', value: '' }))).toThrow(
      FormatError,
    )
  })
})

test('changed and cut bytes give a document or a FormatError', () => {
  const bytes = writeAxml(manifest)
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.nat(255)), { maxLength: 5 }),
      fc.nat(bytes.length - 1),
      fc.boolean(),
      (changes, cut, cuts) => {
        try {
          readAxml(new AxmlEditor(mutate(bytes, changes, cuts ? cut : 0)).write())
        } catch (error) {
          if (!(error instanceof FormatError)) throw error
        }
      },
    ),
    { numRuns: 500 },
  )
})
