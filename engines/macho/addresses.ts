import { ByteReader } from '../bytes/byte-reader.ts'
import type { MachoImage, Section } from './macho-facts.ts'

/** The bytes of an image by address and by offset in the file. */
export class ImageBytes {
  readonly image: MachoImage
  readonly file: Uint8Array
  private readonly view: DataView
  private readonly pointerFormat: number
  private readonly base: number

  constructor(file: Uint8Array, image: MachoImage, pointerFormat: number) {
    this.file = file
    this.image = image
    this.view = new DataView(file.buffer, file.byteOffset, Math.min(file.length, image.offset + image.size))
    this.pointerFormat = pointerFormat
    this.base = image.segments.find(({ name }) => name === '__TEXT')?.address ?? 0
  }

  get pointerSize(): number {
    return this.image.bits / 8
  }

  /** Offset in the file of an address; -1 where nothing of the file lies there. */
  offsetOf(address: number): number {
    for (const { address: begin, fileSize, offset } of this.image.segments)
      if (address >= begin && address < begin + fileSize) return offset + (address - begin)
    return -1
  }

  u32(offset: number): number {
    return offset >= 0 && offset + 4 <= this.view.byteLength ? this.view.getUint32(offset, true) : 0
  }

  i32(offset: number): number {
    return this.u32(offset) | 0
  }

  /** The address in a pointer at an offset, chained fixups undone; 0 for one that dyld binds to another image. */
  pointer(offset: number): number {
    if (this.pointerSize === 4) return this.u32(offset)
    if (offset < 0 || offset + 8 > this.view.byteLength) return 0
    const low = this.view.getUint32(offset, true)
    const high = this.view.getUint32(offset + 4, true)
    const bits = (count: number) => (high & (2 ** (count - 32) - 1)) * 2 ** 32 + low
    switch (this.pointerFormat) {
      case 2:
        return high >>> 31 ? 0 : bits(36)
      case 6:
        return high >>> 31 ? 0 : this.base + bits(36)
      case 1:
      case 9:
      case 12: {
        if ((high >>> 30) & 1) return 0
        if (high >>> 31) return this.base + low
        return (this.pointerFormat === 1 ? 0 : this.base) + (high & 0x7ff) * 2 ** 32 + low
      }
      default:
        return (high & 0xffff) * 2 ** 32 + low
    }
  }

  /** Text that ends with NUL at an address; '' if there is no text. */
  textAt(address: number, most = 1024): string {
    const offset = this.offsetOf(address)
    return offset < 0 ? '' : this.text(offset, most)
  }

  text(offset: number, most = 1024): string {
    const part = this.file.subarray(offset, Math.min(offset + most, this.view.byteLength))
    const end = part.indexOf(0)
    return Buffer.from(part.buffer, part.byteOffset, end < 0 ? part.length : end).toString('utf8')
  }

  /** The bytes of a section that lie in the file. */
  sectionBytes({ offset, size }: Section): Uint8Array {
    return offset ? this.file.subarray(offset, Math.min(offset + size, this.view.byteLength)) : this.file.subarray(0, 0)
  }

  section(name: string): Section | undefined {
    return this.image.sections.find((section) => section.name === name)
  }

  /** Sections of these names in their order; where they are laid over each other, no more of them than the file has bytes. */
  sections(...names: readonly string[]): Section[] {
    let left = this.view.byteLength
    return this.image.sections.filter((section) => {
      if (!names.includes(section.name)) return false
      left -= this.sectionBytes(section).length
      return left >= 0
    })
  }

  /** Whether FairPlay has encrypted what lies at an offset. */
  isEncrypted(offset: number): boolean {
    const { encryption } = this.image
    return (
      encryption !== null &&
      encryption.cryptId !== 0 &&
      offset >= encryption.offset &&
      offset < encryption.offset + encryption.size
    )
  }
}

/** An image of a file as bytes by address. */
export function imageBytes(file: Uint8Array, image: MachoImage): ImageBytes {
  return new ImageBytes(file, image, pointerFormatOf(file, image))
}

/** Format of the pointers that LC_DYLD_CHAINED_FIXUPS says; 0 without. */
function pointerFormatOf(file: Uint8Array, { offset, size, chainedFixups }: MachoImage): number {
  if (!chainedFixups) return 0
  const bytes = file.subarray(offset, offset + size)
  const reader = new ByteReader(bytes, 'macho')
  const fits = (at: number, length: number) => at >= 0 && at + length <= bytes.length
  if (!fits(chainedFixups.offset, 8)) return 0
  reader.seek(chainedFixups.offset + 4)
  const starts = chainedFixups.offset + reader.u32()
  if (!fits(starts, 4)) return 0
  const count = Math.min(reader.seek(starts).u32(), 500)
  for (let i = 0; i < count && fits(starts + 4 + 4 * i, 4); i++) {
    const relative = reader.seek(starts + 4 + 4 * i).u32()
    if (relative && fits(starts + relative, 8)) return reader.seek(starts + relative + 6).u16()
  }
  return 0
}
