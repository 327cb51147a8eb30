import { createHash } from 'node:crypto'
import { digestsToVerify } from './jar-digests.ts'
import { type ManifestSection, readManifest } from './jar-manifest.ts'
import { type IssueList, SDK } from './signing-facts.ts'

export interface V1Rules {
  readonly minSdk: number
  readonly maxSdk: number
  /** By the rules of Java and not of Android: the versions and schemes say nothing then. */
  readonly java?: boolean
  /** Numbers of the later schemes that the package has, and of those that the asked versions know. */
  readonly found: ReadonlySet<number>
  readonly supported: ReadonlySet<number>
}

interface JarManifest {
  readonly manifest: Uint8Array
  readonly main: ManifestSection | undefined
  readonly byName: ReadonlyMap<string, ManifestSection>
}

/**
 * Verifies a signature file (.SF) against the manifest: its digest of the whole, else of each section. Answers the names of the
 * entries it lists; undefined where Android passes over this signer.
 */
export function verifySignatureFile(
  file: Uint8Array,
  { manifest, main, byName }: JarManifest,
  rules: V1Rules,
  issues: IssueList,
): ReadonlySet<string> | undefined {
  const [head, ...sections] = readManifest(file)
  if (!head?.attributes.has('signature-version')) {
    issues.error('JAR_SIG_MISSING_VERSION_ATTR_IN_SIG_FILE', 'no Signature-Version in the signature file')
    return undefined
  }
  const names = new Set<string>()
  if (rules.maxSdk >= SDK.n) {
    checkStripping(head, rules, issues)
    if (issues.errors.length) return names
  }
  const signtool = head.attributes.get('created-by')?.includes('signtool') ?? false
  const mismatches = (attributes: ReadonlyMap<string, string>, suffix: string, bytes: Uint8Array) => {
    const digests = digestsToVerify(attributes, suffix, rules)
    const wrong = digests.filter(({ hash, value }) => !createHash(hash).update(bytes).digest().equals(value))
    return digests.length ? wrong.map(({ hash }) => hash) : undefined
  }
  const whole = mismatches(head.attributes, signtool ? '-Digest' : '-Digest-Manifest', manifest)
  if (!whole) issues.warn('JAR_SIG_NO_MANIFEST_DIGEST_IN_SIG_FILE', 'no digest of the manifest in the signature file')
  for (const hash of whole ?? [])
    issues.warn('JAR_SIG_ZIP_ENTRY_DIGEST_DID_NOT_VERIFY', `the ${hash} digest of the whole manifest is another`)
  if (!signtool) {
    const bytes = manifest.subarray(main?.offset ?? 0, main?.end ?? 0)
    for (const hash of mismatches(head.attributes, '-Digest-Manifest-Main-Attributes', bytes) ?? [])
      issues.error(
        'JAR_SIG_MANIFEST_MAIN_SECTION_DIGEST_DID_NOT_VERIFY',
        `the ${hash} digest of the main section is another`,
      )
    if (issues.errors.length) return names
  }
  const verifiedWhole = whole?.length === 0
  let ignored = false
  for (const [i, { name, attributes }] of sections.entries()) {
    if (name === undefined || names.has(name)) {
      if (name === undefined) issues.error('JAR_SIG_UNNNAMED_SIG_FILE_SECTION', `section ${i + 1} has no name`)
      else issues.error('JAR_SIG_DUPLICATE_SIG_FILE_SECTION', `several sections ${JSON.stringify(name)}`)
      return undefined
    }
    names.add(name)
    if (verifiedWhole) continue
    const section = byName.get(name)
    const wrong = section && mismatches(attributes, '-Digest', digestedBytes(manifest, section, signtool))
    if (!wrong) issues.error('JAR_SIG_NO_ZIP_ENTRY_DIGEST_IN_SIG_FILE', `no digest for ${JSON.stringify(name)}`)
    ignored ||= !section
    for (const hash of wrong ?? [])
      issues.error(
        'JAR_SIG_MANIFEST_SECTION_DIGEST_DID_NOT_VERIFY',
        `the ${hash} digest of section ${JSON.stringify(name)} is another`,
      )
  }
  return ignored ? undefined : names
}

/** signtool leaves the last line end of a section out. */
function digestedBytes(manifest: Uint8Array, { offset, end }: ManifestSection, signtool: boolean): Uint8Array {
  const shorter = signtool && manifest[end - 1] === 10 && manifest[end - 2] === 10
  return manifest.subarray(offset, shorter ? end - 1 : end)
}

/** A signature file may say which later schemes the package was signed with too; Android 7 and later want to see those. */
function checkStripping({ attributes }: ManifestSection, { found, supported }: V1Rules, issues: IssueList): void {
  const said = attributes.get('x-android-apk-signed')
  if (said === undefined) {
    if (found.size)
      issues.warn('JAR_SIG_NO_APK_SIG_STRIP_PROTECTION', 'v1 does not say that the package has a later signature')
    return
  }
  if (!supported.size) return
  const ids = said
    .split(',')
    .map((text) => text.trim())
    .filter((text) => /^[+-]?\d{1,9}$/.test(text))
    .map(Number)
  for (const id of new Set(ids))
    if (!supported.has(id)) issues.warn('JAR_SIG_UNKNOWN_APK_SIG_SCHEME_ID', `scheme ${id}`)
    else if (!found.has(id))
      issues.error('JAR_SIG_MISSING_APK_SIG_REFERENCED', `signed with scheme v${id} too, which is missing`)
}
