import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { CHUNK_HEADER, type Chunk, chunkAt } from './chunk.ts'
import { type FrameworkAttribute, frameworkAttributeId } from './framework-attributes.ts'
import { AXML_LIMITS, type AxmlLimits } from './read-axml.ts'
import { ResourceNotes } from './resource-notes.ts'
import { NO_STRINGS, readStringPool, STRING_POOL, type StringPool } from './string-pool.ts'
import { VALUE } from './typed-value.ts'
import { writeStringPool } from './write-string-pool.ts'

const XML = 0x0003
const START_NAMESPACE = 0x0100
const END_NAMESPACE = 0x0101
const START_ELEMENT = 0x0102
const END_ELEMENT = 0x0103
const CDATA = 0x0104
const RESOURCE_MAP = 0x0180
const NODE_HEADER = 16
const ATTRIBUTE = 20
const NONE = 0xffffffff
const ANDROID = 'http://schemas.android.com/apk/res/android'

/** A string by its text, or none. The place in the pool is found when the document is written. */
type Text = string | undefined

interface EditedAttribute {
  namespace: Text
  name: string
  /** Of the resource map; 0 without one. */
  id: number
  raw: Text
  type: number
  /** Of a string, the text; else 32 bits. */
  data: string | number
}

/** A value to write: text, or the two parts of a typed value. */
export type NewValue = string | boolean | { readonly type: number; readonly data: number }

/** An attribute to write: of the framework by its name, or any other without namespace and resource id. */
export interface NewAttribute {
  readonly name: FrameworkAttribute | (string & {})
  /** Not of the framework: `package`, `split`. */
  readonly plain?: boolean
  readonly value: NewValue
}

interface NodeBase {
  line: number
  comment: Text
}
interface NamespaceNode extends NodeBase {
  kind: 'namespace'
  begins: boolean
  prefix: Text
  uri: Text
}
interface TextNode extends NodeBase {
  kind: 'text'
  text: Text
  type: number
  data: string | number
}

/** An element that can be edited; `children` has what is inside, texts too, in order. */
export interface EditableElement extends NodeBase {
  readonly kind: 'element'
  readonly namespace: Text
  readonly name: string
  readonly attributes: EditedAttribute[]
  readonly children: (EditableElement | TextNode | NamespaceNode)[]
  endLine: number
  /** The attributes named id, class and style, which the node points at. */
  marked: (EditedAttribute | undefined)[]
}

/**
 * Binary XML (ResXMLTree) that is read, changed and written: elements, attributes, texts, namespaces, comments and lines keep what they say;
 * chunks that Android passes over are left out. Without a change the document that is written reads as the one that was read.
 * Throws FormatError of format `axml`: `truncated`, `not-axml`, `limit`, `unclosed` where elements do not nest.
 */
export class AxmlEditor {
  readonly root: EditableElement
  private readonly before: NamespaceNode[] = []
  private readonly after: NamespaceNode[] = []
  private readonly utf8: boolean

  constructor(bytes: Uint8Array, limits: AxmlLimits = AXML_LIMITS) {
    const parsed = new Parser(bytes, limits).parse()
    this.root = parsed.root
    this.before = parsed.before
    this.after = parsed.after
    this.utf8 = parsed.utf8
  }

  /** Elements of that name directly inside of another one. */
  childrenOf(parent: EditableElement, name: string): EditableElement[] {
    return parent.children.filter((child): child is EditableElement => child.kind === 'element' && child.name === name)
  }

  /** Sets an attribute, or adds it: those with resource ids stay in the order of their ids, by which Android finds them. */
  setAttribute(element: EditableElement, attribute: NewAttribute): void {
    const made = this.attributeOf(attribute)
    const { attributes } = element
    const at = attributes.findIndex((one) => sameAttribute(one, made))
    if (at >= 0) {
      const [old] = attributes.splice(at, 1, made)
      element.marked = element.marked.map((one) => (one === old ? made : one))
      return
    }
    const before = made.id ? attributes.findIndex(({ id }) => id === 0 || id > made.id) : -1
    attributes.splice(before < 0 ? attributes.length : before, 0, made)
  }

