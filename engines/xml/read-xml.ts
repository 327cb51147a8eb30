import { FormatError } from '../bytes/format-error.ts'
import { decodeReferences } from './references.ts'

/** An element of textual XML. Offsets are bytes of the text as UTF-8. */
export interface TextElement {
  /** With its prefix, as written. */
  readonly name: string
  readonly offset: number
  readonly line: number
  readonly attributes: readonly TextAttribute[]
  readonly children: readonly TextElement[]
  /** Text directly inside, references decoded, CDATA included. */
  readonly text: string
}

export interface TextAttribute {
  readonly name: string
  readonly value: string
  readonly offset: number
}

/** Above one of them FormatError `limit` is thrown. */
export interface XmlLimits {
  readonly depth: number
  readonly elements: number
  readonly size: number
}

export const XML_LIMITS: XmlLimits = { depth: 128, elements: 1_000_000, size: 64 * 2 ** 20 }

interface Open {
  name: string
  offset: number
  line: number
  attributes: TextAttribute[]
  children: TextElement[]
  text: string
}

/**
 * Reads textual XML in UTF-8 or UTF-16 as far as property lists and manifests need it: elements, attributes, text, CDATA, comments. A document
 * type is passed over; one that declares something is refused, as are references other than the five of XML and those by number:
 * so nothing can be pulled in or blown up.
 * Throws FormatError of format `xml`: `not-xml`, `truncated`, `syntax`, `mismatch`, `doctype`, `reference`, `limit`.
 */
export function readXml(bytes: Uint8Array, limits: XmlLimits = XML_LIMITS): TextElement {
  if (bytes.length > limits.size) throw new FormatError('xml', 'limit', -1, `${bytes.length} bytes`)
  return new XmlReader(asUtf8(bytes), limits).read()
}

/** Whether the bytes begin as textual XML does. */
export function looksLikeXml(bytes: Uint8Array): boolean {
  const start = Buffer.from(asUtf8(bytes.subarray(0, 256))).toString('latin1')
  return /^(\xef\xbb\xbf)?\s*<[?!A-Za-z_]/.test(start)
}

function asUtf8(bytes: Uint8Array): Uint8Array {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe)
    return Buffer.from(Buffer.from(bytes.subarray(2, bytes.length & ~1)).toString('utf16le'), 'utf8')
  if (a === 0xfe && b === 0xff)
    return Buffer.from(
      Buffer.from(bytes.subarray(2, bytes.length & ~1))
        .swap16()
        .toString('utf16le'),
      'utf8',
    )
  return bytes
}

/** Of one element. */
const MOST_ATTRIBUTES = 500
const NAME = /[A-Za-z_:\x80-\xff][-\w:.\x80-\xff]*/y
const SPACE = /[ \t\r\n]*/y

class XmlReader {
  private readonly bytes: Uint8Array
  private readonly limits: XmlLimits
  /** One character a byte: positions in it are byte offsets, and the marks of XML are ASCII. */
  private readonly source: string
  private at = 0
  private line = 1
  private nextLine: number
  private elements = 0
  private readonly stack: Open[] = []
  private root: TextElement | undefined

  constructor(bytes: Uint8Array, limits: XmlLimits) {
    this.bytes = bytes
    this.limits = limits
    this.source = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    this.nextLine = this.source.indexOf('\n')
  }

  read(): TextElement {
    if (this.source.startsWith('\xef\xbb\xbf')) this.at = 3
    while (!this.root) {
      const mark = this.source.indexOf('<', this.at)
      if (mark < 0) {
        if (!this.stack.length) throw this.error('not-xml', 'no element', 0)
        throw this.error('truncated', `<${this.stack.at(-1)!.name}> is not closed`, this.source.length)
      }
      this.text(this.at, mark)
      this.at = mark
      this.markup()
    }
    return this.root
  }

