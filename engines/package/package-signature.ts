import { verifyIpa } from '../ipa/verify-ipa.ts'
import { ANY_LATER_SDK, type SchemeOutcome, type SignatureState, type SigningIssue } from '../signing/signing-facts.ts'
import { type ApkVerification, verifyApk } from '../signing/verify-apk.ts'
import { verifyJar } from '../signing/verify-jar.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { IosPackage, Package } from './package.ts'

/** What the signature of a package of any kind says. */
export interface PackageSignature {
  /** `unknown`: no one verifies this kind here, or it cannot be judged; the other states as `SignatureState` explains them. */
  readonly state: SignatureState
  /** v1 to v4 of an APK, `jar` of what Java's tools sign, `code`, `resources` and `profile` of an IPA; none where nothing was looked at. */
  readonly schemes: readonly { readonly scheme: string; readonly state: SchemeOutcome }[]
  /** Who signed; of a signature that does not hold, who is written there. */
  readonly certificates: readonly Certificate[]
  readonly errors: readonly SigningIssue[]
  readonly warnings: readonly SigningIssue[]
  /** Of an APK: what Android says, version by version. */
  readonly apk: ApkVerification | null
}

/** Verifies the signature of a package. Never throws: what cannot be read does not verify. */
export function packageSignature(found: Package): PackageSignature {
  switch (found.kind) {
    case 'apk':
      return ofApk(verifyApk(found.bytes, { archive: found.archives[0]?.zip }))
    case 'apks':
      return ofSplits(found)
    case 'aab':
    case 'aar':
    case 'jar':
      return ofJar(found)
    case 'ipa':
      return ofIpa(found)
    default:
      return { state: 'unknown', schemes: [], certificates: [], errors: [], warnings: [], apk: null }
  }
}

function ofApk(apk: ApkVerification): PackageSignature {
  const certificates = signersOf(apk)
  const some = certificates.length > 0 || Object.values(apk.schemes).some(({ present }) => present)
  return {
    state: apk.verified ? 'verified' : some ? 'broken' : 'unsigned',
    schemes: Object.entries(apk.schemes).map(([scheme, { present, checked, verified }]) => ({
      scheme,
      state: !present ? 'absent' : verified ? 'verified' : checked ? 'broken' : 'unchecked',
    })),
    certificates,
    errors: apk.errors,
    warnings: apk.warnings,
    apk,
  }
}

/** Base and splits are signed each for itself, and are only installed together where the same signers signed them. */
function ofSplits({ archives: [, base, ...splits] }: Pick<Package, 'archives'>): PackageSignature {
  const first = ofApk(verifyApk(base!.zip.bytes, { archive: base!.zip }))
  const minSdk = first.apk!.minSdk
  const others = splits.map(({ prefix, zip }) => ({
    prefix,
    // A split says no lowest version of its own.
    one: ofApk(verifyApk(zip.bytes, { archive: zip, minSdk, maxSdk: ANY_LATER_SDK })),
  }))
  const all = [{ prefix: base!.prefix, one: first }, ...others]
  const named = (prefix: string, issues: readonly SigningIssue[]) =>
    issues.map((issue) => ({ ...issue, message: `${prefix.slice(0, -2)}: ${issue.message}` }))
  const errors = all.flatMap(({ prefix, one }) => named(prefix, one.errors))
  const signers = fingerprints(first.certificates)
  for (const { prefix, one } of others)
    if (one.state === 'verified' && first.state === 'verified' && fingerprints(one.certificates) !== signers)
      errors.push({
        key: 'SPLIT_SIGNERS_MISMATCH',
        message: `${prefix.slice(0, -2)} is signed by others than ${base!.prefix.slice(0, -2)}`,
      })
  const unsigned = all.every(({ one }) => one.state === 'unsigned')
  return {
    state: unsigned ? 'unsigned' : errors.length ? 'broken' : 'verified',
    schemes: first.schemes,
    certificates: first.certificates,
    errors,
    warnings: all.flatMap(({ prefix, one }) => named(prefix, one.warnings)),
    apk: null,
  }
}

function ofJar({ archives: [archive] }: Pick<Package, 'archives'>): PackageSignature {
  const { state, signers, errors, warnings } = verifyJar(archive!.zip)
  return {
    state,
    schemes: [{ scheme: 'jar', state: state === 'unsigned' ? 'absent' : state === 'unknown' ? 'unchecked' : state }],
    certificates: distinct(signers.flatMap(({ certificates: [first] }) => first ?? [])),
    errors,
    warnings,
    apk: null,
  }
}

function ofIpa({ archives: [archive], facts }: IosPackage): PackageSignature {
  const { state, code, resources, profile, certificates, errors, warnings } = verifyIpa(archive!.zip, facts)
  const schemes = Object.entries({ code, resources, profile }).map(([scheme, state]) => ({ scheme, state }))
  return { state, schemes, certificates, errors, warnings, apk: null }
}

/** Who the newest Android takes it from, else who is written there. */
function signersOf(apk: ApkVerification): readonly Certificate[] {
  if (apk.certificates.length) return apk.certificates
  return distinct(apk.signers.flatMap(({ certificates: [first] }) => first ?? []))
}

function distinct(certificates: readonly Certificate[]): Certificate[] {
  return [...new Map(certificates.map((one) => [one.fingerprints.sha256, one])).values()]
}

const fingerprints = (certificates: readonly Certificate[]): string =>
  certificates
    .map((one) => one.fingerprints.sha256)
    .sort()
    .join()