  /** Whether there was one. */
  removeAttribute(element: EditableElement, { name, plain = false }: Pick<NewAttribute, 'name' | 'plain'>): boolean {
    const wanted = this.attributeOf({ name, plain, value: '' })
    const at = element.attributes.findIndex((one) => sameAttribute(one, wanted))
    if (at < 0) return false
    const [old] = element.attributes.splice(at, 1)
    element.marked = element.marked.map((one) => (one === old ? undefined : one))
    return true
  }

  /** A new element behind the other ones inside of `parent`, or before them. */
  addElement(
    parent: EditableElement,
    name: string,
    attributes: readonly NewAttribute[] = [],
    place: 'first' | 'last' = 'last',
  ): EditableElement {
    const { line } = parent
    const element: EditableElement = {
      kind: 'element',
      namespace: undefined,
      name,
      attributes: [],
      children: [],
      line,
      endLine: line,
      comment: undefined,
      marked: [undefined, undefined, undefined],
    }
    for (const attribute of attributes) this.setAttribute(element, attribute)
    if (place === 'first') parent.children.unshift(element)
    else parent.children.push(element)
    return element
  }

  removeElement(parent: EditableElement, element: EditableElement): boolean {
    const at = parent.children.indexOf(element)
    if (at >= 0) parent.children.splice(at, 1)
    return at >= 0
  }

  write(): Uint8Array {
    return new Writer(this.utf8).write(this.before, this.root, this.after)
  }

  private attributeOf({ name, plain = false, value }: NewAttribute): EditedAttribute {
    const id = plain ? 0 : frameworkAttributeId(name as FrameworkAttribute)
    if (id === undefined) throw new FormatError('axml', 'attribute', -1, `no framework attribute ${name} is known here`)
    if (!plain) this.declareAndroid()
    const typed =
      typeof value === 'string'
        ? { raw: value, type: VALUE.string, data: value }
        : typeof value === 'boolean'
          ? { raw: undefined, type: VALUE.boolean, data: value ? NONE : 0 }
          : { raw: undefined, ...value }
    return { namespace: plain ? undefined : ANDROID, name, id, ...typed }
  }

  private declareAndroid(): void {
    if (this.before.some(({ uri, begins }) => begins && uri === ANDROID)) return
    const node = {
      kind: 'namespace' as const,
      prefix: 'android',
      uri: ANDROID,
      line: this.root.line,
      comment: undefined,
    }
    this.before.push({ ...node, begins: true })
    this.after.unshift({ ...node, begins: false })
  }
}

function sameAttribute(one: EditedAttribute, other: EditedAttribute): boolean {
  if (one.id || other.id) return one.id === other.id
  return one.name === other.name && (one.namespace ?? '') === (other.namespace ?? '')
}

class Parser {
  private readonly reader: ByteReader
  private readonly notes = new ResourceNotes()
  private readonly bytes: Uint8Array
  private readonly limits: AxmlLimits
  private strings: StringPool = NO_STRINGS
  private ids: number[] = []
  private readonly before: NamespaceNode[] = []
  private readonly after: NamespaceNode[] = []
  private readonly stack: EditableElement[] = []
  private root: EditableElement | undefined
  private elements = 0
  private attributes = 0

  constructor(bytes: Uint8Array, limits: AxmlLimits) {
    this.bytes = bytes
    this.limits = limits
    this.reader = new ByteReader(bytes, 'axml')
  }

  parse() {
    const { reader } = this
    if (reader.u16() !== XML) throw reader.error('not-axml', 'no binary XML', 0)
    const headerSize = reader.u16()
    const end = Math.min(reader.u32(), this.bytes.length)
    for (let at = Math.max(CHUNK_HEADER, headerSize); at < end; ) {
      const chunk = chunkAt(reader, at, end, this.notes)
      if (!chunk) break
      this.chunk(chunk)
      at += chunk.size
    }
    if (!this.root) throw reader.error('not-axml', 'no element', 0)
    if (this.stack.length) throw reader.error('unclosed', `${this.stack.length} elements are never closed`, end)
    return { root: this.root, before: this.before, after: this.after, utf8: this.strings.utf8 }
  }

