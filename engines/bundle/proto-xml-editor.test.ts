import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type ProtoElement, proto, protoBoolean, protoXml, varint } from '#tests/support/proto-writer.ts'
import { findAttribute } from '../axml/find-attribute.ts'
import { FormatError } from '../bytes/format-error.ts'
import { ProtoXmlEditor } from './proto-xml-editor.ts'
import { readProtoXml } from './read-proto-xml.ts'

const DEBUGGABLE = 0x0101000f
const application = (...attributes: NonNullable<ProtoElement['attributes']>): Buffer =>
  protoXml({ name: 'manifest', children: [{ name: 'application', attributes }] })

const keyOf = (run: () => unknown): string => {
  try {
    run()
    return 'none'
  } catch (error) {
    if (error instanceof FormatError) return error.key
    throw error
  }
}

/** The application of a document, with the editor. */
function opened(bytes: Uint8Array) {
  const editor = new ProtoXmlEditor(bytes)
  const [element] = editor.childrenOf(editor.root, 'application')
  return { editor, element: element! }
}

describe('[HARD-02] editor of protobuf XML', () => {
  const name = fc.stringMatching(/^[a-z]{1,12}$/)
  const attribute = fc.record({
    name,
    namespace: fc.constantFrom('', 'http://schemas.android.com/apk/res/android', 'http://schemas.android.com/tools'),
    id: fc.constantFrom(0, DEBUGGABLE, 0x01010003, 0x7f010001),
    value: fc.string(),
  })
  const above = (children: fc.Arbitrary<readonly ProtoElement[]>): fc.Arbitrary<ProtoElement> =>
    fc.record({ name, attributes: fc.array(attribute, { maxLength: 4 }), children, text: fc.string() })
  const within = (one: fc.Arbitrary<ProtoElement>) => above(fc.array(one, { maxLength: 3 }))
  const tree = within(within(above(fc.constant([]))))

  test('a document that nothing changes in is written byte by byte, and a change changes the value alone', () => {
    fc.assert(
      fc.property(tree, fc.boolean(), (made, value) => {
        const bytes = protoXml({ ...made, name: 'manifest', children: [{ name: 'application' }, ...made.children!] })
        const { editor, element } = opened(bytes)
        expect(Buffer.compare(editor.write(), bytes)).toBe(0)
        editor.setAttribute(element, { name: 'debuggable', value })
        const before = readProtoXml(bytes).root
        const { root } = readProtoXml(editor.write())
        expect(findAttribute(root.children[0]!, 'debuggable')?.value.data !== 0).toBe(value)
        const plain = (one: typeof root): unknown => [
          ...[one.name, one.line, one.texts, one.attributes.map(({ offset, ...rest }) => rest)],
          one.children.map(plain),
        ]
        expect(root.children.slice(1).map(plain)).toEqual(before.children.slice(1).map(plain))
        expect(editor.removeAttribute(element, { name: 'debuggable' })).toBe(true)
        expect(editor.removeAttribute(element, { name: 'debuggable' })).toBe(false)
        expect(Buffer.compare(editor.write(), bytes)).toBe(0)
      }),
      { numRuns: 200 },
    )
  })

  test('fields that this version does not know keep their bytes and their place, in the attribute that changes too', () => {
    const unknown = Buffer.concat([varint(90 * 8 + 2), varint(3), Buffer.from('new')])
    const attribute = proto(
      [2, 'debuggable'],
      [3, 'true'],
      [4, proto([1, 8])],
      [5, DEBUGGABLE],
      [6, protoBoolean(true)],
    )
    const element = Buffer.concat([proto([3, 'application'], [4, Buffer.concat([attribute, unknown])]), unknown])
    const node = Buffer.concat([proto([1, element]), unknown])
    const bytes = Buffer.concat([proto([1, proto([3, 'manifest'], [5, node])], [3, proto([1, 7])]), unknown])
    const { editor, element: found } = opened(bytes)
    editor.setAttribute(found, { name: 'debuggable', value: false })
    const changed = proto(
      [2, 'debuggable'],
      [3, 'false'],
      [4, proto([1, 8])],
      [5, DEBUGGABLE],
      [6, protoBoolean(false)],
    )
    const expected = Buffer.concat([proto([3, 'application'], [4, Buffer.concat([changed, unknown])]), unknown])
    const outer = Buffer.concat([proto([1, expected]), unknown])
    expect(Buffer.from(editor.write()).toString('hex')).toBe(
      Buffer.concat([proto([1, proto([3, 'manifest'], [5, outer])], [3, proto([1, 7])]), unknown]).toString('hex'),
    )
  })

  test('an attribute is found by its resource id, all of that id are set, and an empty text has no value', () => {
    const { editor, element } = opened(
      application(
        { name: 'renamed', id: DEBUGGABLE, item: protoBoolean(true) },
        { name: 'debuggable', value: 'true' },
        { name: 'debuggable', id: DEBUGGABLE, value: 'true' },
      ),
    )
    editor.setAttribute(element, { name: 'debuggable', value: false })
    editor.setAttribute(element, { name: 'taskAffinity', value: '' })
    editor.setAttribute(element, { name: 'name', value: 'a.Main' })
    const [written] = readProtoXml(editor.write()).root.children
    expect(written!.attributes.map(({ name, value }) => [name, value.text ?? value.data])).toEqual([
      ['renamed', 0],
      ['debuggable', 'true'],
      ['debuggable', 0],
      ['taskAffinity', ''],
      ['name', 'a.Main'],
    ])
    expect(element.attributes.map(({ id, data }) => [id, data])).toEqual([
      [DEBUGGABLE, 0],
      [0, 'true'],
      [DEBUGGABLE, 0],
      [0x01010012, ''],
      [0x01010003, 'a.Main'],
    ])
  })

  test('bytes that are cut off or changed are refused with a reason, or read; they never run long', () => {
    const bytes = application({ name: 'debuggable', id: DEBUGGABLE, item: protoBoolean(true) })
    for (let length = 0; length < bytes.length; length++) keyOf(() => new ProtoXmlEditor(bytes.subarray(0, length)))
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.nat(255), (at, value) => {
        const damaged = Buffer.from(bytes)
        damaged[at] = value
        keyOf(() => {
          const { editor, element } = opened(damaged)
          if (element) editor.setAttribute(element, { name: 'debuggable', value: false })
          editor.write()
        })
      }),
    )
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (any) => void keyOf(() => new ProtoXmlEditor(any))))
  })

  test.each([
    ['a text alone', proto([2, 'text']), 'no-element'],
    ['nothing', new Uint8Array(), 'no-element'],
    ['a length beyond the end', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f]), 'truncated'],
    ['a number without end', Buffer.alloc(20, 0xff), 'varint'],
    ['two elements in a node', proto([1, proto([3, 'a'])], [1, proto([3, 'b'])]), 'doubled'],
    ['an element and a text in a node', proto([1, proto([3, 'a'])], [2, 'b']), 'doubled'],
  ])('protobuf XML with %s is refused with a key that says why', (_, bytes, key) => {
    expect(keyOf(() => new ProtoXmlEditor(bytes))).toBe(key)
  })

  test('elements below the limit of depth, and too many elements or attributes, are refused', () => {
    let node = proto([1, proto([3, 'a'])])
    for (let depth = 0; depth < 5000; depth++) node = proto([1, proto([3, 'a'], [5, node])])
    expect(keyOf(() => new ProtoXmlEditor(node))).toBe('limit')
    const many = proto([
      1,
      proto([3, 'a'], ...Array.from({ length: 20 }, () => [5, proto([1, proto([3, 'b'])])] as const)),
    ])
    expect(keyOf(() => new ProtoXmlEditor(many, { depth: 9, elements: 10, attributes: 10 }))).toBe('limit')
    const wide = proto([1, proto([3, 'a'], ...Array.from({ length: 20 }, () => [4, proto([2, 'b'])] as const))])
    expect(keyOf(() => new ProtoXmlEditor(wide, { depth: 9, elements: 10, attributes: 10 }))).toBe('limit')
  })
})
