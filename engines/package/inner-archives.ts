import { FormatError } from '../bytes/format-error.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import type { PackageArchive, PackageNote } from './package.ts'
import type { PackageLimits } from './package-limits.ts'

/** Opens archives that lie in another, in the order of their names as given; one that cannot be opened, or is beyond the limits, is noted. */
export function innerArchives(
  outer: PackageArchive,
  names: readonly string[],
  limits: PackageLimits,
  notes: PackageNote[],
): PackageArchive[] {
  const opened: PackageArchive[] = []
  let size = 0
  for (const name of names) {
    const entry = outer.zip.byName.get(name)
    if (!entry) continue
    size += entry.size
    if (opened.length >= limits.innerArchives || size > limits.innerSize) {
      notes.push({ key: 'parts-left-out', entry: outer.prefix + name, detail: 'beyond the limits of inner archives' })
      return opened
    }
    try {
      const zip = readZip(entryBytes(outer.zip, entry, limits.zip), limits.zip)
      opened.push({ prefix: `${outer.prefix}${name}!/`, zip })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      notes.push({ key: 'part-unreadable', entry: outer.prefix + name, detail: error.message })
    }
  }
  return opened
}
