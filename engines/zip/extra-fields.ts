/** A field of the extra data of a header (APPNOTE 4.5). */
export interface ExtraField {
  readonly id: number
  readonly value: Uint8Array
}

const ZIP64 = 0x0001
/** Written by apksigner and by us: the multiple on which the content begins, then padding. */
const ALIGNMENT = 0xd935

/** The fields in their order. Padding without a header, which zipalign writes, and what is cut off end the list. */
export function readExtraFields(extra: Uint8Array): ExtraField[] {
  const view = new DataView(extra.buffer, extra.byteOffset, extra.length)
  const fields: ExtraField[] = []
  for (let at = 0; at + 4 <= extra.length; ) {
    const id = view.getUint16(at, true)
    const length = view.getUint16(at + 2, true)
    if (id === 0 || at + 4 + length > extra.length) break
    fields.push({ id, value: extra.subarray(at + 4, at + 4 + length) })
    at += 4 + length
  }
  return fields
}

/** What of extra data is kept in a rewrite: sizes and alignment are written for the new place. */
export function keptExtra(extra: Uint8Array): Uint8Array {
  if (!extra.length) return extra
  const kept = readExtraFields(extra).filter(({ id }) => id !== ZIP64 && id !== ALIGNMENT)
  return joinFields(kept)
}

/** The multiple that the alignment field of a header names, 1 without one. */
export function declaredAlignment(extra: Uint8Array): number {
  const value = readExtraFields(extra).find(({ id }) => id === ALIGNMENT)?.value
  return value && value.length >= 2 ? Math.max(1, value[0]! + value[1]! * 256) : 1
}

/** 64-bit values in the order that the format wants: size, packed size, offset. */
export function zip64Field(values: readonly number[]): Uint8Array {
  const value = Buffer.alloc(values.length * 8)
  values.forEach((one, i) => void value.writeBigUInt64LE(BigInt(one), i * 8))
  return joinFields([{ id: ZIP64, value }])
}

/** A field that moves content from `offset` (where it would begin without the field) to the next multiple of `alignment`. */
export function alignmentField(offset: number, alignment: number): Uint8Array {
  let padding = (alignment - (offset % alignment)) % alignment
  if (padding === 0) return new Uint8Array()
  while (padding < 6) padding += alignment
  const value = Buffer.alloc(padding - 4)
  value.writeUInt16LE(alignment, 0)
  return joinFields([{ id: ALIGNMENT, value }])
}

function joinFields(fields: readonly ExtraField[]): Uint8Array {
  return Buffer.concat(
    fields.flatMap(({ id, value }) => {
      const head = Buffer.alloc(4)
      head.writeUInt16LE(id, 0)
      head.writeUInt16LE(value.length, 2)
      return [head, value]
    }),
  )
}
