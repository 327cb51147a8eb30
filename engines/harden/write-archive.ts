import { isSigningEntry } from '../signing/sign-apk.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry } from '../zip/zip-facts.ts'
import { ZipWriter } from '../zip/zip-writer.ts'

export interface ArchiveChanges {
  /** New contents, by the name that the entry has in the archive. */
  readonly contents: ReadonlyMap<string, Uint8Array>
  /** New names. */
  readonly names?: ReadonlyMap<string, string> | undefined
  /** Entries that are left out. */
  readonly removed?: ReadonlySet<string>
  /** Entries that follow the others. */
  readonly added?: readonly { readonly name: string; readonly content: Uint8Array; readonly deflate?: boolean }[]
}

/**
 * Writes an archive with changes, in pieces that follow each other: entries keep their order, time, attributes and method, and all others
 * their packed bytes. A signature, which does not hold any more, is left out. Throws FormatError of format `zip`.
 */
export function writeArchive(
  zip: ZipArchive,
  { contents, names, removed, added = [] }: ArchiveChanges,
  onEntry: (done: number, total: number, name: string) => void,
): readonly Uint8Array[] {
  const pieces: Uint8Array[] = []
  const writer = new ZipWriter((piece) => pieces.push(piece), { zip64: false })
  const order = [...zip.entries].sort((a, b) => a.localOffset - b.localOffset || a.index - b.index)
  for (const [done, entry] of order.entries()) {
    const { name } = entry
    if (isSigningEntry(name) || removed?.has(name)) continue
    onEntry(done, order.length, name)
    const to = names?.get(name)
    const content = contents.get(name) ?? (to === undefined ? undefined : entryBytes(zip, entry))
    if (content) writer.add(to ?? name, content, optionsOf(zip, entry))
    else writer.copy(zip, entry)
  }
  for (const { name, content, deflate } of added) writer.add(name, content, { deflate: deflate ?? true })
  writer.finish(zip.comment)
  return pieces
}

/** A replaced entry is packed as it was, with its time and attributes. */
function optionsOf({ bytes }: ZipArchive, { method, centralOffset, externalAttributes, index }: ZipEntry) {
  const time = new DataView(bytes.buffer, bytes.byteOffset).getUint32(centralOffset + 12, true)
  return { deflate: method !== 0, time, externalAttributes, place: index }
}
