import { X509Certificate } from 'node:crypto'
import type { Certificate } from './certificate.ts'

/** SHA-256 of `Apple Root CA`, valid to 2035, from which certificates for iOS applications come. */
const ROOT = 'b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024'
const LONGEST_CHAIN = 8
/** Of those that lie beside it; Apple puts three. */
const MOST_BESIDE = 50

/**
 * Whether certificates that lie beside it lead from one to Apple's root, each signed with the key of the next. Expiry, revocation and what
 * a certificate may be used for are not asked.
 */
export function leadsToApple(leaf: Certificate, beside: readonly Certificate[]): boolean {
  let current = leaf
  for (let steps = 0; steps < LONGEST_CHAIN; steps++) {
    if (current.fingerprints.sha256 === ROOT) return true
    const next = beside
      .slice(0, MOST_BESIDE)
      .find((one) => one !== current && one.subject === current.issuer && signed(current, one))
    if (!next) return false
    current = next
  }
  return false
}

function signed(one: Certificate, by: Certificate): boolean {
  try {
    return new X509Certificate(one.der).verify(new X509Certificate(by.der).publicKey)
  } catch {
    // What this runtime cannot read is not trusted.
    return false
  }
}
