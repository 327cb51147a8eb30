import type { Apk } from '../apk/apk-facts.ts'
import { readFacts } from '../apk/manifest-facts.ts'
import { apkIn } from '../apk/read-apk.ts'
import { mergedResources } from '../bundle/merged-resources.ts'
import { FormatError } from '../bytes/format-error.ts'
import { innerArchives } from './inner-archives.ts'
import type { AndroidPackage, PackageArchive, PackageNote } from './package.ts'
import { filesNamed, librariesOf } from './package-files.ts'
import type { PackageLimits } from './package-limits.ts'

const LIBRARY = /^lib\/([^/]+)\/[^/]+\.so$/

interface Part {
  archive: PackageArchive
  apk: Apk
}

/** A base and its splits in one archive (APKS, XAPK): the manifest of the base; code, libraries and resources of all. */
export function readSplits(outer: PackageArchive, name: string, limits: PackageLimits): AndroidPackage {
  const notes: PackageNote[] = []
  const inner = innerArchives(outer, apkNames([...outer.zip.byName.keys()]), limits, notes)
  const parts = inner.flatMap((archive) => readPart(archive, limits, notes))
  const base = parts.find(({ apk }) => !apk.facts.split) ?? parts[0]
  if (!base) throw new FormatError('apks', 'no-base', -1, 'no package inside that can be read')
  const ordered = [base, ...parts.filter((part) => part !== base)]
  const resources = mergedResources(
    ordered.flatMap(({ archive, apk }) =>
      apk.resources ? [{ entry: `${archive.prefix}resources.arsc`, table: apk.resources }] : [],
    ),
  )
  const native = ordered.flatMap(({ archive }) => librariesOf(archive, LIBRARY, limits.zip))
  const layout = {
    manifestEntry: `${base.archive.prefix}AndroidManifest.xml`,
    fileOf(path: string) {
      const holder = ordered.find(({ archive }) => archive.zip.byName.has(path))
      return holder && holder.archive.prefix + path
    },
    nativeLibraries: native.map(({ abi, name: file, entry }) => ({ abi, name: file, entry })),
    dexEntries: ordered.flatMap(({ archive, apk }) => apk.facts.dexEntries.map((entry) => archive.prefix + entry)),
  }
  return {
    kind: 'apks',
    platform: 'android',
    name,
    bytes: outer.zip.bytes,
    archives: [outer, ...ordered.map(({ archive }) => archive)],
    code: ordered.flatMap(({ archive, apk }) => filesNamed(archive, apk.facts.dexEntries, limits.zip)),
    native,
    notes,
    facts: readFacts(layout, base.apk.manifest.root, resources, []),
    manifest: base.apk.manifest,
    ...(resources && { resources }),
  }
}

/**
 * Which packages belong together: what bundletool writes for split devices, else its single package for all, else the first of those for old
 * devices, which are whole packages each; in other archives all that lie at the top.
 */
function apkNames(names: readonly string[]): string[] {
  const apks = names.filter((name) => name.endsWith('.apk')).sort()
  const splits = apks.filter((name) => name.startsWith('splits/'))
  if (splits.length) return splits
  if (apks.includes('universal.apk')) return ['universal.apk']
  const top = apks.filter((name) => !name.includes('/'))
  return top.length ? top : apks.filter((name) => name.startsWith('standalones/')).slice(0, 1)
}

function readPart(archive: PackageArchive, limits: PackageLimits, notes: PackageNote[]): Part[] {
  try {
    return [{ archive, apk: apkIn(archive.zip, limits) }]
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    notes.push({ key: 'part-unreadable', entry: archive.prefix, detail: error.message })
    return []
  }
}
