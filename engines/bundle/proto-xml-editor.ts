import { ANDROID_NAMESPACE } from '../axml/find-attribute.ts'
import { type FrameworkAttribute, frameworkAttributeId } from '../axml/framework-attributes.ts'
import { AXML_LIMITS, type AxmlLimits } from '../axml/read-axml.ts'
import { FormatError } from '../bytes/format-error.ts'
import { protoValue, text } from './proto-value.ts'
import { type ProtoField, type ProtoMessage, protoFields, protoText } from './protobuf.ts'
import { bytesField, numberField } from './write-protobuf.ts'

/** Numbers of fields in aapt's Resources.proto: XmlNode, XmlElement, XmlAttribute, and those of a boolean in its compiled item. */
const NODE = { element: 1, text: 2 } as const
const ELEMENT = { namespace: 2, name: 3, attribute: 4, child: 5 } as const
const ATTRIBUTE = { namespace: 1, name: 2, value: 3, id: 5, compiled: 6 } as const
const [PRIMITIVE, BOOLEAN] = [7, 8]

interface ProtoAttribute {
  readonly namespace: string
  readonly name: string
  /** Resource id; 0 without one. */
  readonly id: number
  /** The value in the form that binary XML has. */
  readonly type: number
  readonly data: string | number
  /** The whole field. */
  readonly field: Uint8Array
}

/** An element that can be edited; what is not an attribute or an element below it stays as it is. */
export interface EditableProtoElement {
  readonly namespace: string
  readonly name: string
  readonly attributes: readonly ProtoAttribute[]
}

type Part = Uint8Array | ProtoAttribute | Element

/** Fields of the node before and behind those of the element, and those of the element in their order. */
interface Element extends EditableProtoElement {
  attributes: ProtoAttribute[]
  readonly parts: Part[]
  readonly before: readonly Uint8Array[]
  readonly after: readonly Uint8Array[]
  /** The whole node, as it is without a change. */
  readonly bytes: Uint8Array
  /** Its field in the node above. */
  readonly field: Uint8Array
  isChanged: boolean
}

/**
 * XML as bundles keep it (XmlNode of aapt's Resources.proto) that is read, changed and written. All that no change is about keeps its bytes,
 * fields that this version does not know too; without a change the bytes are those that were read.
 * Throws FormatError of `protobuf`, and of `proto-xml`: `no-element`, `doubled` (what readers merge), `limit`.
 */
export class ProtoXmlEditor {
  readonly root: EditableProtoElement
  private readonly limits: AxmlLimits
  private elements = 0
  private attributes = 0

  constructor(bytes: Uint8Array, limits: AxmlLimits = AXML_LIMITS) {
    this.limits = limits
    const root = this.element({ bytes, offset: 0 }, bytes, 1)
    if (!root?.name) throw new FormatError('proto-xml', 'no-element', 0, 'no element')
    this.root = root
  }

  /** Elements of that name directly inside of another one. */
  childrenOf(parent: EditableProtoElement, name: string): EditableProtoElement[] {
    return (parent as Element).parts.filter((part): part is Element => isElement(part) && part.name === name)
  }

  /** Sets a framework attribute, all of that name where there are several, or adds it behind the other ones. */
  setAttribute(
    element: EditableProtoElement,
    { name, value }: { readonly name: FrameworkAttribute; readonly value: string | boolean },
  ): void {
    const { parts } = element as Element
    const id = frameworkAttributeId(name)
    const known = parts.flatMap((part, at) => (isAttribute(part) && part.id === id ? [at] : []))
    for (const at of known) parts[at] = this.attribute(written((parts[at] as ProtoAttribute).field, value))
    if (!known.length) {
      const made = [
        bytesField(ATTRIBUTE.namespace, ANDROID_NAMESPACE),
        bytesField(ATTRIBUTE.name, name),
        numberField(ATTRIBUTE.id, id),
      ]
      const last = parts.findLastIndex(isAttribute)
      const first = parts.findIndex(isElement)
      const at = last >= 0 ? last + 1 : first >= 0 ? first : parts.length
      parts.splice(at, 0, this.attribute(written(bytesField(ELEMENT.attribute, Buffer.concat(made)), value)))
    }
    this.changed(element as Element)
  }

  /** Whether there was one. */
  removeAttribute(element: EditableProtoElement, { name }: { readonly name: FrameworkAttribute }): boolean {
    const id = frameworkAttributeId(name)
    const own = element as Element
    const kept = own.parts.filter((part) => !isAttribute(part) || part.id !== id)
    if (kept.length === own.parts.length) return false
    own.parts.splice(0, own.parts.length, ...kept)
    this.changed(own)
    return true
  }

  write(): Uint8Array {
    return nodeBytes(this.root as Element)
  }

