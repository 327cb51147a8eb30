import type { ZipArchive, ZipEntry } from './zip-facts.ts'
import type { ZipWriter } from './zip-writer.ts'

/** Copies the chosen entries, all where nothing is chosen, in the order in which their content lies in the archive. */
export function copyEntries(zip: ZipArchive, writer: ZipWriter, chosen?: (entry: ZipEntry) => boolean): void {
  const order = [...zip.entries].sort((a, b) => a.localOffset - b.localOffset || a.index - b.index)
  for (const entry of order) if (!chosen || chosen(entry)) writer.copy(zip, entry)
}
