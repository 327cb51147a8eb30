import type { CentralEntry } from './central-directory.ts'
import type { ZipNote } from './zip-facts.ts'

const LOCAL = 0x04034b50
const LOCAL_SIZE = 30
const HAS_DESCRIPTOR = 8

/**
 * Where the content of an entry begins (-1 where there is no local header), noting each disagreement with the central directory.
 * As on Android the lengths of the local header locate the content, and the central directory says the rest.
 */
export function locateContent(view: DataView, entry: CentralEntry, directoryOffset: number): number {
  const at = entry.localOffset
  const note = (key: ZipNote['key'], detail: string, refused: boolean) =>
    entry.notes.push({ key, offset: at, refused, detail })
  if (at + LOCAL_SIZE > view.byteLength || view.getUint32(at, true) !== LOCAL) {
    note('local-header', 'no local header where the central directory points', true)
    return -1
  }
  const flags = view.getUint16(at + 6, true)
  const method = view.getUint16(at + 8, true)
  const nameLength = view.getUint16(at + 26, true)
  const dataOffset = at + LOCAL_SIZE + nameLength + view.getUint16(at + 28, true)
  if (!sameName(view, at + LOCAL_SIZE, nameLength, entry.nameBytes))
    note('local-name', 'the local header has a different name', true)
  if (method !== entry.method)
    note('local-method', `method ${method} in the local header, ${entry.method} in the directory`, false)
  if ((flags ^ entry.flags) & HAS_DESCRIPTOR) note('local-flags', 'data descriptor flag differs', true)
  if (!(flags & HAS_DESCRIPTOR)) {
    const crc32 = view.getUint32(at + 14, true)
    const compressedSize = view.getUint32(at + 18, true)
    const size = view.getUint32(at + 22, true)
    const same = (local: number, central: number) => local === central || (local === 0xffffffff && central >= local)
    if (crc32 !== entry.crc32 || !same(compressedSize, entry.compressedSize) || !same(size, entry.size))
      note('local-sizes', 'the local header has a different checksum or size', true)
  }
  if (entry.method === 0 && entry.size !== entry.compressedSize)
    note('stored-size', `stored, yet ${entry.compressedSize} packed and ${entry.size} unpacked bytes`, true)
  const length = entry.method === 0 ? entry.size : entry.compressedSize
  if (dataOffset + length > view.byteLength) {
    note('outside', 'content ends outside of the file', true)
    return dataOffset <= view.byteLength ? dataOffset : -1
  }
  if (dataOffset + length > directoryOffset) note('outside', 'content reaches into the central directory', true)
  return dataOffset
}

function sameName(view: DataView, at: number, length: number, name: Uint8Array): boolean {
  if (length !== name.length || at + length > view.byteLength) return false
  for (let i = 0; i < length; i++) if (view.getUint8(at + i) !== name[i]) return false
  return true
}
