import type { FileDetail } from './compare-files.ts'

const ORDER = ['debug', 'test_key', 'expired', 'weak_key', 'weak_digest', 'not_apple'] as const
export type SignatureCaveat = (typeof ORDER)[number]

/** What limits the trust in the signature of a file, in a fixed order. @param now milliseconds since 1970 */
export function signatureCaveats({ facts, kind }: FileDetail, now: number): SignatureCaveat[] {
  const found = new Set<string>(facts.certificates.flatMap(({ caveats }) => caveats ?? []))
  // Code signing of libraries is meant to outlive its certificates.
  if (kind !== 'jar' && kind !== 'aar' && facts.certificates.some(({ not_after }) => not_after < now))
    found.add('expired')
  if (facts.signature_issues.some(({ key }) => key === 'IPA_NOT_APPLE')) found.add('not_apple')
  return ORDER.filter((one) => found.has(one))
}
