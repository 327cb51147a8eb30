import type { ApkFacts } from '../apk/apk-facts.ts'
import type { XmlElement } from '../axml/read-axml.ts'
import { FormatError } from '../bytes/format-error.ts'
import type { Program } from '../dex/program.ts'
import type { Package } from '../package/package.ts'
import { readAnyXml } from '../package/read-any-xml.ts'
import { bytesOutside } from '../zip/bytes-outside.ts'
import { entryBytes, entryHead } from '../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry } from '../zip/zip-facts.ts'
import { findCodeGaps } from './code-gaps.ts'
import { isConfigurationSplit } from './input/configuration-split.ts'
import type { InspectedPackage } from './input/inspected-package.ts'
import { type Ownership, readOwnership } from './owner/class-owner.ts'
import type { Text } from './result/scan-result.ts'
import { findPacker, gatherSigns, type Signs } from './sdks/find-sdks.ts'
import { hasOwnShell, OWN_SHELL } from './shell-mark.ts'

/** Entries kept unpacked in memory for those who ask again; larger ones are unpacked again. */
const CACHED_ENTRY = 256 * 1024
const CACHE_SIZE = 32 * 2 ** 20
/** No one looks into a single entry above this. */
const READ_LIMIT = 64 * 2 ** 20

/** An Android package, or a library, as the parts of a scan ask about it. */
export interface Inspection {
  readonly inspected: InspectedPackage
  readonly ownership: Ownership
  readonly signs: Signs
  /** Entries whose content was asked for and could not be had. */
  readonly unread: ReadonlySet<string>
  /** Facts about code that could not be read, beside the gap that keeps items from passing. */
  readonly codeNotes: readonly Text[]
}

/** Joins what was read of a package: code, manifest, entries, who owns which class, and the packer that hides it. */
export function inspectAndroid(source: Package, program: Program | null): Inspection {
  const facts = 'facts' in source && source.platform === 'android' ? withoutImplied(source.facts) : null
  const resources = 'resources' in source && source.platform === 'android' ? (source.resources ?? null) : null
  const ownership = readOwnership(facts, program)
  const files = new EntryReader(source)
  const unpacked = {
    kind: source.kind,
    facts,
    resources,
    program,
    ios: null,
    entries: files.entries,
    read: (entry: string) => files.read(entry),
    xml: (entry: string) => files.xml(entry),
    ownerOf: ownership.ownerOf,
  }
  const signs = gatherSigns(unpacked)
  const signature = findPacker(unpacked, signs)
  const packer = signature
    ? { zh: signature.zh, en: signature.en }
    : hasOwnShell(source, () => program)
      ? { zh: OWN_SHELL, en: OWN_SHELL }
      : null
  const gaps = findCodeGaps(facts, program, files, packer !== null)
  return {
    inspected: { ...unpacked, packer: packer ?? gaps.packer, codeGap: gaps.gap },
    ownership,
    signs,
    unread: files.unread,
    codeNotes: gaps.notes,
  }
}

/** What Android implies of a low target SDK is not implied where the base package says the target. */
const withoutImplied = (facts: ApkFacts): ApkFacts =>
  isConfigurationSplit(facts)
    ? { ...facts, permissions: facts.permissions.filter(({ impliedBy }) => !impliedBy) }
    : facts

class EntryReader {
  readonly entries: readonly { readonly name: string; readonly size: number }[]
  readonly unread = new Set<string>()
  private readonly zipEntries = new Map<string, { zip: ZipArchive; entry: ZipEntry }>()
  private readonly cache = new Map<string, Uint8Array>()
  private readonly documents = new Map<string, XmlElement | null>()
  private cached = 0
  private readonly archives: Package['archives']

  constructor({ archives }: Package) {
    this.archives = archives
    const opened = new Set(archives.map(({ prefix }) => prefix))
    for (const { prefix, zip } of archives)
      for (const entry of zip.byName.values()) {
        const name = prefix + entry.name
        if (!entry.isDirectory && !opened.has(`${name}!/`) && !this.zipEntries.has(name))
          this.zipEntries.set(name, { zip, entry })
      }
    this.entries = [...this.zipEntries].map(([name, { entry }]) => ({ name, size: entry.size }))
    this.nameAsOnDevice(archives)
  }

  /** Resources name their files as they lie on a device; in bundles and sets of splits they lie deeper. */
  private nameAsOnDevice(archives: Package['archives']): void {
    for (const { zip } of archives)
      for (const entry of zip.byName.values()) {
        const path = /^(?:base\/)?((?:res|assets)\/.+)$/.exec(entry.name)?.[1]
        if (path && !this.zipEntries.has(path)) this.zipEntries.set(path, { zip, entry })
      }
  }

  outside(): { name: string; bytes: Uint8Array }[] {
    return this.archives.flatMap(({ prefix, zip }) =>
      bytesOutside(zip).map(({ offset, bytes }) => ({ name: `${prefix}[${offset}, ${offset + bytes.length})`, bytes })),
    )
  }

  head(name: string, count: number): Uint8Array {
    const known = this.cache.get(name)
    if (known) return known.subarray(0, count)
    const found = this.zipEntries.get(name)
    return found ? entryHead(found.zip, found.entry, count) : new Uint8Array()
  }

  read(name: string): Uint8Array | null {
    const known = this.cache.get(name)
    if (known) return known
    const found = this.zipEntries.get(name)
    if (!found || found.entry.size > READ_LIMIT) {
      if (found) this.unread.add(name)
      return null
    }
    try {
      const bytes = entryBytes(found.zip, found.entry)
      if (bytes.length <= CACHED_ENTRY && this.cached + bytes.length <= CACHE_SIZE) {
        this.cache.set(name, bytes)
        this.cached += bytes.length
      }
      return bytes
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      this.unread.add(name)
      return null
    }
  }

  xml(name: string): XmlElement | null {
    const known = this.documents.get(name)
    if (known !== undefined) return known
    const root = this.readXml(name)
    this.documents.set(name, root)
    return root
  }

  private readXml(name: string): XmlElement | null {
    const bytes = this.read(name)
    if (!bytes) return null
    try {
      return readAnyXml(bytes).root
    } catch (error) {
      if (error instanceof FormatError) return null
      throw error
    }
  }
}
