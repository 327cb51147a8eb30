import { protectPackageScripts } from '../jsguard/package-scripts.ts'
import type { ProtectedScript } from '../jsguard/protect-script.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import type { HardenLog } from './hardening.ts'

/** Scripts of a package, protected, by entry; what becomes of each is in the log. `protect` throws ScriptRefused where it cannot. */
export async function protectScripts(
  zip: ZipArchive,
  protect: (bytes: Uint8Array, path: string) => ProtectedScript | Promise<ProtectedScript>,
  log: HardenLog,
): Promise<ReadonlyMap<string, Uint8Array>> {
  const changed = new Map<string, Uint8Array>()
  const paths = zip.entries.filter(({ isDirectory }) => !isDirectory).map(({ name }) => name)
  const results = await protectPackageScripts(paths, (path) => entryBytes(zip, zip.byName.get(path)!), protect)
  if (!results.length) log.skipped('js_protection', '', '', 'the package has no scripts')
  for (const result of results) {
    const { path } = result
    if (result.outcome === 'protected') {
      changed.set(path, Buffer.from(result.script.code))
      log.applied('js_protection', path, '', 'protected, strength {detail}', 1, result.script.strength)
    } else if (result.outcome === 'left')
      log.skipped('js_protection', path, '', 'no script: {detail}', 1, result.format)
    else {
      const { key, message } = result.refusal
      log.skipped('js_protection', path, '', 'the script keeps its original: {detail}', 1, `${key}: ${message}`)
    }
  }
  return changed
}
