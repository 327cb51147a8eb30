import { ANY_LATER_SDK, SDK } from './signing-facts.ts'

interface DigestRules {
  readonly minSdk: number
  readonly maxSdk: number
  /** As Java verifies archives, not Android. */
  readonly java?: boolean
}

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
  { minSdk, maxSdk, java }: DigestRules,
): ExpectedDigest[] {
  if (java) return digestsOfJava(attributes, suffix)
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

/** What Java computes; MD2 and MD5 are disabled there. */
const HASHES_OF_JAVA: Readonly<Record<string, string>> = {
  sha: 'sha1',
  sha1: 'sha1',
  'sha-1': 'sha1',
  'sha-224': 'sha224',
  'sha-256': 'sha256',
  'sha-384': 'sha384',
  'sha-512': 'sha512',
  'sha3-224': 'sha3-224',
  'sha3-256': 'sha3-256',
  'sha3-384': 'sha3-384',
  'sha3-512': 'sha3-512',
}

/** Java compares every digest that it knows. */
function digestsOfJava(attributes: ReadonlyMap<string, string>, suffix: string): ExpectedDigest[] {
  return Object.entries(HASHES_OF_JAVA).flatMap(([name, hash]) => {
    const value = attributes.get(name + suffix.toLowerCase())
    return value === undefined ? [] : [{ hash, value: Buffer.from(value, 'base64') }]
  })
}

function knownSince(algorithm: string): number {
  const hash = HASHES[algorithm.toUpperCase()]
  if (!hash) return ANY_LATER_SDK
  return hash === 'sha384' || hash === 'sha512' ? 9 : 0
}
