import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { CHUNK_HEADER, type Chunk, chunkAt } from './chunk.ts'
import { type ResourceNote, ResourceNotes } from './resource-notes.ts'
import { NO_STRINGS, readStringPool, STRING_POOL, type StringPool } from './string-pool.ts'
import { readTypedValue, type TypedValue, VALUE } from './typed-value.ts'

const XML = 0x0003
const START_NAMESPACE = 0x0100
const END_NAMESPACE = 0x0101
const START_ELEMENT = 0x0102
const END_ELEMENT = 0x0103
const CDATA = 0x0104
const RESOURCE_MAP = 0x0180
const NODE_HEADER = 16
const ATTRIBUTE = 20

export interface XmlAttribute {
  /** As written; packers empty it or write another one where `resourceId` is what Android goes by. */
  readonly name: string
  /** URI, empty where none. */
  readonly namespace: string
  /** Id of the attribute in a resource table, undefined for those without one (`package`, `split`). */
  readonly resourceId?: number
  readonly value: TypedValue
  readonly offset: number
}

export interface XmlElement {
  readonly name: string
  readonly namespace: string
  /** Line in the source, as the file says. */
  readonly line: number
  readonly offset: number
  readonly attributes: readonly XmlAttribute[]
  readonly children: readonly XmlElement[]
  /** Text directly inside, in pieces. */
  readonly texts: readonly string[]
}

export interface XmlDocument {
  readonly root: XmlElement
  /** In the order of their declaration. */
  readonly namespaces: readonly { readonly prefix: string; readonly uri: string }[]
  readonly notes: readonly ResourceNote[]
}

/** Elements below `depth` are left out with a note; more than `elements` throw FormatError `limit`. */
export interface AxmlLimits {
  readonly depth: number
  readonly elements: number
  readonly attributes: number
}

export const AXML_LIMITS: AxmlLimits = { depth: 64, elements: 100_000, attributes: 1_000_000 }

interface Open {
  element: XmlElement
  children: XmlElement[]
  texts: string[]
}

/**
 * Reads binary XML as Android's ResXMLTree does: the type of the file is not looked at, unknown chunks are passed over, header and
 * attribute sizes are believed where they fit, a missing end is no error. Each such thing is noted.
 * Throws FormatError `truncated`, `not-axml` (no element in it), `limit`.
 */
export function readAxml(bytes: Uint8Array, limits: AxmlLimits = AXML_LIMITS): XmlDocument {
  return new AxmlReader(bytes, limits).read()
}

class AxmlReader {
  private readonly reader: ByteReader
  private readonly notes = new ResourceNotes()
  private strings: StringPool = NO_STRINGS
  private resourceIds: number[] = []
  private readonly namespaces: { prefix: string; uri: string }[] = []
  private readonly stack: Open[] = []
  private root: XmlElement | undefined
  /** Elements open below the depth limit. */
  private below = 0
  private elements = 0
  private attributes = 0
  private readonly bytes: Uint8Array
  private readonly limits: AxmlLimits

  constructor(bytes: Uint8Array, limits: AxmlLimits) {
    this.bytes = bytes
    this.limits = limits
    this.reader = new ByteReader(bytes, 'axml')
  }

  read(): XmlDocument {
    const { reader, notes } = this
    const type = reader.u16()
    const headerSize = reader.u16()
    const declared = reader.u32()
    if (type !== XML) notes.add('type', 0, `type 0x${type.toString(16)} in place of 0x3`)
    let end = this.bytes.length
    if (declared > end) notes.add('size', 0, `${declared} bytes declared, ${end} there`, true)
    else if (declared >= CHUNK_HEADER) end = declared
    let at = CHUNK_HEADER
    if (headerSize >= CHUNK_HEADER && headerSize <= end) at = headerSize
    if (headerSize !== CHUNK_HEADER) notes.add('header-size', 0, `file header of ${headerSize} bytes`, headerSize < 8)
    while (at < end) {
      const chunk = chunkAt(reader, at, end, notes)
      if (!chunk) break
      this.chunk(chunk)
      at += chunk.size
    }
    if (this.stack.length) notes.add('unclosed', end, `${this.stack.length} elements are never closed`)
    if (!this.root) throw new FormatError('axml', 'not-axml', 0, 'no element')
    return { root: this.root, namespaces: this.namespaces, notes: notes.list }
  }

  private chunk(chunk: Chunk): void {
    switch (chunk.type) {
      case STRING_POOL:
        // Android takes pools and maps only before the first element.
        if (!this.elements) this.strings = readStringPool(this.bytes, chunk, this.notes)
        else this.notes.add('junk', chunk.offset, 'a string pool among the elements')
        break
      case RESOURCE_MAP:
        if (!this.elements) this.resourceIds = this.mapOf(chunk)
        else this.notes.add('junk', chunk.offset, 'a resource map among the elements')
        break
      case START_NAMESPACE:
        this.namespace(chunk)
        break
      case START_ELEMENT:
        this.start(chunk)
        break
      case END_ELEMENT:
        this.end(chunk)
        break
      case CDATA:
        this.text(chunk)
        break
      case END_NAMESPACE:
        break
      default:
        this.notes.add('junk', chunk.offset, `unknown chunk 0x${chunk.type.toString(16)} of ${chunk.size} bytes`)
    }
  }

