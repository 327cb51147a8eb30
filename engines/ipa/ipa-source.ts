import { FormatError } from '../bytes/format-error.ts'
import { MACHO_LIMITS, type MachoLimits } from '../macho/macho-facts.ts'
import { PLIST_LIMITS, type PlistLimits } from '../plist/plist-node.ts'
import { readPlist } from '../plist/read-plist.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { ZIP_LIMITS, type ZipArchive, type ZipLimits } from '../zip/zip-facts.ts'
import type { IpaNote, PlistFile } from './ipa-facts.ts'

export interface IpaLimits {
  readonly zip: ZipLimits
  readonly plist: PlistLimits
  readonly macho: MachoLimits
  /** Executables, frameworks, libraries and extensions together. */
  readonly binaries: number
}

export const IPA_LIMITS: IpaLimits = { zip: ZIP_LIMITS, plist: PLIST_LIMITS, macho: MACHO_LIMITS, binaries: 1_000 }

/** What the parts of the reader share. */
export interface Source {
  readonly zip: ZipArchive
  readonly limits: IpaLimits
  readonly notes: IpaNote[]
}

/** The property list of an entry; undefined where it is missing or, with a note, unreadable. */
export function plistFile(entry: string, { zip, limits, notes }: Source): PlistFile | undefined {
  const found = zip.byName.get(entry)
  if (!found) return undefined
  try {
    return { entry, node: readPlist(entryBytes(zip, found, limits.zip), limits.plist) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    notes.push({ key: 'plist-unreadable', entry, detail: error.message })
    return undefined
  }
}
