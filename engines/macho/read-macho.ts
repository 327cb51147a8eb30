import { ByteReader } from '../bytes/byte-reader.ts'
import { FormatError } from '../bytes/format-error.ts'
import { MACHO_LIMITS, type Macho, type MachoImage, type MachoLimits } from './macho-facts.ts'
import { readImage } from './read-image.ts'

const FAT = 0xcafebabe
const FAT64 = 0xcafebabf
/** A Java class begins as a fat file does; its version, which lies at the position of the count, is never so low. */
const MOST_FAT = 44
const THIN = new Set([0xfeedface, 0xfeedfacf, 0xcefaedfe, 0xcffaedfe])

/** Whether the bytes begin as a Mach-O file, thin or fat. */
export function isMacho(bytes: Uint8Array): boolean {
  if (bytes.length < 8) return false
  const view = new DataView(bytes.buffer, bytes.byteOffset, 8)
  const magic = view.getUint32(0)
  return THIN.has(magic) || ((magic === FAT || magic === FAT64) && view.getUint32(4) <= MOST_FAT)
}

/**
 * Reads a Mach-O file. An image of a fat file that cannot be read fails the whole only where it is the only one.
 * Throws FormatError of format `macho`: `not-macho`, `truncated`, `empty`, `limit`, `range`.
 */
export function readMacho(bytes: Uint8Array, limits: MachoLimits = MACHO_LIMITS): Macho {
  if (!isMacho(bytes)) throw new FormatError('macho', 'not-macho', 0, 'no Mach-O file')
  const reader = new ByteReader(bytes, 'macho', { littleEndian: false })
  const magic = reader.u32()
  if (magic !== FAT && magic !== FAT64) return { fat: false, images: [readImage(bytes, 0, bytes.length, limits)] }
  const count = reader.u32()
  if (count > limits.images) throw reader.error('limit', `${count} images`)
  const images: MachoImage[] = []
  let failure: FormatError | undefined
  for (let i = 0; i < count; i++) {
    try {
      reader.skip(8)
      const offset = magic === FAT64 ? reader.size64() : reader.u32()
      const size = magic === FAT64 ? reader.size64() : reader.u32()
      reader.skip(magic === FAT64 ? 8 : 4)
      if (offset + size > bytes.length) throw reader.error('truncated', `image ${i} ends outside of the file`)
      images.push(readImage(bytes, offset, size, limits))
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      failure ??= error
    }
  }
  if (!images.length) throw failure ?? reader.error('empty', 'a fat file without images')
  return { fat: true, images }
}
