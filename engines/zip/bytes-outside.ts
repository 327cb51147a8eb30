import type { ZipArchive } from './zip-facts.ts'

/** Padding of aligned entries and data descriptors are shorter, or empty. */
const SMALLEST = 112

/**
 * Bytes that belong to no entry, to no signing block and to no directory: before, between and after them, and the comment. Where an entry
 * cannot be located, the bytes that it may have are given too.
 */
export function bytesOutside(zip: ZipArchive): { offset: number; bytes: Uint8Array }[] {
  const { bytes, entries, directoryOffset, directorySize, endOffset, signingBlock } = zip
  const taken = [
    ...entries
      .filter(({ dataOffset }) => dataOffset >= 0)
      .map((one) => [one.localOffset, one.dataOffset + one.compressedSize] as const),
    ...(signingBlock ? [[signingBlock.offset, signingBlock.offset + signingBlock.size] as const] : []),
    [directoryOffset, directoryOffset + directorySize] as const,
    [endOffset, endOffset + 22] as const,
  ].sort((a, b) => a[0] - b[0])
  const found: { offset: number; bytes: Uint8Array }[] = []
  let reach = 0
  for (const [from, to] of [...taken, [bytes.length, bytes.length] as const]) {
    if (from - reach >= SMALLEST) found.push({ offset: reach, bytes: bytes.subarray(reach, from) })
    reach = Math.max(reach, to)
  }
  return found
}
