import { FormatError } from '../bytes/format-error.ts'
import type { CodeEntry } from '../dex/read-program.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { ZIP_LIMITS, type ZipLimits } from '../zip/zip-facts.ts'

/**
 * The class files of an archive, and which could not be unpacked. Variants for later versions of Java (META-INF/versions) and module
 * descriptions are left out, as Android leaves them out.
 * @param prefix put before each entry, such as `classes.jar!/` for an archive in an archive
 * Throws FormatError of `zip`.
 */
export function jarClasses(
  bytes: Uint8Array,
  prefix = '',
  limits: ZipLimits = ZIP_LIMITS,
): { readonly classes: readonly CodeEntry[]; readonly unreadable: readonly { entry: string; detail: string }[] } {
  const zip = readZip(bytes, limits)
  const classes: CodeEntry[] = []
  const unreadable: { entry: string; detail: string }[] = []
  for (const entry of zip.byName.values()) {
    if (!entry.name.endsWith('.class') || /^META-INF\/|(^|\/)module-info\.class$/.test(entry.name)) continue
    try {
      classes.push({ entry: prefix + entry.name, bytes: entryBytes(zip, entry, limits) })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      unreadable.push({ entry: prefix + entry.name, detail: error.message })
    }
  }
  return { classes, unreadable }
}
