import { FormatError } from '../bytes/format-error.ts'
import { entryBytes, hasSoundChecksum } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import type { ZipArchive, ZipEntry, ZipLimits } from '../zip/zip-facts.ts'

/** Of an archive of scripts: far below what a package may be. */
export const ARCHIVE_LIMITS: ZipLimits = {
  entries: 20_000,
  totalSize: 512 * 2 ** 20,
  entrySize: 64 * 2 ** 20,
  entryRatio: 200,
  totalRatio: 100,
  ratioFloor: 8 * 2 ** 20,
}

export interface ScriptArchive {
  readonly zip: ZipArchive
  /** Entries that are scripts, in the order of the archive. */
  readonly scripts: readonly ZipEntry[]
}

const SCRIPT = /\.(js|mjs|cjs)$/i

export const isScriptName = (name: string): boolean => SCRIPT.test(name)

/**
 * Opens an archive of scripts. Names that lead out of the folder that it is unpacked into are refused, since what comes out of here is
 * unpacked by others. Throws FormatError of engines/zip, and `unsafe-name`, `link`, `encrypted`, `duplicate`, `method`, `no-script`.
 */
export function openScriptArchive(bytes: Uint8Array, limits: ZipLimits = ARCHIVE_LIMITS): ScriptArchive {
  const zip = readZip(bytes, limits)
  for (const entry of zip.entries) {
    const refused = (key: string, what: string) =>
      new FormatError('zip', key, entry.centralOffset, `${JSON.stringify(entry.name.slice(0, 200))} ${what}`)
    if (entry.size > limits.entrySize) throw refused('limit', `declares ${entry.size} bytes`)
    if ((entry.flags & 1) !== 0) throw refused('encrypted', 'is encrypted')
    if (entry.method !== 0 && entry.method !== 8) throw refused('method', `is packed by method ${entry.method}`)
    const note = entry.notes.find(
      ({ key, detail }) =>
        key === 'link' || key === 'duplicate' || (key === 'unsafe-name' && !/^backslash/.test(detail)),
    )
    if (note) throw refused(note.key, note.detail)
    // Windows takes a backslash as a separator: what leads upwards there is refused as well.
    if (entry.name.split(/[/\\]/).includes('..')) throw refused('unsafe-name', 'leads upwards')
  }
  const scripts = zip.entries.filter((entry) => !entry.isDirectory && entry.size > 0 && isScriptName(entry.name))
  if (scripts.length === 0) throw new FormatError('zip', 'no-script', -1, 'holds no .js, .mjs or .cjs file')
  return { zip, scripts }
}

/** The bytes of one script. Throws FormatError; `checksum` where they are not what the archive says. */
export function scriptBytes({ zip }: ScriptArchive, entry: ZipEntry): Uint8Array {
  const bytes = entryBytes(zip, entry, ARCHIVE_LIMITS)
  if (!hasSoundChecksum(entry, bytes)) throw new FormatError('zip', 'checksum', entry.localOffset, 'checksum differs')
  return bytes
}
