import { packageKind } from '../package/read-package.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { ZipWriter } from '../zip/zip-writer.ts'
import { findPackageScripts } from './package-scripts.ts'
import { MAX_SCRIPT_BYTES, scriptFormat } from './read-script.ts'
import { isScriptName } from './script-archive.ts'

/**
 * The scripts of a package as an archive that the script worker takes; null where it has none that can be protected. A React Native bundle
 * is a script, whatever its name ends with. Throws FormatError where the package is no archive.
 */
export function packageScriptArchive(bytes: Uint8Array): Uint8Array | null {
  // A native library alone holds no files.
  if (packageKind(bytes, '') === 'so') return null
  const zip = readZip(bytes)
  const parts: Uint8Array[] = []
  const archive = new ZipWriter((part) => parts.push(part))
  let count = 0
  for (const { path } of findPackageScripts(zip.entries.filter((one) => !one.isDirectory).map(({ name }) => name))) {
    const entry = zip.byName.get(path)
    if (!entry || entry.size === 0 || entry.size > MAX_SCRIPT_BYTES) continue
    const content = entryBytes(zip, entry)
    if (scriptFormat(content) !== 'script') continue
    count++
    archive.add(isScriptName(path) ? path : `${path}.js`, content, { deflate: false })
  }
  archive.finish()
  return count ? Buffer.concat(parts) : null
}