  private markup(): void {
    const { source, at } = this
    if (source.startsWith('<!--', at)) this.at = this.behind('-->', at + 4)
    else if (source.startsWith('<![CDATA[', at)) {
      const end = this.behind(']]>', at + 9)
      const open = this.stack.at(-1)
      if (open) open.text += this.decoded(at + 9, end - 3)
      this.at = end
    } else if (source.startsWith('<?', at)) this.at = this.behind('?>', at + 2)
    else if (source.startsWith('<!', at)) this.doctype()
    else if (source.startsWith('</', at)) this.close()
    else this.open()
  }

  private doctype(): void {
    const end = this.behind('>', this.at)
    if (!this.source.startsWith('<!DOCTYPE', this.at) || this.source.slice(this.at, end).includes('['))
      throw this.error('doctype', 'a document type that declares something')
    this.at = end
  }

  private open(): void {
    const offset = this.at
    if (++this.elements > this.limits.elements) throw this.error('limit', `more than ${this.limits.elements} elements`)
    if (this.stack.length >= this.limits.depth) throw this.error('limit', `deeper than ${this.limits.depth}`)
    this.at++
    const name = this.name()
    const attributes: TextAttribute[] = []
    for (;;) {
      this.space()
      const mark = this.source[this.at]
      if (mark === '>') {
        this.at++
        break
      }
      if (mark === '/' && this.source[this.at + 1] === '>') {
        this.at += 2
        this.finish({ name, offset, line: this.lineAt(offset), attributes, children: [], text: '' })
        return
      }
      if (attributes.length >= MOST_ATTRIBUTES) throw this.error('limit', `more than ${MOST_ATTRIBUTES} attributes`)
      attributes.push(this.attribute())
    }
    this.stack.push({ name, offset, line: this.lineAt(offset), attributes, children: [], text: '' })
  }

  private attribute(): TextAttribute {
    const offset = this.at
    const name = this.name()
    this.space()
    if (this.source[this.at] !== '=') throw this.error('syntax', `attribute ${name} without a value`)
    this.at++
    this.space()
    const quote = this.source[this.at]
    if (quote !== '"' && quote !== "'") throw this.error('syntax', `value of ${name} without quotes`)
    const end = this.source.indexOf(quote, this.at + 1)
    if (end < 0) throw this.error('truncated', `value of ${name} is not closed`)
    const value = decodeReferences(this.decoded(this.at + 1, end), this.at + 1)
    this.at = end + 1
    return { name, value, offset }
  }

  private close(): void {
    const end = this.behind('>', this.at)
    const name = this.source.slice(this.at + 2, end - 1).trim()
    const open = this.stack.pop()
    if (open?.name !== name) throw this.error('mismatch', `</${name}> closes <${open?.name ?? ''}>`)
    this.at = end
    this.finish(open)
  }

  private finish(element: TextElement): void {
    const parent = this.stack.at(-1)
    if (parent) parent.children.push(element)
    else this.root = element
  }

  private text(from: number, to: number): void {
    const open = this.stack.at(-1)
    if (open && to > from) open.text += decodeReferences(this.decoded(from, to), from)
  }

  private decoded(from: number, to: number): string {
    return Buffer.from(this.bytes.buffer, this.bytes.byteOffset + from, to - from).toString('utf8')
  }

  private name(): string {
    NAME.lastIndex = this.at
    const found = NAME.exec(this.source)
    if (!found) throw this.error(this.at >= this.source.length ? 'truncated' : 'syntax', 'no name')
    const from = this.at
    this.at += found[0].length
    return this.decoded(from, this.at)
  }

  private space(): void {
    SPACE.lastIndex = this.at
    this.at += SPACE.exec(this.source)![0].length
  }

  /** The position behind the next `mark`. */
  private behind(mark: string, from: number): number {
    const found = this.source.indexOf(mark, from)
    if (found < 0) throw this.error('truncated', `no ${mark}`)
    return found + mark.length
  }

  /** Asked in rising order. */
  private lineAt(offset: number): number {
    while (this.nextLine >= 0 && this.nextLine < offset) {
      this.line++
      this.nextLine = this.source.indexOf('\n', this.nextLine + 1)
    }
    return this.line
  }

  private error(key: string, message: string, offset = this.at): FormatError {
    return new FormatError('xml', key, offset, message)
  }
}
