import type { ByteReader } from '../bytes/byte-reader.ts'
import type { StringPool } from './string-pool.ts'

/** Kinds of Res_value. */
export const VALUE = {
  null: 0x00,
  reference: 0x01,
  attribute: 0x02,
  string: 0x03,
  float: 0x04,
  dimension: 0x05,
  fraction: 0x06,
  dynamicReference: 0x07,
  dynamicAttribute: 0x08,
  decimal: 0x10,
  hex: 0x11,
  boolean: 0x12,
  firstColor: 0x1c,
  lastColor: 0x1f,
} as const

export interface TypedValue {
  /** One of VALUE, or whatever the file says. */
  readonly type: number
  /** Unsigned 32 bits. */
  readonly data: number
  /** Of a string, where the pool holds it. */
  readonly text?: string
}

export function readTypedValue(reader: ByteReader, strings: StringPool): TypedValue {
  reader.skip(3)
  const type = reader.u8()
  const data = reader.u32()
  const text = type === VALUE.string ? strings.at(data) : undefined
  return text === undefined ? { type, data } : { type, data, text }
}

export const isReference = (value: TypedValue): boolean =>
  value.type === VALUE.reference || value.type === VALUE.dynamicReference

/** Whole number of a decimal, hexadecimal or boolean value (signed), else undefined. */
export function numberOf(value: TypedValue): number | undefined {
  return value.type >= VALUE.decimal && value.type <= VALUE.lastColor ? value.data | 0 : undefined
}

const DIMENSION_UNITS = ['px', 'dp', 'sp', 'pt', 'in', 'mm']
const FRACTION_UNITS = ['%', '%p']
const RADIX = [2 ** -8, 2 ** -15, 2 ** -23, 2 ** -31]

/** Fixed-point of dimensions and fractions: 24 bits of mantissa, 2 of radix, 4 of unit. */
function complexOf(data: number): number {
  return ((data & 0xffffff00) | 0) * RADIX[(data >> 4) & 3]!
}

/** A value as it stood in the source, as near as can be: `@0x7f…` and `?0x7f…` where `nameOf` knows no name for a reference. */
export function valueText(value: TypedValue, nameOf: (id: number) => string | undefined = () => undefined): string {
  const { type, data } = value
  const named = (mark: string) => {
    const name = nameOf(data)
    return mark + (name ?? `0x${data.toString(16).padStart(8, '0')}`)
  }
  switch (type) {
    case VALUE.string:
      return value.text ?? ''
    case VALUE.null:
      return data === 1 ? '@empty' : '@null'
    case VALUE.reference:
    case VALUE.dynamicReference:
      return data === 0 ? '@null' : named('@')
    case VALUE.attribute:
    case VALUE.dynamicAttribute:
      return named('?')
    case VALUE.float:
      return short(new Float32Array(Uint32Array.of(data).buffer)[0]!)
    case VALUE.dimension:
      return short(complexOf(data)) + (DIMENSION_UNITS[data & 0xf] ?? '')
    case VALUE.fraction:
      return short(complexOf(data) * 100) + (FRACTION_UNITS[data & 0xf] ?? '')
    case VALUE.boolean:
      return data ? 'true' : 'false'
    case VALUE.decimal:
      return String(data | 0)
    case VALUE.hex:
      return `0x${data.toString(16)}`
    default:
      if (type >= VALUE.firstColor && type <= VALUE.lastColor) return `#${data.toString(16).padStart(8, '0')}`
      return `(type 0x${type.toString(16)}) 0x${data.toString(16)}`
  }
}

const short = (value: number) => String(Number(value.toPrecision(7)))
