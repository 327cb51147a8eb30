import { createHash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
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
import { IssueList } from './signing-facts.ts'

export interface V1Result {
  readonly issues: IssueList
  readonly signers: readonly JarSigner[]
  readonly verified: boolean
}

const MANIFEST = 'META-INF/MANIFEST.MF'

/** JAR signing (v1) as Android judges it over the asked range of versions. */
export function verifyV1(zip: ZipArchive, rules: V1Rules): V1Result {
  const issues = new IssueList({ scheme: 'v1' })
  const refused: V1Result = { issues, signers: [], verified: false }
  try {
    refuseDuplicates(zip, issues)
    if (issues.errors.length) return refused
    const manifestEntry = zip.byName.get(MANIFEST)
    if (!manifestEntry) {
      issues.error('JAR_SIG_NO_MANIFEST', `no ${MANIFEST}`)
      return refused
    }
    const manifest = soundBytes(zip, manifestEntry)
    const [main, ...sections] = readManifest(manifest)
    const byName = namedSections(sections, issues)
    for (const name of byName.keys())
      if (!zip.byName.has(name))
        issues.error('JAR_SIG_MISSING_ZIP_ENTRY_REFERENCED_IN_MANIFEST', `${quote(name)} is listed and missing`)
    if (issues.errors.length) return refused
    const candidates = findSigners(zip, rules, issues)
    if (issues.errors.length) return refused
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

function findSigners(zip: ZipArchive, rules: V1Rules, issues: IssueList): SignerCandidate[] {
  const pairs = zip.entries.flatMap((block) => {
    if (!block.name.startsWith(META) || !/\.(RSA|DSA|EC)$/.test(block.name)) return []
    const fileName = `${block.name.slice(0, block.name.lastIndexOf('.'))}.SF`
    const file = zip.byName.get(fileName)
    if (file) return [{ block, file }]
    issues.warn('JAR_SIG_MISSING_FILE', `${quote(block.name)} without ${quote(fileName)}`)
    return []
  })
  refuseManySigners(pairs.length, issues)
  return issues.errors.length ? [] : pairs.map(({ block, file }) => readSigner(zip, block, file, rules))
}

/** Every entry outside of META-INF must be signed by the same signers, and be what the manifest says. */
function verifyEntries(
  zip: ZipArchive,
  byName: ReadonlyMap<string, ManifestSection>,
  signers: readonly JarSigner[],
  rules: V1Rules,
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
    const digests = digestsToVerify(section.attributes, '-Digest', rules)
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
