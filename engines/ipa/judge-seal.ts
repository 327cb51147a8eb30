import { createHash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import { SLOT, slotHolds } from '../macho/code-directory.ts'
import type { CodeSignature } from '../macho/code-signature.ts'
import { readPlist } from '../plist/read-plist.ts'
import type { IssueList } from '../signing/signing-facts.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry } from '../zip/zip-facts.ts'
import { leavesOut, readCodeResources, type SealedFile } from './code-resources.ts'
import type { IpaBinary, IpaFacts } from './ipa-facts.ts'

/** The files of an application while they are held against the seals of its bundles. */
export interface BundleFiles {
  readonly zip: ZipArchive
  /** By name; one written in composed or decomposed letters is the same. */
  readonly byName: ReadonlyMap<string, ZipEntry>
  /** By the folder of its bundle, and by its own name. */
  readonly nested: ReadonlyMap<string, IpaBinary>
  readonly twice: readonly string[]
  readonly covered: Set<string>
  /** Names that all seals together have. */
  sealed: number
  missing: number
}

/** These are not sealed: what signatures are made of, what the store adds, what Apple's own rules leave out, those rules too. */
const LEFT_OUT =
  /\/(_CodeSignature\/Code(Resources|Directory|Requirements(-1)?|Signature|Entitlements)|CodeResources|SC_Info\/(Manifest\.plist|[^/]+\.(sinf|supp|supf|supx))|\.DS_Store|ResourceRules\.plist|[^/]+\.lproj\/locversion\.plist)$/
/** Seals of many bundles may name the same files again and again. */
const MOST_SEALED = 400_000
const MOST_NAMES = 100

const plain = (name: string): string => name.normalize('NFC')

export function bundleFiles(zip: ZipArchive, { app, binaries }: IpaFacts): BundleFiles {
  // All that a device would unpack, other applications beside this one too.
  const top = app.slice(0, app.lastIndexOf('Payload/') + 'Payload/'.length)
  const byName = new Map<string, ZipEntry>()
  const twice: string[] = []
  for (const entry of zip.entries) {
    const name = plain(entry.name)
    if (entry.isDirectory || !name.startsWith(top)) continue
    if (byName.has(name)) twice.push(name)
    else byName.set(name, entry)
  }
  const nested = new Map<string, IpaBinary>()
  for (const binary of binaries) {
    const name = plain(binary.entry)
    nested.set(name, binary)
    if (binary.role !== 'dylib') nested.set(name.slice(0, name.lastIndexOf('/')), binary)
  }
  return { zip, byName, nested, twice, covered: new Set(), sealed: 0, missing: 0 }
}

/** Files of which no signature says anything, in the order of the archive. */
export function uncoveredFiles({ byName, covered }: BundleFiles): string[] {
  return [...byName.keys()].filter((name) => !covered.has(name) && !LEFT_OUT.test(name))
}

/** Holds Info.plist, the seal and the files that it names of one executable's bundle against its signature. */
export function judgeSeal({ entry, role, macho }: IpaBinary, files: BundleFiles, issues: IssueList): void {
  const signatures = macho.images.flatMap(({ signature }) => signature ?? [])
  if (signatures.length !== macho.images.length || signatures.some(({ adHoc }) => adHoc)) return
  files.covered.add(plain(entry))
  if (role === 'dylib') return
  const folder = plain(entry.slice(0, entry.lastIndexOf('/') + 1))
  if (holdsInSlot(SLOT.info, `${folder}Info.plist`, signatures, files, issues)) files.covered.add(`${folder}Info.plist`)
  const seal = `${folder}_CodeSignature/CodeResources`
  if (!holdsInSlot(SLOT.resources, seal, signatures, files, issues)) return
  let named: SealedFile[]
  let isLeftOut: (name: string) => boolean
  try {
    const plist = readPlist(bytesOf(seal, files)!)
    named = readCodeResources(plist)
    isLeftOut = leavesOut(plist)
  } catch (error) {
    if (!(error instanceof FormatError) || error.key === 'limit') throw error
    issues.error('IPA_SEAL_UNREADABLE', `${seal}: ${error.message}`)
    return
  }
  files.sealed += named.length
  if (files.sealed > MOST_SEALED) throw new FormatError('ipa', 'limit', -1, `more than ${MOST_SEALED} sealed files`)
  for (const one of named) judgeFile(folder, one, files, issues)
  for (const name of files.byName.keys())
    if (name.startsWith(folder) && isLeftOut(name.slice(folder.length))) files.covered.add(name)
  // PkgInfo and a few more are in the older list alone, always.
  const strong = named.some(({ digests }) => digests.some(({ hash }) => hash === 'sha256'))
  if (!strong && named.length > 0) issues.warn('IPA_WEAK_SEAL', `${seal}: digests are SHA-1 alone`)
}

/** Whether a file is what every directory says; false with an error where it is another, without one where nothing is said of it. */
function holdsInSlot(
  slot: number,
  name: string,
  signatures: readonly CodeSignature[],
  files: BundleFiles,
  issues: IssueList,
): boolean {
  const directories = signatures.flatMap((signature) => signature.directories)
  const bytes = bytesOf(name, files)
  const said = directories.map((one) => (bytes ? slotHolds(one, slot, bytes) : one.slots.has(slot) ? false : undefined))
  if (said.includes(false))
    issues.error(
      slot === SLOT.info ? 'IPA_INFO_CHANGED' : 'IPA_SEAL_CHANGED',
      `${name} is ${bytes ? 'not what was signed' : 'missing'}`,
    )
  return bytes !== undefined && said.length > 0 && said.every((one) => one === true)
}

function judgeFile(
  folder: string,
  { name, optional, digests, link, cdHash }: SealedFile,
  files: BundleFiles,
  issues: IssueList,
) {
  const full = plain(folder + name)
  const wrong = (what: string) => {
    if (issues.errors.length < MOST_NAMES) issues.error('IPA_FILE_CHANGED', `${JSON.stringify(full)} ${what}`)
  }
  if (cdHash !== null) {
    const images = files.nested.get(full)?.macho.images
    const hashes = images?.flatMap(({ signature }) => signature?.directories.map((one) => one.cdHash) ?? [])
    if (!hashes) missing()
    else if (!hashes.includes(cdHash)) wrong('has another code directory than the one that was signed')
    return
  }
  const bytes = bytesOf(full, files)
  if (!bytes) {
    if (!optional) missing()
    return
  }
  if (link === null && !digests.length) return
  files.covered.add(full)
  if (link !== null && Buffer.from(bytes).toString('utf8') !== link) wrong('leads elsewhere')
  for (const { hash, value } of digests)
    if (!createHash(hash).update(bytes).digest().equals(value)) wrong(`: the ${hash} digest is another`)

  function missing(): void {
    if (files.missing++ < MOST_NAMES) issues.warn('IPA_FILE_MISSING', `${JSON.stringify(full)} is sealed and missing`)
  }
}

function bytesOf(name: string, { zip, byName }: BundleFiles): Uint8Array | undefined {
  const entry = byName.get(name)
  return entry && entryBytes(zip, entry)
}
