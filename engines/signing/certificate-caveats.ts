/** What a certificate says that matters to its reader, in plain fields, so that stored facts serve as well as a parsed certificate. */
export interface CaveatFacts {
  readonly subject: string
  /** Hexadecimal, lower case. */
  readonly sha256: string
  /** `RSA`, `RSASSA-PSS`, `DSA`, `EC` … */
  readonly keyAlgorithm: string
  /** 0 where it is not known. */
  readonly keyBits: number
  /** As in `SHA256withRSA`. */
  readonly signatureAlgorithm: string
  /** Milliseconds since 1970. */
  readonly notAfter: number
}

export const CERTIFICATE_CAVEATS = ['debug', 'test_key', 'expired', 'weak_key', 'weak_digest'] as const
export type CertificateCaveat = (typeof CERTIFICATE_CAVEATS)[number]

/** SHA-256 of the certificates that AOSP publishes with their private keys: testkey, platform, shared, media. */
export const PUBLIC_KEYS: ReadonlyMap<string, string> = new Map([
  ['a40da80a59d170caa950cf15c18c454d47a39b26989d8b640ecd745ba71bf5dc', 'testkey'],
  ['c8a2e9bccf597c2fb6dc66bee293fc13f2fc47ec77bc6b2b0d52c11f51192ab8', 'platform'],
  ['28bbfe4a7b97e74681dc55c2fbb6ccb8d6c74963733f6af6ae74d8c3a6e879fd', 'shared'],
  ['465983f7791f2abeb43ea2cbdc7f21a8260b72bc08a55c839fc1a43bc741a81e', 'media'],
])

/** The key of Android's debug builds, and what build tools derive from it. */
export const isDebugSubject = (subject: string): boolean =>
  /CN=Android Debug(?:,|$)/.test(subject) || (/O=Android(?:,|$)/.test(subject) && /CN=[^,]*Debug/i.test(subject))

/** Shorter than the lengths that NIST SP 800-57 accepts today (112 bits of strength). */
export const isWeakKey = (algorithm: string, bits: number): boolean =>
  (algorithm.startsWith('RSA') && bits > 0 && bits < 2048) ||
  (algorithm === 'DSA' && bits < 2048) ||
  (algorithm === 'EC' && bits > 0 && bits < 224)

/** Digests with practical collisions. */
export const weakDigestOf = (signatureAlgorithm: string): 'MD5' | 'SHA1' | undefined =>
  /^(MD5|SHA1)with/.exec(signatureAlgorithm)?.[1] as 'MD5' | 'SHA1' | undefined

/** Caveats of a certificate, in a fixed order. @param date milliseconds since 1970; null: expiry does not count */
export function caveatsOf(facts: CaveatFacts, date: number | null): readonly CertificateCaveat[] {
  const is: Record<CertificateCaveat, boolean> = {
    debug: isDebugSubject(facts.subject),
    test_key: PUBLIC_KEYS.has(facts.sha256),
    expired: date !== null && facts.notAfter < date,
    weak_key: isWeakKey(facts.keyAlgorithm, facts.keyBits),
    weak_digest: weakDigestOf(facts.signatureAlgorithm) !== undefined,
  }
  return CERTIFICATE_CAVEATS.filter((one) => is[one])
}
