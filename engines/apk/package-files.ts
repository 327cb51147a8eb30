import type { ZipArchive } from '../zip/zip-facts.ts'
import type { NativeLibrary } from './apk-facts.ts'
import { MANIFEST } from './manifest-reader.ts'

/** Where the files lie that a manifest and its resources speak of. */
export interface PackageLayout {
  /** Entry that holds the manifest. */
  readonly manifestEntry: string
  /** Entry of a file that a resource names (`res/a.png`), undefined where it is not there. */
  fileOf(path: string): string | undefined
  readonly nativeLibraries: readonly NativeLibrary[]
  /** In the order of loading. */
  readonly dexEntries: readonly string[]
}

/** The layout of an APK. */
export function apkLayout(zip: ZipArchive): PackageLayout {
  return {
    manifestEntry: MANIFEST,
    fileOf: (path) => (zip.byName.has(path) ? path : undefined),
    nativeLibraries: nativeLibraries(zip),
    dexEntries: dexEntries(zip),
  }
}

/** Native libraries where Android looks for them: `lib/<abi>/<name>.so`. */
function nativeLibraries(zip: ZipArchive): NativeLibrary[] {
  const found: NativeLibrary[] = []
  for (const [entry] of zip.byName) {
    const match = /^lib\/([^/]+)\/([^/]+\.so)$/.exec(entry)
    if (match) found.push({ abi: match[1]!, name: match[2]!, entry })
  }
  return found
}

/** classes.dex, classes2.dex … as far as they follow each other: the runtime loads no more than these. */
function dexEntries(zip: ZipArchive): string[] {
  const found: string[] = []
  for (let i = 1; ; i++) {
    const name = i === 1 ? 'classes.dex' : `classes${i}.dex`
    if (!zip.byName.has(name)) return found
    found.push(name)
  }
}
