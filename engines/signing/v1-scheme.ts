import { createHash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry } from '../zip/zip-facts.ts'
import { digestsToVerify } from './jar-digests.ts'
import { type ManifestSection, readManifest } from './jar-manifest.ts'
import { verifySignatureBlock } from './jar-signature-block.ts'
import { type V1Rules, verifySignatureFile } from './jar-signature-file.ts'
import { IssueList } from './signing-facts.ts'

interface JarSigner {
  /** File name of its signature block. */
  readonly name: string
  readonly issues: IssueList
  readonly certificates: readonly Certificate[]
  /** Entries that its signature file lists. */
  readonly entries: ReadonlySet<string>
  readonly files: readonly [block: string, signatureFile: string]
}

export interface V1Result {
  readonly issues: IssueList
  readonly signers: readonly JarSigner[]
  readonly verified: boolean
}

const META = 'META-INF/'
const MANIFEST = 'META-INF/MANIFEST.MF'

/** JAR signing (v1) as Android judges it over the asked range of versions. */
export function verifyV1(zip: ZipArchive, rules: V1Rules): V1Result {
  const issues = new IssueList({ scheme: 'v1' })
  const refused: V1Result = { issues, signers: [], verified: false }
  try {
    for (const entry of zip.entries)
      if (zip.byName.get(entry.name) !== entry)
        issues.error('JAR_SIG_DUPLICATE_ZIP_ENTRY', `several entries ${quote(entry.name)}`)
    if (issues.errors.length) return refused
    const manifestEntry = zip.byName.get(MANIFEST)
    if (!manifestEntry) {
      issues.error('JAR_SIG_NO_MANIFEST', `no ${MANIFEST}`)
      return refused
    }
    const manifest = soundBytes(zip, manifestEntry)
    const [main, ...sections] = readManifest(manifest)
    const byName = namedSections(sections, zip, issues)
    if (issues.errors.length) return refused
    const candidates = findSigners(zip, rules, issues)
    const broken: JarSigner[] = candidates.filter(({ issues: own }) => own.errors.length)
    if (broken.length) return { ...refused, signers: broken }
    const signers: JarSigner[] = []
    for (const { file, ...signer } of candidates) {
      const entries = verifySignatureFile(file, { manifest, main, byName }, rules, signer.issues)
      if (signer.issues.errors.length && entries) broken.push({ ...signer, entries })
      else if (entries) signers.push({ ...signer, entries })
    }
    if (broken.length) return { ...refused, signers: broken }
    if (!signers.length) {
      issues.error('JAR_SIG_NO_SIGNATURES', 'no JAR signatures')
      return refused
    }
    const holders = verifyEntries(zip, byName, signers, rules, issues)
    if (issues.errors.length) return { ...refused, signers }
    const signatureFiles = new Set([MANIFEST, ...holders.flatMap(({ files }) => files)])
    for (const { name } of zip.entries)
      if (name.startsWith(META) && !name.endsWith('/') && !signatureFiles.has(name))
        issues.warn('JAR_SIG_UNPROTECTED_ZIP_ENTRY', `${quote(name)} is not protected by the signature`)
    return { issues, signers: holders, verified: true }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    issues.error('MALFORMED_APK', error.message)
    return refused
  }
}

type Candidate = Omit<JarSigner, 'entries'> & { readonly entries: ReadonlySet<string>; readonly file: Uint8Array }

function findSigners(zip: ZipArchive, rules: V1Rules, issues: IssueList): Candidate[] {
  const found: Candidate[] = []
  for (const entry of zip.entries) {
    if (!entry.name.startsWith(META) || !/\.(RSA|DSA|EC)$/.test(entry.name)) continue
    const fileName = `${entry.name.slice(0, entry.name.lastIndexOf('.'))}.SF`
    const fileEntry = zip.byName.get(fileName)
    if (!fileEntry) {
      issues.warn('JAR_SIG_MISSING_FILE', `${quote(entry.name)} without ${quote(fileName)}`)
      continue
    }
    const name = entry.name.slice(META.length)
    const own = new IssueList({ scheme: 'v1', signer: name })
    const file = soundBytes(zip, fileEntry)
    const certificates = verifySignatureBlock(soundBytes(zip, entry), file, rules, own) ?? []
    found.push({ name, issues: own, certificates, entries: new Set(), files: [entry.name, fileName], file })
  }
  return found
}

function namedSections(sections: readonly ManifestSection[], zip: ZipArchive, issues: IssueList) {
  const byName = new Map<string, ManifestSection>()
  sections.forEach((section, i) => {
    const { name } = section
    if (name === undefined) issues.error('JAR_SIG_UNNNAMED_MANIFEST_SECTION', `section ${i + 1} has no name`)
    else if (byName.has(name)) issues.error('JAR_SIG_DUPLICATE_MANIFEST_SECTION', `several sections ${quote(name)}`)
    else {
      byName.set(name, section)
      if (!zip.byName.has(name))
        issues.error('JAR_SIG_MISSING_ZIP_ENTRY_REFERENCED_IN_MANIFEST', `${quote(name)} is listed and missing`)
    }
  })
  return byName
}

/** Every entry outside of META-INF must be signed by the same signers, and be what the manifest says. */
function verifyEntries(
  zip: ZipArchive,
  byName: ReadonlyMap<string, ManifestSection>,
  signers: readonly JarSigner[],
  { minSdk, maxSdk }: V1Rules,
  issues: IssueList,
): readonly JarSigner[] {
  let holders: readonly JarSigner[] | undefined
  for (const entry of [...zip.entries].sort((a, b) => a.localOffset - b.localOffset)) {
    const { name } = entry
    if (name.startsWith(META) || name.endsWith('/')) continue
    const section = byName.get(name)
    const unsigned = () => issues.error('JAR_SIG_NO_ZIP_ENTRY_DIGEST_IN_MANIFEST', `${quote(name)} has no digest`)
    if (!section) {
      unsigned()
      continue
    }
    const own = signers.filter(({ entries }) => entries.has(name))
    if (!own.length) {
      issues.error('JAR_SIG_ZIP_ENTRY_NOT_SIGNED', `${quote(name)} is not signed`)
      continue
    }
    holders ??= own
    if (own.length !== holders.length || own.some((signer, i) => signer !== holders?.[i])) {
      issues.error('JAR_SIG_ZIP_ENTRY_SIGNERS_MISMATCH', `${quote(name)} is signed by others than the first entry`)
      continue
    }
    const digests = digestsToVerify(section.attributes, '-Digest', minSdk, maxSdk)
    if (!digests.length) {
      unsigned()
      continue
    }
    const content = soundBytes(zip, entry)
    for (const { hash, value } of digests)
      if (!createHash(hash).update(content).digest().equals(value))
        issues.error('JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY', `${quote(name)}: the ${hash} digest is another`)
  }
  if (!holders) issues.error('JAR_SIG_NO_SIGNED_ZIP_ENTRIES', 'no signed entries')
  return holders ?? []
}

/** Content of an entry whose headers agree; Android refuses to read others. */
function soundBytes(zip: ZipArchive, entry: ZipEntry): Uint8Array {
  const refused = entry.notes.find((note) => note.refused)
  if (refused)
    throw new FormatError('zip', refused.key, refused.offset, `entry ${quote(entry.name)}: ${refused.detail}`)
  return entryBytes(zip, entry)
}

function quote(name: string): string {
  return JSON.stringify(name)
}
