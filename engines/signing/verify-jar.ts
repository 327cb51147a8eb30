import { createHash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { ZipArchive, ZipEntry } from '../zip/zip-facts.ts'
import { digestsToVerify } from './jar-digests.ts'
import { type ManifestSection, readManifest } from './jar-manifest.ts'
import { type V1Rules, verifySignatureFile } from './jar-signature-file.ts'
import {
  type JarSigner,
  META,
  namedSections,
  quote,
  readSigner,
  refuseDuplicates,
  refuseManySigners,
  type SignerCandidate,
  soundBytes,
} from './jar-signers.ts'
import { type ApkSigner, IssueList, SDK, type SignatureState, type SigningIssue } from './signing-facts.ts'

export interface JarVerification {
  readonly state: SignatureState
  readonly signers: readonly ApkSigner[]
  /** Of the signers whose signature holds, each once; empty unless verified or partial. */
  readonly certificates: readonly Certificate[]
  /** Entries that no signer answers for: the first hundred, and how many there are. */
  readonly uncovered: readonly string[]
  readonly uncoveredCount: number
  readonly errors: readonly SigningIssue[]
  readonly warnings: readonly SigningIssue[]
}

/** The rules of Java; Android versions and later schemes do not count. */
const JAVA: V1Rules = { java: true, minSdk: SDK.n, maxSdk: SDK.n, found: new Set(), supported: new Set() }
const MOST_NAMES = 100
/** Files of a signature; those alone need not be signed. */
const SIGNATURE_FILE = /^META-INF\/(?:MANIFEST\.MF|SIG-[^/]*|[^/]*\.(?:SF|RSA|DSA|EC))$/i

/**
 * Judges the JAR signature of an archive that no Android verifies: bundles (AAB), libraries (AAR) and JARs, as `jarsigner -verify` does.
 * Whether the signer is to be trusted, has expired or has revoked is not asked. Never throws.
 */
export function verifyJar(zip: ZipArchive): JarVerification {
  const issues = new IssueList({ scheme: 'v1' })
  const found: Found = { signers: [], uncovered: [], missing: 0 }
  let limited = false
  try {
    judge(zip, found, issues)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    limited = error.key === 'limit'
    issues.error(limited ? 'LIMIT_EXCEEDED' : 'MALFORMED_JAR', error.message)
  }
  const lists = [issues, ...found.signers.map((signer) => signer.issues)]
  const errors = lists.flatMap((list) => list.errors)
  const unjudged = limited || (errors.length > 0 && errors.every(({ key }) => key === 'JAR_SIG_UNSUPPORTED_SIG_ALG'))
  const state = !zip.entries.some(({ name }) => isBlock(name) || isSignatureFile(name))
    ? 'unsigned'
    : unjudged
      ? 'unknown'
      : errors.length
        ? 'broken'
        : found.uncovered.length || found.missing
          ? 'partial'
          : 'verified'
  return {
    state,
    signers: found.signers.map(({ name, certificates }) => ({ scheme: 'v1', name, certificates })),
    certificates: state === 'verified' || state === 'partial' ? certificatesOf(found.signers) : [],
    uncovered: found.uncovered.slice(0, MOST_NAMES),
    uncoveredCount: found.uncovered.length,
    errors,
    warnings: lists.flatMap((list) => list.warnings),
  }
}

interface Found {
  signers: readonly JarSigner[]
  uncovered: string[]
  missing: number
}

function judge(zip: ZipArchive, found: Found, issues: IssueList): void {
  const pairs = signaturePairs(zip, issues)
  if (!pairs) return
  refuseDuplicates(zip, issues)
  refuseManySigners(pairs.length, issues)
  const manifestEntry = zip.entries.find(({ name }) => name.toUpperCase() === 'META-INF/MANIFEST.MF')
  if (!manifestEntry) issues.error('JAR_SIG_NO_MANIFEST', 'no META-INF/MANIFEST.MF')
  if (!pairs.length) issues.error('JAR_SIG_NO_SIGNATURES', 'no signature file with its signature block')
  if (!manifestEntry || issues.errors.length) return
  const manifest = soundBytes(zip, manifestEntry)
  const [main, ...sections] = readManifest(manifest)
  const byName = namedSections(sections, issues)
  if (issues.errors.length) return
  const candidates = pairs.map(({ block, file }) => readSigner(zip, block, file, JAVA))
  found.signers = candidates.map((candidate) => withEntries(candidate, { manifest, main, byName }))
  if (found.signers.some((signer) => signer.issues.errors.length)) return
  verifyEntries(zip, byName, found, issues)
}

/** Signature blocks with their signature files; undefined where there is neither. Java does not look at the case of their names. */
function signaturePairs(zip: ZipArchive, issues: IssueList) {
  const files = new Map<string, ZipEntry>()
  for (const entry of zip.entries) if (isSignatureFile(entry.name)) files.set(stem(entry.name), entry)
  const blocks = zip.entries.filter(({ name }) => isBlock(name))
  if (!files.size && !blocks.length) return undefined
  return blocks.flatMap((block) => {
    const file = files.get(stem(block.name))
    if (file) return [{ block, file }]
    issues.warn('JAR_SIG_MISSING_FILE', `${quote(block.name)} without its signature file`)
    return []
  })
}

const isBlock = (name: string): boolean => /^META-INF\/[^/]*\.(?:RSA|DSA|EC)$/i.test(name)
const isSignatureFile = (name: string): boolean => /^META-INF\/[^/]*\.SF$/i.test(name)
const stem = (name: string): string => name.slice(META.length, name.lastIndexOf('.')).toUpperCase()

type Manifest = Parameters<typeof verifySignatureFile>[1]

function withEntries({ file, ...signer }: SignerCandidate, manifest: Manifest): JarSigner {
  if (signer.issues.errors.length) return signer
  const entries = verifySignatureFile(file, manifest, JAVA, signer.issues)
  return entries ? { ...signer, entries } : signer
}

function verifyEntries(
  zip: ZipArchive,
  byName: ReadonlyMap<string, ManifestSection>,
  found: Found,
  issues: IssueList,
): void {
  let weak = false
  let covered = false
  for (const entry of [...zip.entries].sort((a, b) => a.localOffset - b.localOffset)) {
    const { name } = entry
    if (entry.isDirectory || SIGNATURE_FILE.test(name)) continue
    const section = byName.get(name)
    if (section && found.signers.some(({ entries }) => entries.has(name))) covered = true
    else found.uncovered.push(name)
    if (!section) continue
    const digests = digestsToVerify(section.attributes, '-Digest', JAVA)
    if (!digests.length) issues.error('JAR_SIG_NO_ZIP_ENTRY_DIGEST_IN_MANIFEST', `${quote(name)} has no digest`)
    const content = digests.length ? soundBytes(zip, entry) : undefined
    for (const { hash, value } of digests) {
      weak ||= hash === 'sha1'
      if (!createHash(hash).update(content!).digest().equals(value))
        issues.error('JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY', `${quote(name)}: the ${hash} digest is another`)
    }
  }
  if (!covered) issues.error('JAR_SIG_NO_SIGNED_ZIP_ENTRIES', 'the signature holds and says nothing of any entry')
  for (const name of byName.keys())
    if (!zip.byName.has(name)) {
      found.missing++
      issues.warn('JAR_SIG_MISSING_ZIP_ENTRY_REFERENCED_IN_MANIFEST', `${quote(name)} is listed and missing`)
    }
  for (const name of found.uncovered.slice(0, MOST_NAMES))
    issues.warn('JAR_SIG_ZIP_ENTRY_NOT_SIGNED', `${quote(name)} is not signed`)
  if (found.uncovered.length > MOST_NAMES)
    issues.warn('JAR_SIG_ZIP_ENTRY_NOT_SIGNED', `${found.uncovered.length - MOST_NAMES} more are not signed`)
  if (weak) issues.warn('JAR_SIG_WEAK_DIGEST', 'SHA-1 digests: Java takes what was signed so since 2019 as unsigned')
}

function certificatesOf(signers: readonly JarSigner[]): Certificate[] {
  const own = signers.flatMap(({ certificates: [first] }) => first ?? [])
  return [...new Map(own.map((one) => [one.fingerprints.sha256, one])).values()]
}
