/** A text as modified UTF-8, without length and zero ('MUTF-8 (Modified UTF-8) Encoding' of the dex format). */
export function mutf8Of(text: string): Uint8Array {
  let size = 0
  for (let i = 0; i < text.length; i++) size += widthOf(text.charCodeAt(i))
  const bytes = new Uint8Array(size)
  let at = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    const width = widthOf(unit)
    if (width === 1) bytes[at++] = unit
    else {
      bytes[at++] = width === 2 ? 0xc0 | (unit >> 6) : 0xe0 | (unit >> 12)
      if (width === 3) bytes[at++] = 0x80 | ((unit >> 6) & 0x3f)
      bytes[at++] = 0x80 | (unit & 0x3f)
    }
  }
  return bytes
}

function widthOf(unit: number): number {
  if (unit > 0 && unit < 0x80) return 1
  return unit < 0x800 ? 2 : 3
}
