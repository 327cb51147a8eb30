import { ANY_LATER_SDK, SDK } from './signing-facts.ts'

interface ExpectedDigest {
  readonly hash: string
  readonly value: Buffer
}

const HASHES: Readonly<Record<string, string>> = {
  MD5: 'md5',
  SHA: 'sha1',
  SHA1: 'sha1',
  'SHA-1': 'sha1',
  'SHA-256': 'sha256',
  'SHA-384': 'sha384',
  'SHA-512': 'sha512',
}
/** From 4.3 on the first of these that is there counts. */
const PREFERRED = ['SHA-512', 'SHA-384', 'SHA-256', 'SHA1']

/**
 * The digests of a section that some Android version in the range compares: versions before 4.3 take the first one that
 * `Digest-Algorithms` names (`SHA SHA1` where it is absent), later ones the strongest. None where old versions find none.
 */
export function digestsToVerify(
  attributes: ReadonlyMap<string, string>,
  suffix: string,
  minSdk: number,
  maxSdk: number,
): ExpectedDigest[] {
  const found: ExpectedDigest[] = []
  const named = (algorithm: string) => attributes.get((algorithm + suffix).toLowerCase())
  if (minSdk < SDK.jellyBeanMr2) {
    const algorithms = (attributes.get('digest-algorithms') ?? 'SHA SHA1').split(/[ \t]+/)
    const first = algorithms.find((one) => named(one) !== undefined && knownSince(one) <= minSdk)
    if (first === undefined) return []
    found.push({ hash: HASHES[first.toUpperCase()]!, value: Buffer.from(named(first)!, 'base64') })
  }
  if (maxSdk >= SDK.jellyBeanMr2) {
    const best = PREFERRED.find((one) => named(one) !== undefined)
    if (best !== undefined) {
      const hash = HASHES[best]!
      const value = Buffer.from(named(best)!, 'base64')
      if (!found.some((one) => one.hash === hash && one.value.equals(value))) found.push({ hash, value })
    }
  }
  return found
}

function knownSince(algorithm: string): number {
  const hash = HASHES[algorithm.toUpperCase()]
  if (!hash) return ANY_LATER_SDK
  return hash === 'sha384' || hash === 'sha512' ? 9 : 0
}