  private chunk(chunk: Chunk): void {
    const { type } = chunk
    if (type === STRING_POOL && !this.elements) this.strings = readStringPool(this.bytes, chunk, this.notes)
    else if (type === RESOURCE_MAP && !this.elements) this.ids = this.mapOf(chunk)
    else if (type >= START_NAMESPACE && type <= CDATA) this.node(chunk)
  }

  private mapOf(chunk: Chunk): number[] {
    this.reader.seek(chunk.offset + Math.max(CHUNK_HEADER, Math.min(chunk.headerSize, chunk.size)))
    const ids: number[] = []
    for (let left = chunk.offset + chunk.size - this.reader.position; left >= 4; left -= 4) ids.push(this.reader.u32())
    return ids
  }

  private node(chunk: Chunk): void {
    const { reader } = this
    const body = chunk.offset + Math.max(NODE_HEADER, Math.min(chunk.headerSize, chunk.size))
    const node = new ByteReader(this.bytes.subarray(0, chunk.offset + chunk.size), 'axml', {
      position: chunk.offset + 8,
    })
    const line = node.u32()
    const comment = this.text(node.u32())
    node.seek(body)
    if (chunk.type === START_ELEMENT) this.start(node, { line, comment })
    else if (chunk.type === END_ELEMENT) {
      const open = this.stack.pop()
      if (!open) throw reader.error('unclosed', 'an end without element', chunk.offset)
      open.endLine = line
    } else if (chunk.type === CDATA) {
      const text = this.text(node.u32())
      this.stack.at(-1)?.children.push({ kind: 'text', line, comment, text, ...this.value(node) })
    } else
      this.namespace({
        kind: 'namespace',
        begins: chunk.type === START_NAMESPACE,
        line,
        comment,
        prefix: this.text(node.u32()),
        uri: this.text(node.u32()),
      })
  }

  private namespace(node: NamespaceNode): void {
    const parent = this.stack.at(-1)
    if (parent) parent.children.push(node)
    else if (this.root) this.after.push(node)
    else this.before.push(node)
  }

  private start(node: ByteReader, base: NodeBase): void {
    const at = node.position
    if (++this.elements > this.limits.elements)
      throw node.error('limit', `more than ${this.limits.elements} elements`, at)
    if (this.stack.length >= this.limits.depth)
      throw node.error('limit', `elements below level ${this.limits.depth}`, at)
    const namespace = this.text(node.u32())
    const name = this.text(node.u32()) ?? ''
    const start = node.u16()
    const size = node.u16()
    const count = node.u16()
    const marks = [node.u16(), node.u16(), node.u16()]
    this.attributes += count
    if (this.attributes > this.limits.attributes) throw node.error('limit', 'too many attributes', at)
    const attributes = Array.from({ length: count }, (_, i) =>
      this.attribute(node.seek(at + start + Math.max(size, ATTRIBUTE) * i)),
    )
    const element: EditableElement = {
      ...base,
      kind: 'element',
      namespace,
      name,
      attributes,
      children: [],
      endLine: base.line,
      marked: marks.map((mark) => attributes[mark - 1]),
    }
    const parent = this.stack.at(-1)
    if (parent) parent.children.push(element)
    else if (this.root) throw node.error('unclosed', 'a second root', at)
    else this.root = element
    this.stack.push(element)
  }

  private attribute(node: ByteReader): EditedAttribute {
    const namespace = this.text(node.u32())
    const index = node.u32()
    const raw = this.text(node.u32())
    return { namespace, name: this.text(index) ?? '', id: this.ids[index] ?? 0, raw, ...this.value(node) }
  }

  private value(node: ByteReader): { type: number; data: string | number } {
    node.skip(3) // size of the value (u16) and a zero byte
    const type = node.u8()
    const data = node.u32()
    if (type !== VALUE.string) return { type, data }
    // A place outside of the pool would be another string in the one that is written.
    return { type, data: this.text(data) ?? NONE }
  }

