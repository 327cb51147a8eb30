import type { Certificate } from '../x509/certificate.ts'
import type { SigningScheme } from './sign-apk.ts'
import { SDK, type SigningIssue } from './signing-facts.ts'
import { type ApkVerification, verifyApk } from './verify-apk.ts'

interface Expected {
  readonly schemes: ReadonlySet<SigningScheme>
  readonly minSdk: number
  /** Whose signature the newest Android must see. */
  readonly certificate: Certificate
  readonly idsig?: Uint8Array
  /** A v3.1 signer is expected. */
  readonly rotated?: boolean
}

/** Versions that look at a scheme where the package is for later ones alone. */
const READERS = { v1: [SDK.lollipop, SDK.n - 1], v2: [SDK.n, SDK.p - 1] } as const

/**
 * Whether a package that was just signed is what was asked for, as our verifier sees it: verified by every Android version that it is
 * for, each scheme by the versions that read it, by the expected signer, and without a scheme that was not asked for. Empty where it is.
 */
export function judgeSigned(bytes: Uint8Array, expected: Expected): SigningIssue[] {
  const { schemes, minSdk, certificate, idsig, rotated = false } = expected
  const whole = verifyApk(bytes, { minSdk, ...(idsig && { idsig }) })
  const issues = [...whole.errors]
  const fail = (message: string) => void issues.push({ key: 'SIGNED_OTHERWISE', message })
  const seen: Record<string, boolean> = {}
  for (const scheme of ['v1', 'v2', 'v3', 'v4'] as const) {
    const asked = schemes.has(scheme)
    if (whole.schemes[scheme].present !== asked) fail(`${scheme} is ${asked ? 'missing' : 'there'}`)
    seen[scheme] = whole.schemes[scheme].verified
  }
  if (whole.schemes.v31.present !== rotated) fail(`v3.1 is ${rotated ? 'missing' : 'there'}`)
  for (const scheme of ['v1', 'v2'] as const)
    if (schemes.has(scheme) && !seen[scheme]) issues.push(...issuesOf(bytes, scheme))
  if (schemes.has('v3') && !seen['v3']) fail('v3 is not verified')
  if (schemes.has('v4') && !seen['v4']) fail('v4 is not verified')
  const signer = whole.certificates[0]?.fingerprints.sha256
  if (!issues.length && signer !== certificate.fingerprints.sha256) fail('signed by another certificate')
  return issues
}

function issuesOf(bytes: Uint8Array, scheme: 'v1' | 'v2'): readonly SigningIssue[] {
  const [minSdk, maxSdk] = READERS[scheme]
  const found: ApkVerification = verifyApk(bytes, { minSdk, maxSdk })
  // A package for later versions alone may fail there for its target version; the scheme itself counts.
  if (found.schemes[scheme].verified) return []
  return found.errors.length ? found.errors : [{ key: 'SIGNED_OTHERWISE', message: `${scheme} is not verified` }]
}
