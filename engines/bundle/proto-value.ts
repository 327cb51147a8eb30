import { type TypedValue, VALUE } from '../axml/typed-value.ts'
import { type ProtoField, type ProtoMessage, protoField, protoFields, protoText } from './protobuf.ts'

/** Numbers of Item's fields in aapt's Resources.proto. */
const ITEM = { reference: 1, string: 2, rawString: 3, styledString: 4, file: 5, id: 6, primitive: 7 } as const

/** A compiled value of a bundle in the form that binary resources have. */
export function protoValue(item: ProtoMessage): TypedValue | undefined {
  for (const field of protoFields(item)) {
    switch (field.number) {
      case ITEM.reference:
        return reference(field)
      case ITEM.string:
      case ITEM.rawString:
      case ITEM.styledString:
      case ITEM.file:
        return text(protoText(protoField(field, 1)))
      case ITEM.id:
        return { type: VALUE.boolean, data: 0 }
      case ITEM.primitive:
        return primitive(field)
    }
  }
  return undefined
}

export const text = (value: string): TypedValue => ({ type: VALUE.string, data: 0, text: value })

/** A reference says id or name; where only the name is given, it becomes text. */
function reference(message: ProtoMessage): TypedValue {
  let id = 0
  let attribute = false
  let name = ''
  for (const field of protoFields(message)) {
    if (field.number === 1) attribute = field.value === 1
    else if (field.number === 2) id = field.value
    else if (field.number === 3) name = protoText(field)
  }
  if (!id && name) return text(`${attribute ? '?' : '@'}${name}`)
  return { type: attribute ? VALUE.attribute : VALUE.reference, data: id }
}

function primitive(message: ProtoMessage): TypedValue | undefined {
  let found: TypedValue | undefined
  for (const field of protoFields(message)) found = primitiveField(field) ?? found
  return found
}

function primitiveField({ number, value, bytes }: ProtoField): TypedValue | undefined {
  switch (number) {
    case 1:
      return { type: VALUE.null, data: 0 }
    case 2:
      return { type: VALUE.null, data: 1 }
    case 3:
      return bytes.length === 4 ? { type: VALUE.float, data: Buffer.from(bytes).readUInt32LE() } : undefined
    case 6:
      return { type: VALUE.decimal, data: value >>> 0 }
    case 7:
      return { type: VALUE.hex, data: value }
    case 8:
      return { type: VALUE.boolean, data: value ? 0xffffffff : 0 }
    case 9:
    case 10:
    case 11:
    case 12:
      return { type: VALUE.firstColor + number - 9, data: value }
    case 13:
      return { type: VALUE.dimension, data: value }
    case 14:
      return { type: VALUE.fraction, data: value }
    default:
      return undefined
  }
}
