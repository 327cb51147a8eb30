import { type PartValue, UNKNOWN, VALUE_LIMIT } from './code-part.ts'

const scratch = new DataView(new ArrayBuffer(8))

/** Registers (or stack words) that a type takes. */
export const wordsOf = (type: string): number => (type === 'J' || type === 'D' ? 2 : 1)

/** A number as the declared type says: 0 of an object is null, bits of a float are its value. */
export function typedValue(value: PartValue, type: string): PartValue {
  if (value.kind !== 'number') return value
  const bits = value.value
  if (type.startsWith('L') || type.startsWith('[')) return bits === 0 ? { kind: 'null' } : value
  if (type === 'F' && typeof bits === 'number') {
    scratch.setInt32(0, bits)
    return { kind: 'number', value: scratch.getFloat32(0) }
  }
  if (type === 'D' && typeof bits === 'bigint') {
    scratch.setBigInt64(0, bits)
    return { kind: 'number', value: scratch.getFloat64(0) }
  }
  return value
}

/** Do both say the same? */
export function sameValue(a: PartValue, b: PartValue): boolean {
  if (a.kind !== b.kind) return false
  if ('address' in a && 'address' in b) return a.address === b.address
  if ('value' in a && 'value' in b) return Object.is(a.value, b.value)
  if ('descriptor' in a && 'descriptor' in b) return a.descriptor === b.descriptor
  if ('field' in a && 'field' in b) return a.field === b.field
  if ('index' in a && 'index' in b) return a.index === b.index
  if (a.kind === 'array' && b.kind === 'array')
    return a.length === b.length && sameBytes(a.bytes, b.bytes) && sameTexts(a.texts, b.texts)
  return true
}

function sameBytes(a: Uint8Array | undefined, b: Uint8Array | undefined): boolean {
  if (!a || !b) return a === b
  return a.length === b.length && a.every((byte, i) => byte === b[i])
}

function sameTexts(a: readonly string[] | undefined, b: readonly string[] | undefined): boolean {
  if (!a || !b) return a === b
  return a.length === b.length && a.every((text, i) => text === b[i])
}

/** Each value once; unknown where they are more than are distinguished. */
export function distinctValues(values: readonly PartValue[]): PartValue[] {
  const kept: PartValue[] = []
  for (const value of values) {
    if (kept.some((other) => sameValue(other, value))) continue
    if (kept.length === VALUE_LIMIT) return [UNKNOWN]
    kept.push(value)
  }
  return kept
}
