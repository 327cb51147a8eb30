import { readArsc } from '../arsc/read-arsc.ts'
import { ARSC_LIMITS, type ArscLimits, RESOURCES_ENTRY, type ResourceTable } from '../arsc/resource-table.ts'
import { AXML_LIMITS, type AxmlLimits, readAxml, type XmlDocument } from '../axml/read-axml.ts'
import { FormatError } from '../bytes/format-error.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { ZIP_LIMITS, type ZipArchive, type ZipLimits } from '../zip/zip-facts.ts'
import type { Apk, ApkNote } from './apk-facts.ts'
import { readFacts } from './manifest-facts.ts'
import { MANIFEST } from './manifest-reader.ts'
import { apkLayout } from './package-files.ts'

export interface ApkLimits {
  readonly zip: ZipLimits
  readonly axml: AxmlLimits
  readonly arsc: ArscLimits
}

export const APK_LIMITS: ApkLimits = { zip: ZIP_LIMITS, axml: AXML_LIMITS, arsc: ARSC_LIMITS }

/**
 * Reads what a package says of itself. A resource table that cannot be read costs names and pictures, not the rest.
 * Throws FormatError of `zip`, of `axml` for its manifest, and of `apk`: `no-manifest`.
 */
export function readApk(bytes: Uint8Array, limits: ApkLimits = APK_LIMITS): Apk {
  return apkIn(readZip(bytes, limits.zip), limits)
}

/** The same of an archive that was read. */
export function apkIn(zip: ZipArchive, limits: ApkLimits = APK_LIMITS): Apk {
  const manifest = readManifest(zip, limits)
  const notes: ApkNote[] = []
  const resources = readResources(zip, limits, notes)
  return {
    zip,
    manifest,
    ...(resources && { resources }),
    resourceNotes: resources?.notes ?? [],
    facts: readFacts(apkLayout(zip), manifest.root, resources, notes),
  }
}

function readManifest(zip: ZipArchive, limits: ApkLimits): XmlDocument {
  const entry = zip.byName.get(MANIFEST)
  if (!entry) throw new FormatError('apk', 'no-manifest', -1, `no ${MANIFEST}`)
  return readAxml(entryBytes(zip, entry, limits.zip), limits.axml)
}

function readResources(zip: ZipArchive, limits: ApkLimits, notes: ApkNote[]): ResourceTable | undefined {
  const entry = zip.byName.get(RESOURCES_ENTRY)
  if (!entry) return undefined
  try {
    return readArsc(entryBytes(zip, entry, limits.zip), limits.arsc)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    notes.push({
      key: 'resources-unreadable',
      evidence: { entry: RESOURCES_ENTRY, offset: Math.max(0, error.offset) },
      detail: error.message,
    })
    return undefined
  }
}
