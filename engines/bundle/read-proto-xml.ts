import {
  AXML_LIMITS,
  type AxmlLimits,
  type XmlAttribute,
  type XmlDocument,
  type XmlElement,
} from '../axml/read-axml.ts'
import { ResourceNotes } from '../axml/resource-notes.ts'
import { FormatError } from '../bytes/format-error.ts'
import { protoValue, text } from './proto-value.ts'
import { type ProtoMessage, protoField, protoFields, protoText } from './protobuf.ts'

/**
 * Reads XML as bundles keep it (XmlNode of aapt's Resources.proto), in the form that binary XML has. Elements below the depth limit are left out
 * with a note. Throws FormatError of `protobuf`, and of `proto-xml`: `no-element`, `limit`.
 */
export function readProtoXml(bytes: Uint8Array, limits: AxmlLimits = AXML_LIMITS): XmlDocument {
  const reader = new ProtoXml(limits)
  const root = reader.element({ bytes, offset: 0 }, 1)
  if (!root?.name) throw new FormatError('proto-xml', 'no-element', 0, 'no element')
  return { root, namespaces: reader.namespaces, notes: reader.notes.list }
}

class ProtoXml {
  readonly namespaces: { prefix: string; uri: string }[] = []
  readonly notes = new ResourceNotes()
  private readonly limits: AxmlLimits
  private elements = 0
  private attributes = 0

  constructor(limits: AxmlLimits) {
    this.limits = limits
  }

  /** The element of a node; undefined for text, which is in its field. */
  element(node: ProtoMessage, depth: number): XmlElement | undefined {
    const found = protoField(node, 1)
    if (!found) return undefined
    if (++this.elements > this.limits.elements)
      throw new FormatError('proto-xml', 'limit', node.offset, `more than ${this.limits.elements} elements`)
    const source = protoField(node, 3)
    const line = source ? (protoField(source, 1)?.value ?? 0) : 0
    let name = ''
    let namespace = ''
    const attributes: XmlAttribute[] = []
    const children: XmlElement[] = []
    const texts: string[] = []
    for (const field of protoFields(found)) {
      if (field.number === 1) this.declare(field)
      else if (field.number === 2) namespace = protoText(field)
      else if (field.number === 3) name = protoText(field)
      else if (field.number === 4) attributes.push(this.attribute(field))
      else if (field.number === 5) {
        if (depth >= this.limits.depth) {
          this.notes.add('depth', field.offset, `elements below ${this.limits.depth} levels are left out`)
          continue
        }
        const child = this.element(field, depth + 1)
        if (child) children.push(child)
        else texts.push(protoText(protoField(field, 2)))
      }
    }
    return { name, namespace, line, offset: found.offset, attributes, children, texts }
  }

  private declare(field: ProtoMessage): void {
    const uri = protoText(protoField(field, 2))
    if (!this.namespaces.some((one) => one.uri === uri) && this.namespaces.length < 100)
      this.namespaces.push({ prefix: protoText(protoField(field, 1)), uri })
  }

  private attribute(message: ProtoMessage & { offset: number }): XmlAttribute {
    if (++this.attributes > this.limits.attributes)
      throw new FormatError('proto-xml', 'limit', message.offset, `more than ${this.limits.attributes} attributes`)
    let name = ''
    let namespace = ''
    let written = ''
    let resourceId = 0
    let compiled: ReturnType<typeof protoValue>
    for (const field of protoFields(message)) {
      if (field.number === 1) namespace = protoText(field)
      else if (field.number === 2) name = protoText(field)
      else if (field.number === 3) written = protoText(field)
      else if (field.number === 5) resourceId = field.value
      else if (field.number === 6) compiled = protoValue(field)
    }
    const value = compiled ?? text(written)
    return { name, namespace, ...(resourceId && { resourceId }), value, offset: message.offset }
  }
}
