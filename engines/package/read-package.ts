import { apkIn } from '../apk/read-apk.ts'
import { FormatError } from '../bytes/format-error.ts'
import { holdsApp, readIpaFacts } from '../ipa/read-ipa.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import { readBundle } from './bundle-package.ts'
import { readAar, readJar } from './library-package.ts'
import type { AndroidPackage, IosPackage, NativePackage, Package, PackageArchive } from './package.ts'
import { filesNamed, hasEntry, librariesOf } from './package-files.ts'
import { PACKAGE_LIMITS, type PackageLimits } from './package-limits.ts'
import { readSplits } from './splits-package.ts'

/** Where Android looks for the libraries of an APK. */
const LIBRARY = /^lib\/([^/]+)\/[^/]+\.so$/

/**
 * Says what kind of package the bytes are, by content (the name decides only where that leaves it open), and reads its facts.
 * Throws FormatError `unknown-kind` of format `package`, and what the reader of the found kind throws.
 */
export function readPackage(bytes: Uint8Array, name: string, limits: PackageLimits = PACKAGE_LIMITS): Package {
  if (isElf(bytes)) return nativePackage(bytes, name)
  const zip = openZip(bytes, limits)
  const archive: PackageArchive | undefined = zip && { prefix: '', zip }
  switch (zip && kindOf(zip, name)) {
    case 'apk':
      return apkPackage(archive!, name, limits)
    case 'aab':
      return readBundle(archive!, name, limits)
    case 'apks':
      return readSplits(archive!, name, limits)
    case 'aar':
      return readAar(archive!, name, limits)
    case 'jar':
      return readJar(archive!, name, limits)
    case 'ipa':
      return ipaPackage(archive!, name, limits)
    default:
      throw new FormatError(
        'package',
        'unknown-kind',
        -1,
        'no package or library that can be examined: APK, AAB, APKS, XAPK, AAR, JAR, IPA or an ELF library',
      )
  }
}

/** What kind of package the bytes are, without reading it; undefined where they are none. Throws FormatError of format `zip`. */
export function packageKind(bytes: Uint8Array, name: string): Package['kind'] | undefined {
  if (isElf(bytes)) return 'so'
  const zip = openZip(bytes, PACKAGE_LIMITS)
  return zip && kindOf(zip, name)
}

function isElf(bytes: Uint8Array): boolean {
  return bytes[0] === 0x7f && bytes[1] === 0x45 && bytes[2] === 0x4c && bytes[3] === 0x46
}

/** Undefined if the bytes are not a ZIP archive. Throws `no-end` if they begin as one and the end is missing. */
function openZip(bytes: Uint8Array, limits: PackageLimits): ZipArchive | undefined {
  try {
    return readZip(bytes, limits.zip)
  } catch (error) {
    if (error instanceof FormatError && error.key === 'no-end' && !beginsAsZip(bytes)) return undefined
    throw error
  }
}

/** The signature of a local file header (APPNOTE 4.3.7). */
function beginsAsZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4
}

function kindOf(zip: ZipArchive, name: string): Package['kind'] | undefined {
  const manifest = zip.byName.get('AndroidManifest.xml')
  const ending = /\.(apk|ipa|jar|aar|aab|apks|xapk|apkm)$/i.exec(name)?.[1]?.toLowerCase()
  if (zip.byName.has('base/manifest/AndroidManifest.xml')) return 'aab'
  if (holdsApp(zip)) return 'ipa'
  if (manifest) {
    const library = zip.byName.has('classes.jar') || zip.byName.has('R.txt') || isText(zip, manifest)
    return library && !zip.byName.has('classes.dex') ? 'aar' : 'apk'
  }
  // Libraries that applications load by themselves hold dex files, and so do those of Android.
  if (hasEntry(zip, /^classes\d*\.dex$/)) return ending === 'jar' ? 'jar' : 'apk'
  if (hasEntry(zip, /^(splits\/|standalones\/)?[^/]+\.apk$/)) return 'apks'
  if (hasEntry(zip, /\.class$/)) return 'jar'
  if (ending === 'apks' || ending === 'xapk' || ending === 'apkm') return 'apks'
  if (ending === 'apk' || ending === 'ipa' || ending === 'aab' || ending === 'aar' || ending === 'jar') return ending
  return zip.byName.has('META-INF/MANIFEST.MF') ? 'jar' : undefined
}

function isText(zip: ZipArchive, manifest: Parameters<typeof entryBytes>[1]): boolean {
  try {
    const first = entryBytes(zip, manifest)[0]
    return first === 0x3c || first === 0xef
  } catch (error) {
    if (error instanceof FormatError) return false
    throw error
  }
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

function apkPackage(archive: PackageArchive, name: string, limits: PackageLimits): AndroidPackage {
  const { facts, manifest, resources } = apkIn(archive.zip, limits)
  return {
    kind: 'apk',
    platform: 'android',
    name,
    bytes: archive.zip.bytes,
    archives: [archive],
    code: filesNamed(archive, facts.dexEntries, limits.zip),
    native: librariesOf(archive, LIBRARY, limits.zip),
    notes: [],
    facts,
    manifest,
    ...(resources && { resources }),
  }
}

function ipaPackage(archive: PackageArchive, name: string, limits: PackageLimits): IosPackage {
  return {
    kind: 'ipa',
    platform: 'ios',
    name,
    bytes: archive.zip.bytes,
    archives: [archive],
    code: [],
    native: [],
    notes: [],
    facts: readIpaFacts(archive.zip, { ...limits.ipa, zip: limits.zip }),
  }
}
