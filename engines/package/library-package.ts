import { readFacts } from '../apk/manifest-facts.ts'
import { readAxml } from '../axml/read-axml.ts'
import { readTextXml } from '../bundle/read-text-xml.ts'
import { FormatError } from '../bytes/format-error.ts'
import { looksLikeXml } from '../xml/read-xml.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { innerArchives } from './inner-archives.ts'
import type { AndroidPackage, JarPackage, PackageArchive, PackageFile, PackageNote } from './package.ts'
import { filesOf, librariesOf } from './package-files.ts'
import type { PackageLimits } from './package-limits.ts'

const MANIFEST = 'AndroidManifest.xml'
const LIBRARY = /^jni\/([^/]+)\/[^/]+\.so$/

/** An Android library: its manifest as in the source, classes of classes.jar and of the jars in libs/. */
export function readAar(archive: PackageArchive, name: string, limits: PackageLimits): AndroidPackage {
  const { zip } = archive
  const entry = zip.byName.get(MANIFEST)
  if (!entry) throw new FormatError('aar', 'no-manifest', -1, `no ${MANIFEST}`)
  const content = entryBytes(zip, entry, limits.zip)
  const manifest = looksLikeXml(content) ? readTextXml(content, limits.axml) : readAxml(content, limits.axml)
  const notes: PackageNote[] = []
  const jars = innerArchives(archive, ['classes.jar', ...jarsIn(archive)], limits, notes)
  const native = librariesOf(archive, LIBRARY, limits.zip)
  const layout = {
    manifestEntry: MANIFEST,
    fileOf: (path: string) => (zip.byName.has(path) ? path : undefined),
    nativeLibraries: native.map(({ abi, name: file, entry: path }) => ({ abi, name: file, entry: path })),
    dexEntries: [],
  }
  return {
    kind: 'aar',
    platform: 'android',
    name,
    bytes: zip.bytes,
    archives: [archive, ...jars],
    code: jars.flatMap((jar) => classesOf(jar, limits)),
    native,
    notes,
    facts: readFacts(layout, manifest.root, undefined, []),
    manifest,
  }
}

/** A library of Java classes, as class files or compiled for Android. */
export function readJar(archive: PackageArchive, name: string, limits: PackageLimits): JarPackage {
  const dexes = filesOf(archive, (entry) => /^classes\d*\.dex$/.test(entry), limits.zip)
  return {
    kind: 'jar',
    platform: 'android',
    name,
    bytes: archive.zip.bytes,
    archives: [archive],
    code: dexes.length ? dexes : classesOf(archive, limits),
    native: [],
    notes: [],
  }
}

function jarsIn({ zip }: PackageArchive): string[] {
  return [...zip.byName.keys()].filter((name) => /^libs\/[^/]+\.jar$/.test(name)).sort()
}

/** Class files; those for newer Java versions only (META-INF/versions) repeat others. */
function classesOf(archive: PackageArchive, limits: PackageLimits): PackageFile[] {
  return filesOf(archive, (name) => name.endsWith('.class') && !name.startsWith('META-INF/'), limits.zip)
}
