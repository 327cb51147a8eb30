import { readFacts } from '../apk/manifest-facts.ts'
import type { ResourceTable } from '../arsc/resource-table.ts'
import { mergedResources } from '../bundle/merged-resources.ts'
import { readProtoResources } from '../bundle/read-proto-resources.ts'
import { readProtoXml } from '../bundle/read-proto-xml.ts'
import { FormatError } from '../bytes/format-error.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { AndroidPackage, PackageArchive, PackageNote } from './package.ts'
import { filesNamed, librariesOf } from './package-files.ts'
import type { PackageLimits } from './package-limits.ts'

const MANIFEST = 'base/manifest/AndroidManifest.xml'
const RESOURCES = 'base/resources.pb'
const LIBRARY = /^[^/]+\/lib\/([^/]+)\/[^/]+\.so$/

/** An Android App Bundle: manifest and resources of its base module, code and libraries of all modules, the base first. */
export function readBundle(archive: PackageArchive, name: string, limits: PackageLimits): AndroidPackage {
  const { zip } = archive
  const entry = zip.byName.get(MANIFEST)
  if (!entry) throw new FormatError('aab', 'no-manifest', -1, `no ${MANIFEST}`)
  const manifest = readProtoXml(entryBytes(zip, entry, limits.zip), limits.axml)
  const notes: PackageNote[] = []
  const resources = resourcesOf(archive, limits, notes)
  const native = librariesOf(archive, LIBRARY, limits.zip)
  const dexEntries = dexOf([...zip.byName.keys()])
  const layout = {
    manifestEntry: MANIFEST,
    fileOf: (path: string) => (zip.byName.has(`base/${path}`) ? `base/${path}` : undefined),
    nativeLibraries: native.map(({ abi, name: file, entry: path }) => ({ abi, name: file, entry: path })),
    dexEntries,
  }
  return {
    kind: 'aab',
    platform: 'android',
    name,
    bytes: zip.bytes,
    archives: [archive],
    code: filesNamed(archive, dexEntries, limits.zip),
    native,
    notes,
    facts: readFacts(layout, manifest.root, resources, []),
    manifest,
    ...(resources && { resources }),
  }
}

function resourcesOf({ zip }: PackageArchive, limits: PackageLimits, notes: PackageNote[]): ResourceTable | undefined {
  const entry = zip.byName.get(RESOURCES)
  if (!entry) return undefined
  try {
    return mergedResources([
      { entry: RESOURCES, table: readProtoResources(entryBytes(zip, entry, limits.zip), limits.arsc) },
    ])
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    notes.push({ key: 'part-unreadable', entry: RESOURCES, detail: error.message })
    return undefined
  }
}

/** `base/dex/classes.dex`, `base/dex/classes2.dex` …, then those of the other modules. */
function dexOf(names: readonly string[]): string[] {
  return names
    .flatMap((name) => {
      const match = /^([^/]+)\/dex\/classes(\d*)\.dex$/.exec(name)
      return match ? [{ name, module: match[1] === 'base' ? '' : match[1]!, number: Number(match[2] || 1) }] : []
    })
    .sort((a, b) => (a.module < b.module ? -1 : a.module > b.module ? 1 : a.number - b.number))
    .map(({ name }) => name)
}