  private mapOf(chunk: Chunk): number[] {
    const ids: number[] = []
    this.reader.seek(this.bodyOf(chunk, CHUNK_HEADER))
    for (let left = chunk.offset + chunk.size - this.reader.position; left >= 4; left -= 4) ids.push(this.reader.u32())
    return ids
  }

  /** Where the part behind the header begins; header sizes that do not fit are taken as the usual ones. */
  private bodyOf(chunk: Chunk, usual: number): number {
    const size = chunk.headerSize >= CHUNK_HEADER && chunk.headerSize <= chunk.size ? chunk.headerSize : usual
    return chunk.offset + Math.min(size, chunk.size)
  }

  /** Begin of the extension of a node, undefined (noted) where it does not hold `length` bytes. */
  private extension(chunk: Chunk, length: number): number | undefined {
    const at = this.bodyOf(chunk, NODE_HEADER)
    if (at + length <= chunk.offset + chunk.size) return at
    this.notes.add('chunk', chunk.offset, 'node without content', true)
    return undefined
  }

  private namespace(chunk: Chunk): void {
    const at = this.extension(chunk, 8)
    if (at === undefined) return
    const prefix = this.strings.at(this.reader.seek(at).u32()) ?? ''
    const uri = this.strings.at(this.reader.u32()) ?? ''
    if (!this.namespaces.some((known) => known.uri === uri)) {
      if (this.namespaces.length >= 256) this.notes.add('namespace', chunk.offset, 'more than 256 namespaces')
      else this.namespaces.push({ prefix, uri })
    }
  }

  private start(chunk: Chunk): void {
    const at = this.extension(chunk, 20)
    if (at === undefined) return
    if (++this.elements > this.limits.elements)
      throw new FormatError('axml', 'limit', chunk.offset, `more than ${this.limits.elements} elements`)
    if (this.stack.length >= this.limits.depth || this.below) {
      if (!this.below++) this.notes.add('depth', chunk.offset, `elements below level ${this.limits.depth} are left out`)
      return
    }
    const { reader } = this
    const line = chunk.size >= 12 ? reader.seek(chunk.offset + 8).u32() : 0
    const namespace = this.strings.at(reader.seek(at).u32()) ?? ''
    const name = this.strings.at(reader.u32()) ?? ''
    const open: Open = {
      element: undefined as never,
      children: [],
      texts: [],
    }
    const attributes = this.attributesOf(chunk, at)
    open.element = {
      name,
      namespace,
      line,
      offset: chunk.offset,
      attributes,
      children: open.children,
      texts: open.texts,
    }
    const parent = this.stack.at(-1)
    if (parent) parent.children.push(open.element)
    else if (!this.root) this.root = open.element
    else this.notes.add('second-root', chunk.offset, `<${name}> beside the root is left out`)
    this.stack.push(open)
  }

  private attributesOf(chunk: Chunk, at: number): XmlAttribute[] {
    const { reader, strings } = this
    reader.seek(at + 8)
    const start = reader.u16()
    const size = reader.u16()
    let count = reader.u16()
    if (!count) return []
    const room = chunk.offset + chunk.size - at - start
    if (size !== ATTRIBUTE) this.notes.add('attributes', chunk.offset, `attributes of ${size} bytes`)
    const fitting = room < ATTRIBUTE ? 0 : size < ATTRIBUTE ? 1 : 1 + Math.floor((room - ATTRIBUTE) / size)
    if (count > fitting) {
      this.notes.add('attributes', chunk.offset, `${count} attributes declared, ${fitting} fit`, true)
      count = fitting
    }
    this.attributes += count
    if (this.attributes > this.limits.attributes)
      throw new FormatError('axml', 'limit', chunk.offset, `more than ${this.limits.attributes} attributes`)
    const attributes: XmlAttribute[] = []
    for (let i = 0; i < count; i++) {
      const offset = at + start + size * i
      const namespace = strings.at(reader.seek(offset).u32()) ?? ''
      const nameIndex = reader.u32()
      const rawIndex = reader.u32()
      const typed = readTypedValue(reader, strings)
      // Old writers give text in the raw value alone.
      const raw = typed.type === VALUE.string && typed.text === undefined ? strings.at(rawIndex) : undefined
      const resourceId = this.resourceIds[nameIndex]
      attributes.push({
        name: strings.at(nameIndex) ?? '',
        namespace,
        ...(resourceId && { resourceId }),
        value: raw === undefined ? typed : { ...typed, text: raw },
        offset,
      })
    }
    return attributes
  }

  private end(chunk: Chunk): void {
    if (this.below) this.below--
    else if (!this.stack.pop()) this.notes.add('unopened', chunk.offset, 'an end without element')
  }

  private text(chunk: Chunk): void {
    const at = this.extension(chunk, 4)
    if (at === undefined || this.below) return
    const text = this.strings.at(this.reader.seek(at).u32())
    if (text !== undefined) this.stack.at(-1)?.texts.push(text)
  }
}
