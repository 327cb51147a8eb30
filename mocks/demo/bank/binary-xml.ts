import { AxmlEditor, type EditableElement, type NewAttribute } from '#engines/axml/axml-editor.ts'
import { writeStringPool } from '#engines/axml/write-string-pool.ts'
import { chunk, u16, u32 } from './chunks.ts'

/** An element of a document to write; attributes with values of their own are plain ones, without a name of the framework. */
export interface NewElement {
  readonly name: string
  readonly attributes?: readonly NewAttribute[]
  readonly children?: readonly NewElement[]
  readonly text?: string
}

const XML = 0x0003
const NONE = 0xffffffff

/** Binary XML of a tree, as packages hold their manifest. */
export function binaryXml(root: NewElement): Uint8Array {
  const editor = new AxmlEditor(emptyDocument(root.name))
  const fill = (element: EditableElement, { attributes = [], children = [], text }: NewElement) => {
    for (const attribute of attributes) editor.setAttribute(element, attribute)
    if (text !== undefined)
      element.children.push({ kind: 'text', line: element.line, comment: undefined, text, type: 0, data: 0 })
    for (const child of children) fill(editor.addElement(element, child.name), child)
  }
  fill(editor.root, root)
  return editor.write()
}

/** A root without anything: what the editor begins with. */
function emptyDocument(root: string): Uint8Array {
  const node = (type: number, ...body: Uint8Array[]) => chunk(type, u32(1, NONE), u32(NONE, 0), ...body)
  const attributes = u16(20, 20, 0, 0, 0, 0)
  return chunk(XML, Buffer.alloc(0), writeStringPool([root], true), node(0x0102, attributes), node(0x0103))
}
