import type { SignerInfo } from '../x509/signed-data.ts'
import { type JarAlgorithm, javaAlgorithm } from './java-algorithms.ts'
import { ANY_LATER_SDK } from './signing-facts.ts'

type Ranges = readonly (readonly [from: number, to: number])[]

const HASH: Readonly<Record<string, string>> = {
  '1.2.840.113549.2.5': 'md5',
  '1.3.14.3.2.26': 'sha1',
  '2.16.840.1.101.3.4.2.4': 'sha224',
  '2.16.840.1.101.3.4.2.1': 'sha256',
  '2.16.840.1.101.3.4.2.2': 'sha384',
  '2.16.840.1.101.3.4.2.3': 'sha512',
}

/** Key kind, and the hash where the identifier names one; a bare kind takes the hash of the digest algorithm. */
const SIGNATURE: Readonly<Record<string, string>> = {
  '1.2.840.113549.1.1.1': 'rsa',
  '1.2.840.113549.1.1.4': 'rsa md5',
  '1.2.840.113549.1.1.5': 'rsa sha1',
  '1.2.840.113549.1.1.14': 'rsa sha224',
  '1.2.840.113549.1.1.11': 'rsa sha256',
  '1.2.840.113549.1.1.12': 'rsa sha384',
  '1.2.840.113549.1.1.13': 'rsa sha512',
  '1.2.840.10040.4.1': 'dsa',
  '1.2.840.10040.4.3': 'dsa sha1',
  '2.16.840.1.101.3.4.3.1': 'dsa sha224',
  '2.16.840.1.101.3.4.3.2': 'dsa sha256',
  '1.2.840.10045.2.1': 'ec',
  '1.2.840.10045.4.1': 'ec sha1',
  '1.2.840.10045.4.3.1': 'ec sha224',
  '1.2.840.10045.4.3.2': 'ec sha256',
  '1.2.840.10045.4.3.3': 'ec sha384',
  '1.2.840.10045.4.3.4': 'ec sha512',
}

const from = (sdk: number): Ranges => [[sdk, ANY_LATER_SDK]]
const except = (first: number, last: number): Ranges => [
  [0, first],
  [last, ANY_LATER_SDK],
]

/** Android versions that accept a digest with a signature algorithm (AOSP apksig, OidConstants). */
const SUPPORTED: Readonly<Record<string, Ranges>> = {
  'md5/rsa': from(0),
  'md5/rsa md5': except(8, 21),
  'sha1/rsa': from(0),
  'sha1/rsa sha1': from(0),
  'sha224/rsa': except(8, 21),
  'sha224/rsa sha224': except(8, 21),
  'sha224/rsa sha256': [[21, 21]],
  'sha256/rsa': except(8, 18),
  'sha256/rsa sha1': [[21, 21]],
  'sha256/rsa sha256': except(8, 18),
  'sha384/rsa': from(18),
  'sha384/rsa sha384': from(21),
  'sha512/rsa': from(18),
  'sha512/rsa sha384': [[21, 21]],
  'sha512/rsa sha512': from(21),
  'sha1/dsa': from(0),
  'sha1/dsa sha1': from(9),
  'sha224/dsa': from(22),
  'sha224/dsa sha224': from(21),
  'sha256/dsa': from(22),
  'sha256/dsa sha256': from(21),
  'sha1/ec': from(18),
  'sha1/ec sha1': from(18),
  'sha224/ec': from(21),
  'sha224/ec sha224': from(21),
  'sha256/ec': from(18),
  'sha256/ec sha256': from(21),
  'sha384/ec': from(18),
  'sha384/ec sha384': from(21),
  'sha512/ec': from(18),
  'sha512/ec sha512': from(21),
}
/** Digest and signature of different hashes: taken for a while, by mistake. */
const MIXED: Ranges = [[21, 23]]

/** The algorithms of a signer where every version in the range accepts them together; Java takes any two that it knows. */
export function jarAlgorithm(
  signer: Pick<SignerInfo, 'digestAlgorithm' | 'signatureAlgorithm' | 'pss'>,
  { minSdk, maxSdk, java }: { minSdk: number; maxSdk: number; java?: boolean },
): JarAlgorithm | undefined {
  if (java) return javaAlgorithm(signer, { hashes: HASH, signatures: SIGNATURE })
  const digest = HASH[signer.digestAlgorithm]
  const signature = SIGNATURE[signer.signatureAlgorithm]
  if (!digest || !signature) return undefined
  const [key, hash] = signature.split(' ') as [JarAlgorithm['key'], string?]
  const ranges = SUPPORTED[`${digest}/${signature}`] ?? (hash ? MIXED : [])
  if (!ranges.some(([first, last]) => first <= minSdk && maxSdk <= last)) return undefined
  return { digest, hash: hash ?? digest, key }
}
