import type { ZipArchive } from '../zip/zip-facts.ts'
import type { NativeLibrary } from './apk-facts.ts'

/** Native libraries where Android looks for them: `lib/<abi>/<name>.so`. */
export function nativeLibraries(zip: ZipArchive): NativeLibrary[] {
  const found: NativeLibrary[] = []
  for (const [entry] of zip.byName) {
    const match = /^lib\/([^/]+)\/([^/]+\.so)$/.exec(entry)
    if (match) found.push({ abi: match[1]!, name: match[2]!, entry })
  }
  return found
}

/** classes.dex, classes2.dex … as far as they follow each other: the runtime loads no more than these. */
export function dexEntries(zip: ZipArchive): string[] {
  const found: string[] = []
  for (let i = 1; ; i++) {
    const name = i === 1 ? 'classes.dex' : `classes${i}.dex`
    if (!zip.byName.has(name)) return found
    found.push(name)
  }
}
