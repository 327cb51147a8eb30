import { FormatError } from '../bytes/format-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry } from '../zip/zip-facts.ts'
import type { ManifestSection } from './jar-manifest.ts'
import { verifySignatureBlock } from './jar-signature-block.ts'
import type { V1Rules } from './jar-signature-file.ts'
import { IssueList } from './signing-facts.ts'

export interface JarSigner {
  /** File name of its signature block. */
  readonly name: string
  readonly issues: IssueList
  readonly certificates: readonly Certificate[]
  /** Entries that its signature file lists. */
  readonly entries: ReadonlySet<string>
  readonly files: readonly [block: string, signatureFile: string]
}

/** A signer whose signature file is still to be held against the manifest. */
export type SignerCandidate = JarSigner & { readonly file: Uint8Array }

export const META = 'META-INF/'
/** As apksig has it; each signer lists every entry, so that many of them would cost much. */
const MOST_SIGNERS = 10

/** The signer of a signature block and its signature file. */
export function readSigner(zip: ZipArchive, block: ZipEntry, fileEntry: ZipEntry, rules: V1Rules): SignerCandidate {
  const name = block.name.slice(META.length)
  const issues = new IssueList({ scheme: 'v1', signer: name })
  const file = soundBytes(zip, fileEntry)
  const certificates = verifySignatureBlock(soundBytes(zip, block), file, rules, issues) ?? []
  return { name, issues, certificates, entries: new Set(), files: [block.name, fileEntry.name], file }
}

export function refuseManySigners(count: number, issues: IssueList): void {
  if (count > MOST_SIGNERS)
    issues.error('JAR_SIG_MAX_SIGNATURES_EXCEEDED', `${count} signers, more than ${MOST_SIGNERS} are not looked at`)
}

/** Sections by name; one without a name and one that comes again is an error. */
export function namedSections(sections: readonly ManifestSection[], issues: IssueList): Map<string, ManifestSection> {
  const byName = new Map<string, ManifestSection>()
  sections.forEach((section, i) => {
    const { name } = section
    if (name === undefined) issues.error('JAR_SIG_UNNNAMED_MANIFEST_SECTION', `section ${i + 1} has no name`)
    else if (byName.has(name)) issues.error('JAR_SIG_DUPLICATE_MANIFEST_SECTION', `several sections ${quote(name)}`)
    else byName.set(name, section)
  })
  return byName
}

/** Which file a reader of the archive gets for a name must not be open. */
export function refuseDuplicates(zip: ZipArchive, issues: IssueList): void {
  for (const entry of zip.entries)
    if (zip.byName.get(entry.name) !== entry)
      issues.error('JAR_SIG_DUPLICATE_ZIP_ENTRY', `several entries ${quote(entry.name)}`)
}

/** Content of an entry whose headers agree; Android refuses to read others. */
export function soundBytes(zip: ZipArchive, entry: ZipEntry): Uint8Array {
  const refused = entry.notes.find((note) => note.refused)
  if (refused)
    throw new FormatError('zip', refused.key, refused.offset, `entry ${quote(entry.name)}: ${refused.detail}`)
  return entryBytes(zip, entry)
}

export function quote(name: string): string {
  return JSON.stringify(name)
}