  private changed(element: Element): void {
    element.isChanged = true
    element.attributes = element.parts.filter(isAttribute)
  }

  /** The element of a node; undefined for text. `field` is the node with its key and length. */
  private element(node: ProtoMessage, field: Uint8Array, depth: number): Element | undefined {
    const fields = [...protoFields(node)]
    const at = fields.findIndex(({ number }) => number === NODE.element)
    if (at < 0) return undefined
    const found = fields[at]!
    if (fields.some(({ number }, i) => i !== at && (number === NODE.element || number === NODE.text)))
      throw new FormatError('proto-xml', 'doubled', node.offset, 'a node with several elements or texts')
    if (depth > this.limits.depth)
      throw new FormatError('proto-xml', 'limit', node.offset, `elements below ${this.limits.depth} levels`)
    if (++this.elements > this.limits.elements)
      throw new FormatError('proto-xml', 'limit', node.offset, `more than ${this.limits.elements} elements`)
    let namespace = ''
    let name = ''
    const parts = [...protoFields(found)].map((one): Part => {
      const whole = rawOf(found, one)
      if (one.number === ELEMENT.attribute) return this.attribute(whole)
      if (one.number === ELEMENT.child) return this.element(one, whole, depth + 1) ?? whole
      if (one.number === ELEMENT.namespace) namespace = protoText(one)
      else if (one.number === ELEMENT.name) name = protoText(one)
      return whole
    })
    const rawFields = fields.map((one) => rawOf(node, one))
    return {
      ...{ namespace, name, parts, field, bytes: node.bytes, isChanged: false },
      ...{ before: rawFields.slice(0, at), after: rawFields.slice(at + 1) },
      attributes: parts.filter(isAttribute),
    }
  }

  private attribute(field: Uint8Array): ProtoAttribute {
    if (++this.attributes > this.limits.attributes)
      throw new FormatError('proto-xml', 'limit', 0, `more than ${this.limits.attributes} attributes`)
    const [message] = protoFields({ bytes: field, offset: 0 })
    let [namespace, name, raw, id] = ['', '', '', 0]
    let compiled: ReturnType<typeof protoValue>
    for (const one of protoFields(message!)) {
      if (one.number === ATTRIBUTE.namespace) namespace = protoText(one)
      else if (one.number === ATTRIBUTE.name) name = protoText(one)
      else if (one.number === ATTRIBUTE.value) raw = protoText(one)
      else if (one.number === ATTRIBUTE.id) id = one.value
      else if (one.number === ATTRIBUTE.compiled) compiled = protoValue(one)
    }
    const { type, data, text: content } = compiled ?? text(raw)
    return { namespace, name, id, type, data: content ?? data, field }
  }
}

const isElement = (part: Part): part is Element => 'parts' in part
const isAttribute = (part: Part): part is ProtoAttribute => 'id' in part

const rawOf = ({ bytes, offset }: ProtoMessage, { begin, end }: ProtoField): Uint8Array =>
  bytes.subarray(begin - offset, end - offset)

/** The field of an attribute with another value; its other fields stay in their order. */
function written(field: Uint8Array, value: string | boolean): Uint8Array {
  const [message] = protoFields({ bytes: field, offset: 0 })
  const kept = [...protoFields(message!)]
    .filter(({ number }) => number !== ATTRIBUTE.value && number !== ATTRIBUTE.compiled)
    .map((one) => ({ number: one.number, bytes: rawOf(message!, one) }))
  const put = (number: number, bytes: Uint8Array) => {
    const at = kept.findIndex((one) => one.number > number)
    kept.splice(at < 0 ? kept.length : at, 0, { number, bytes })
  }
  // An empty text is what a missing one says.
  if (value !== '') put(ATTRIBUTE.value, bytesField(ATTRIBUTE.value, String(value)))
  if (typeof value === 'boolean') {
    const compiled = bytesField(PRIMITIVE, numberField(BOOLEAN, value ? 1 : 0))
    put(ATTRIBUTE.compiled, bytesField(ATTRIBUTE.compiled, compiled))
  }
  return bytesField(ELEMENT.attribute, Buffer.concat(kept.map(({ bytes }) => bytes)))
}

const hasChanged = ({ isChanged, parts }: Element): boolean =>
  isChanged || parts.some((part) => isElement(part) && hasChanged(part))

function nodeBytes(element: Element): Uint8Array {
  if (!hasChanged(element)) return element.bytes
  const { before, parts, after } = element
  const content = parts.map((part) => {
    if (isAttribute(part)) return part.field
    if (!isElement(part)) return part
    return hasChanged(part) ? bytesField(ELEMENT.child, nodeBytes(part)) : part.field
  })
  return Buffer.concat([...before, bytesField(NODE.element, Buffer.concat(content)), ...after])
}
