import { APK_LIMITS, type ApkLimits, readApk } from '../apk/read-apk.ts'
import { FormatError } from '../bytes/format-error.ts'
import { readZip } from '../zip/read-zip.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import type { AndroidPackage, NativePackage, Package, PackageArchive } from './package.ts'
import { filesNamed, hasEntry, librariesOf } from './package-files.ts'

export interface PackageLimits extends ApkLimits {
  /** Packages inside of a set of splits. */
  readonly innerPackages: number
}

export const PACKAGE_LIMITS: PackageLimits = { ...APK_LIMITS, innerPackages: 500 }

/** Where Android looks for the libraries of an APK. */
const LIBRARY = /^lib\/([^/]+)\/[^/]+\.so$/

/**
 * Says what kind of package the bytes are, by content (the name decides only where that leaves it open), and reads its facts.
 * Throws FormatError `unknown-kind` of format `package`, and what the reader of the found kind throws.
 */
export function readPackage(bytes: Uint8Array, name: string, limits: PackageLimits = PACKAGE_LIMITS): Package {
  if (isElf(bytes)) return nativePackage(bytes, name)
  const zip = openZip(bytes, limits)
  const kind = zip && kindOf(zip, name)
  if (!kind) throw new FormatError('package', 'unknown-kind', -1, 'neither a package nor a library that is known')
  return apkPackage(bytes, name, limits)
}

function isElf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46
}

/** Undefined where there is no archive at all. */
function openZip(bytes: Uint8Array, limits: PackageLimits): ZipArchive | undefined {
  try {
    return readZip(bytes, limits.zip)
  } catch (error) {
    if (error instanceof FormatError && error.key === 'no-end') return undefined
    throw error
  }
}

function kindOf(zip: ZipArchive, name: string): 'apk' | undefined {
  if (zip.byName.has('AndroidManifest.xml') || /\.apk$/i.test(name)) return 'apk'
  return hasEntry(zip, /^classes\d*\.dex$/) ? 'apk' : undefined
}

function nativePackage(bytes: Uint8Array, name: string): NativePackage {
  const file = name.replace(/^.*[\\/]/, '')
  return {
    kind: 'so',
    platform: 'android',
    name,
    bytes,
    archives: [],
    code: [],
    native: [{ entry: file, size: bytes.length, bytes, abi: '', name: file }],
    notes: [],
  }
}

function apkPackage(bytes: Uint8Array, name: string, limits: PackageLimits): AndroidPackage {
  const { zip, facts, manifest, resources } = readApk(bytes, limits)
  const archive: PackageArchive = { prefix: '', zip }
  return {
    kind: 'apk',
    platform: 'android',
    name,
    bytes,
    archives: [archive],
    code: filesNamed(archive, facts.dexEntries, limits.zip),
    native: librariesOf(archive, LIBRARY, limits.zip),
    notes: [],
    facts,
    manifest,
    ...(resources && { resources }),
  }
}
