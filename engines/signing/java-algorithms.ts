import type { SignerInfo } from '../x509/signed-data.ts'

export interface JarAlgorithm {
  /** Of the signature file. */
  readonly digest: string
  /** Of the signature; null where that needs none (EdDSA). */
  readonly hash: string | null
  readonly key: 'rsa' | 'dsa' | 'ec' | 'ed25519' | 'ed448'
  /** Of RSASSA-PSS. */
  readonly saltLength?: number
}

const SHA = '2.16.840.1.101.3.4.2.'
/** Hashes of Java that Android has never known in a signature block. */
const HASHES: Readonly<Record<string, string>> = {
  [`${SHA}5`]: 'sha512-224',
  [`${SHA}6`]: 'sha512-256',
  [`${SHA}7`]: 'sha3-224',
  [`${SHA}8`]: 'sha3-256',
  [`${SHA}9`]: 'sha3-384',
  [`${SHA}10`]: 'sha3-512',
  // SHAKE256 with 64 bytes, which belongs to Ed448.
  [`${SHA}12`]: 'shake256',
  [`${SHA}18`]: 'shake256',
}

const NIST = '2.16.840.1.101.3.4.3.'
const SIGNATURES: Readonly<Record<string, readonly [key: JarAlgorithm['key'], hash: string]>> = {
  '1.2.840.113549.1.1.15': ['rsa', 'sha512-224'],
  '1.2.840.113549.1.1.16': ['rsa', 'sha512-256'],
  [`${NIST}3`]: ['dsa', 'sha384'],
  [`${NIST}4`]: ['dsa', 'sha512'],
  [`${NIST}5`]: ['dsa', 'sha3-224'],
  [`${NIST}6`]: ['dsa', 'sha3-256'],
  [`${NIST}7`]: ['dsa', 'sha3-384'],
  [`${NIST}8`]: ['dsa', 'sha3-512'],
  [`${NIST}9`]: ['ec', 'sha3-224'],
  [`${NIST}10`]: ['ec', 'sha3-256'],
  [`${NIST}11`]: ['ec', 'sha3-384'],
  [`${NIST}12`]: ['ec', 'sha3-512'],
  [`${NIST}13`]: ['rsa', 'sha3-224'],
  [`${NIST}14`]: ['rsa', 'sha3-256'],
  [`${NIST}15`]: ['rsa', 'sha3-384'],
  [`${NIST}16`]: ['rsa', 'sha3-512'],
}
const ED: Readonly<Record<string, 'ed25519' | 'ed448'>> = { '1.3.101.112': 'ed25519', '1.3.101.113': 'ed448' }

type Asked = Pick<SignerInfo, 'digestAlgorithm' | 'signatureAlgorithm' | 'pss'>

/**
 * The algorithm of a signer by the rules of Java: what Android knows (`known` by object identifier), the younger hashes, RSASSA-PSS and
 * EdDSA. Undefined for what neither Java nor this runtime can verify.
 */
export function javaAlgorithm(
  { digestAlgorithm, signatureAlgorithm, pss }: Asked,
  known: {
    readonly hashes: Readonly<Record<string, string>>
    readonly signatures: Readonly<Record<string, string>>
  },
): JarAlgorithm | undefined {
  const hashOf = (oid: string) => known.hashes[oid] ?? HASHES[oid]
  const digest = hashOf(digestAlgorithm)
  if (digest === undefined) return undefined
  const ed = ED[signatureAlgorithm]
  if (ed) return { digest, hash: null, key: ed }
  if (pss) {
    const hash = hashOf(pss.hash)
    // The runtime takes the mask of the same hash alone, as Java makes it.
    const plain = pss.maskHash === pss.hash && pss.trailer === 1 && pss.saltLength >= 0
    return hash !== undefined && plain ? { digest, hash, key: 'rsa', saltLength: pss.saltLength } : undefined
  }
  const younger = SIGNATURES[signatureAlgorithm]
  if (younger) return { digest, hash: younger[1], key: younger[0] }
  const [key, hash] = (known.signatures[signatureAlgorithm] ?? '').split(' ') as [JarAlgorithm['key'] | '', string?]
  return key ? { digest, hash: hash ?? digest, key } : undefined
}