  private text(index: number): Text {
    return index === NONE ? undefined : this.strings.at(index)
  }
}

/** Collects strings, then writes the chunks. Names with resource ids come first in the pool, in the order of the resource map. */
class Writer {
  private readonly utf8: boolean
  private readonly ids = new Map<string, number>()
  private readonly idList: number[] = []
  private readonly names: string[] = []
  private readonly strings = new Map<string, number>()
  private readonly chunks: Buffer[] = []

  constructor(utf8: boolean) {
    this.utf8 = utf8
  }

  write(before: readonly NamespaceNode[], root: EditableElement, after: readonly NamespaceNode[]): Uint8Array {
    this.collectIds(root)
    for (const node of before) this.namespace(node)
    this.element(root)
    for (const node of after) this.namespace(node)
    const pool = writeStringPool([...this.names, ...this.strings.keys()], this.utf8)
    const map = this.idList.length ? [chunk(RESOURCE_MAP, CHUNK_HEADER, u32(...this.idList))] : []
    return chunk(XML, CHUNK_HEADER, pool, ...map, ...this.chunks)
  }

  private collectIds(element: EditableElement): void {
    for (const { name, id } of element.attributes) {
      const key = `${id} ${name}`
      if (!id || this.ids.has(key)) continue
      this.ids.set(key, this.names.length)
      this.names.push(name)
      this.idList.push(id)
    }
    for (const child of element.children) if (child.kind === 'element') this.collectIds(child)
  }

  private index(text: Text): number {
    if (text === undefined) return NONE
    const known = this.strings.get(text)
    if (known !== undefined) return known
    const index = this.names.length + this.strings.size
    this.strings.set(text, index)
    return index
  }

  private node(type: number, { line, comment }: NodeBase, ...body: Buffer[]): void {
    this.chunks.push(chunk(type, NODE_HEADER, u32(line, this.index(comment)), ...body))
  }

  private namespace(node: NamespaceNode): void {
    this.node(node.begins ? START_NAMESPACE : END_NAMESPACE, node, u32(this.index(node.prefix), this.index(node.uri)))
  }

  private element(element: EditableElement): void {
    const { namespace, name, attributes, marked, children, endLine } = element
    const marks = marked.map((one) => (one ? attributes.indexOf(one) + 1 : 0))
    const head = Buffer.concat([
      u32(this.index(namespace), this.index(name)),
      u16(ATTRIBUTE, ATTRIBUTE, attributes.length, ...marks),
    ])
    this.node(START_ELEMENT, element, head, ...attributes.map((one) => this.attribute(one)))
    for (const child of children)
      if (child.kind === 'element') this.element(child)
      else if (child.kind === 'namespace') this.namespace(child)
      else this.node(CDATA, child, u32(this.index(child.text)), this.value(child))
    this.node(END_ELEMENT, { line: endLine, comment: undefined }, u32(this.index(namespace), this.index(name)))
  }

  private attribute(attribute: EditedAttribute): Buffer {
    const { namespace, name, id, raw } = attribute
    const nameIndex = id ? this.ids.get(`${id} ${name}`)! : this.index(name)
    return Buffer.concat([u32(this.index(namespace), nameIndex, this.index(raw)), this.value(attribute)])
  }

  private value({ type, data }: { type: number; data: string | number }): Buffer {
    return Buffer.concat([u16(8), Buffer.from([0, type]), u32(typeof data === 'string' ? this.index(data) : data)])
  }
}

function chunk(type: number, headerSize: number, ...parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, CHUNK_HEADER)
  return Buffer.concat([u16(type, headerSize), u32(size), ...parts])
}

function u16(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * values.length)
  values.forEach((value, i) => void bytes.writeUInt16LE(value, 2 * i))
  return bytes
}

function u32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  values.forEach((value, i) => void bytes.writeUInt32LE(value >>> 0, 4 * i))
  return bytes
}
