import { FormatError } from '../bytes/format-error.ts'
import { type CentralEntry, readCentralDirectory } from './central-directory.ts'
import { readEndRecord } from './end-record.ts'
import { DENSEST } from './entry-bytes.ts'
import { locateContent } from './local-header.ts'
import { readSigningBlock } from './signing-block.ts'
import { ZIP_LIMITS, type ZipArchive, type ZipEntry, type ZipLimits } from './zip-facts.ts'

/**
 * The entries of an archive as Android sees them, with a note for all that is odd. Nothing is unpacked here (see `entryBytes`).
 * Overlapping entries are noted and stay readable: refusing them would let a planted entry hide a real one, and since no entry gives
 * more than it declares, the limit on the total stops a bomb.
 * Throws FormatError `no-end`, `directory`, `zip64`, `truncated`, `limit`.
 */
export function readZip(bytes: Uint8Array, limits: ZipLimits = ZIP_LIMITS): ZipArchive {
  const end = readEndRecord(bytes)
  const central = readCentralDirectory(bytes, end, limits)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const entries: ZipEntry[] = central.map((entry) =>
    Object.assign(entry, { dataOffset: locateContent(view, entry, end.directoryOffset) }),
  )
  noteOverlaps(central as (CentralEntry & ZipEntry)[])
  const byName = noteDuplicates(central, entries)
  checkTotal(entries, bytes.length, limits)
  const signingBlock = readSigningBlock(bytes, end.directoryOffset)
  if (signingBlock?.malformed)
    end.notes.push({ key: 'signing-block', offset: signingBlock.offset, refused: true, detail: signingBlock.malformed })
  const { directoryOffset, directorySize, endOffset, comment, shift, notes } = end
  return {
    bytes,
    entries,
    byName,
    directoryOffset,
    directorySize,
    endOffset,
    comment,
    shift,
    ...(signingBlock && { signingBlock }),
    notes,
  }
}

function noteOverlaps(entries: (CentralEntry & ZipEntry)[]): void {
  const order = entries.filter((entry) => entry.dataOffset >= 0).sort((a, b) => a.localOffset - b.localOffset)
  let reach = 0
  let holder = ''
  for (const entry of order) {
    if (entry.localOffset < reach)
      entry.notes.push({ key: 'overlap', offset: entry.localOffset, refused: false, detail: `inside of ${holder}` })
    const ends = entry.dataOffset + entry.compressedSize
    if (ends > reach) {
      reach = ends
      holder = entry.name
    }
  }
}

/** Android refuses a package with two entries of one name; before 4.3 one part of it took the first and another the last. */
function noteDuplicates(central: CentralEntry[], entries: ZipEntry[]): Map<string, ZipEntry> {
  const byName = new Map<string, ZipEntry>()
  entries.forEach((entry, i) => {
    const first = byName.get(entry.name)
    if (!first) byName.set(entry.name, entry)
    else
      central[i]!.notes.push({
        key: 'duplicate',
        offset: entry.centralOffset,
        refused: true,
        detail: `same name as entry ${first.index}`,
      })
  })
  return byName
}

function checkTotal(entries: ZipEntry[], length: number, limits: ZipLimits): void {
  let total = 0
  // A size that deflate cannot reach is refused by `entryBytes`, so one lie does not cost the whole archive.
  for (const { size, compressedSize } of entries) total += Math.min(size, Math.max(length, DENSEST * compressedSize))
  if (total > limits.totalSize || (total > limits.ratioFloor && total > limits.totalRatio * length))
    throw new FormatError('zip', 'limit', -1, `${total} unpacked bytes in ${length}`)
}
