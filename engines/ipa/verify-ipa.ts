import { FormatError } from '../bytes/format-error.ts'
import type { CodeSignature } from '../macho/code-signature.ts'
import { IssueList, type SchemeOutcome, type SignatureState, type SigningIssue } from '../signing/signing-facts.ts'
import { leadsToApple } from '../x509/apple-root.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import type { IpaBinary, IpaFacts } from './ipa-facts.ts'
import { judgeProfile } from './judge-profile.ts'
import { type BundleFiles, bundleFiles, judgeSeal, uncoveredFiles } from './judge-seal.ts'

export interface IpaVerification {
  /** `unsigned` too where the code is signed by no one (ad hoc); the other states as `SignatureState` explains them. */
  readonly state: SignatureState
  /** The code of all executables; the files of their bundles; whether the embedded profile is whole and lets this signer sign this. */
  readonly code: SchemeOutcome
  readonly resources: SchemeOutcome
  readonly profile: SchemeOutcome
  /** Who signed the main executable. */
  readonly certificates: readonly Certificate[]
  readonly team: string | null
  readonly errors: readonly SigningIssue[]
  readonly warnings: readonly SigningIssue[]
}

const MOST_NAMES = 100

/**
 * Judges the signature of an iOS application by what lies in it: code directories against the pages of every executable, the CMS
 * signature over them with its certificate, Info.plist and all files of the bundles against their seals, the profile against signer, team
 * and application. Revocation, expiry and the rights of a certificate are not asked. Never throws.
 */
export function verifyIpa(zip: ZipArchive, facts: IpaFacts): IpaVerification {
  const [code, resources, profile] = [new IssueList({}), new IssueList({}), new IssueList({})]
  const main = facts.binaries.find(({ role }) => role === 'main')
  const signature = main?.macho.images.map((image) => image.signature).find((one) => one !== null) ?? null
  const named = {
    certificates: distinct(signature?.signers ?? []),
    team: signature?.directories[0]?.team ?? null,
    errors: [],
    warnings: [],
  }
  const nothing = { code: 'absent', resources: 'absent', profile: 'absent' } as const
  if (!main) {
    const message = 'the main executable is missing or cannot be read'
    return { ...named, ...nothing, state: 'unknown', errors: [{ key: 'IPA_NO_EXECUTABLE', message }] }
  }
  if (!isSigned(main)) {
    if (signature?.adHoc) code.warn('IPA_AD_HOC', 'the code has digests and no signer: no device takes it')
    return { ...named, ...nothing, state: 'unsigned', warnings: code.warnings }
  }
  const unknown = judgeBinaries(facts.binaries, main, named.team, code)
  if (!named.certificates.some((one) => leadsToApple(one, signature?.certificates ?? [])))
    code.warn('IPA_NOT_APPLE', 'the embedded certificates do not lead from the signer to the root of Apple')
  const covered = sealed(zip, facts, resources)
  if (facts.provision && signature) judgeProfile(facts.provision, signature, named.certificates, profile)
  const errors = [...code.errors, ...resources.errors, ...profile.errors]
  const partly = covered.open > 0 || covered.missing > 0
  const unjudged = unknown || covered.limited
  return {
    ...named,
    state: errors.length ? 'broken' : unjudged ? 'unknown' : partly ? 'partial' : 'verified',
    code: code.errors.length ? 'broken' : unknown ? 'unchecked' : 'verified',
    resources: resources.errors.length ? 'broken' : covered.limited ? 'unchecked' : partly ? 'partial' : 'verified',
    profile: !facts.provision ? 'absent' : !signature ? 'unchecked' : profile.errors.length ? 'broken' : 'verified',
    errors,
    warnings: [...code.warnings, ...resources.warnings, ...profile.warnings],
  }
}

const isSigned = ({ macho }: IpaBinary): boolean =>
  macho.images.some(({ signature, signatureAt }) => (signature ? !signature.adHoc : signatureAt !== null))

/** Whether an algorithm is not known here, so that it can be neither. */
function judgeBinaries(
  binaries: readonly IpaBinary[],
  main: IpaBinary,
  team: string | null,
  issues: IssueList,
): boolean {
  let unknown = false
  let weak = false
  for (const binary of binaries) {
    if (binary !== main && !isSigned(binary)) {
      issues.warn('IPA_CODE_NOT_SIGNED', `${binary.entry} has no signer of its own`)
      continue
    }
    for (const { signature, cpu } of binary.macho.images) {
      const name = binary.macho.fat ? `${binary.entry} (${cpu})` : binary.entry
      if (!signature) {
        issues.error('IPA_CODE_NOT_SIGNED', `${name} has no code signature that can be read`)
        continue
      }
      judgeCode(name, signature, issues)
      unknown ||= !signature.adHoc && signature.signatureHolds === null
      weak ||= signature.directories.every(({ hash }) => hash === 'sha1')
      const own = signature.directories[0]?.team ?? null
      if (own !== team)
        issues.warn(
          'IPA_OTHER_TEAM',
          `${name} is signed for team ${own ?? 'none'}, the application for ${team ?? 'none'}`,
        )
    }
  }
  if (unknown) issues.warn('IPA_UNKNOWN_ALGORITHM', 'a signature has an algorithm that is not judged here')
  if (weak) issues.warn('IPA_WEAK_DIGEST', 'digests of code are SHA-1 alone')
  return unknown
}

function judgeCode(name: string, { adHoc, signatureHolds, pagesHold, partsHold }: CodeSignature, issues: IssueList) {
  if (!pagesHold) issues.error('IPA_CODE_CHANGED', `${name}: the code is not what was signed`)
  if (!partsHold)
    issues.error('IPA_PARTS_CHANGED', `${name}: entitlements, requirements or identity are not what was signed`)
  if (adHoc) issues.error('IPA_AD_HOC', `${name}: one image has a signer, this one has none`)
  else if (signatureHolds === false)
    issues.error('IPA_SIGNATURE_DID_NOT_VERIFY', `${name}: the signature over the code directory does not hold`)
}

/** Holds the files of all bundles against their seals; counts what no one sealed and what is missing. */
function sealed(zip: ZipArchive, facts: IpaFacts, issues: IssueList) {
  let limited = false
  const files: BundleFiles = bundleFiles(zip, facts)
  try {
    for (const name of files.twice.slice(0, MOST_NAMES))
      issues.error('IPA_DUPLICATE_ENTRY', `several entries ${JSON.stringify(name)}`)
    for (const binary of facts.binaries) judgeSeal(binary, files, issues)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    limited = error.key === 'limit'
    if (limited) issues.warn('IPA_LIMIT', error.message)
    else issues.error('IPA_UNREADABLE', error.message)
  }
  const open = uncoveredFiles(files)
  for (const name of open.slice(0, MOST_NAMES))
    issues.warn('IPA_FILE_NOT_SIGNED', `${JSON.stringify(name)} is not signed`)
  if (open.length > MOST_NAMES) issues.warn('IPA_FILE_NOT_SIGNED', `${open.length - MOST_NAMES} more are not signed`)
  return { open: open.length, missing: files.missing, limited }
}

function distinct(certificates: readonly Certificate[]): Certificate[] {
  return [...new Map(certificates.map((one) => [one.fingerprints.sha256, one])).values()]
}
