import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { writeZip } from './zip-writer.ts'

/** The archive with other contents; an entry whose content is undefined is left out. */
export function rewritten(
  apk: Uint8Array,
  contents: Readonly<Record<string, Uint8Array | string | undefined>>,
): Uint8Array {
  const zip = readZip(apk)
  const kept = zip.entries.map((entry) => ({ name: entry.name, data: entryBytes(zip, entry) as Uint8Array | string }))
  const names = new Set(kept.map(({ name }) => name))
  const added = Object.entries(contents).filter(([name]) => !names.has(name))
  return writeZip(
    [
      ...kept.map(({ name, data }) => ({ name, data: name in contents ? contents[name] : data })),
      ...added.map(([name, data]) => ({ name, data })),
    ].filter((one): one is { name: string; data: Uint8Array | string } => one.data !== undefined),
  )
}
