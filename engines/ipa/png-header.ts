const SIGNATURE = '89504e470d0a1a0a'

/** Size of a PNG, and whether it is Apple's form of it (a chunk CgBI before the header); undefined if the file is not of this format. */
export function pngHeader(bytes: Uint8Array): { width: number; height: number; cgbi: boolean } | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  if (file.length < 33 || file.subarray(0, 8).toString('hex') !== SIGNATURE) return undefined
  const cgbi = file.toString('latin1', 12, 16) === 'CgBI'
  const at = cgbi ? 8 + 12 + file.readUInt32BE(8) : 8
  if (at + 16 > file.length || file.toString('latin1', at + 4, at + 8) !== 'IHDR') return undefined
  return { width: file.readUInt32BE(at + 8), height: file.readUInt32BE(at + 12), cgbi }
}
