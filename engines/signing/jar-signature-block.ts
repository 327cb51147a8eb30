import { constants, createHash, verify } from 'node:crypto'
import type { Certificate } from '../x509/certificate.ts'
import { keyObject } from '../x509/public-key.ts'
import { certificateOf, readSignedData, type SignedData, type SignerInfo } from '../x509/signed-data.ts'
import { reasonOf } from './block-signer.ts'
import { jarAlgorithm } from './jar-algorithms.ts'
import type { JarAlgorithm } from './java-algorithms.ts'
import { type IssueList, SDK } from './signing-facts.ts'

interface BlockRules {
  readonly minSdk: number
  readonly maxSdk: number
  readonly java?: boolean
}

/**
 * Verifies a signature block (.RSA, .DSA, .EC) over its signature file. Before Android 7 only the first signer counts, later each
 * of them may. Answers the signer's certificate and those above it; undefined with an error where none verifies.
 */
export function verifySignatureBlock(
  block: Uint8Array,
  file: Uint8Array,
  rules: BlockRules,
  issues: IssueList,
): Certificate[] | undefined {
  let data: SignedData
  try {
    data = readSignedData(block)
  } catch (error) {
    issues.error('JAR_SIG_PARSE_EXCEPTION', reasonOf(error))
    return undefined
  }
  if (!data.signers.length) {
    issues.error('JAR_SIG_NO_SIGNERS', 'the signature block has no signers')
    return undefined
  }
  let verified: Certificate | undefined
  for (const signer of rules.minSdk < SDK.n ? data.signers.slice(0, 1) : data.signers) {
    const certificate = verifySigner(signer, data, file, rules, issues)
    if (issues.errors.length) return undefined
    verified ??= certificate
  }
  if (verified) return chainOf(verified, data.certificates)
  issues.error('JAR_SIG_DID_NOT_VERIFY', 'the signature over the signature file does not hold')
  return undefined
}

/** Undefined without an error: this signer does not verify, another one may. */
function verifySigner(
  signer: SignerInfo,
  data: SignedData,
  file: Uint8Array,
  rules: BlockRules,
  issues: IssueList,
): Certificate | undefined {
  const { minSdk, maxSdk, java } = rules
  const refuse = (message: string) => void issues.error('JAR_SIG_VERIFY_EXCEPTION', message)
  const algorithm = jarAlgorithm(signer, rules)
  if (!algorithm) {
    issues.error(
      'JAR_SIG_UNSUPPORTED_SIG_ALG',
      `digest ${signer.digestAlgorithm} with signature ${signer.signatureAlgorithm} is not known${java ? '' : ' to all asked versions'}`,
    )
    return undefined
  }
  const certificate = certificateOf(signer, data.certificates)
  if (!certificate) return refuse('the certificate of the signer is missing')
  if (certificate.unknownCritical.length)
    return refuse(
      `critical extensions that ${java ? 'Java' : 'Android'} does not know: ${certificate.unknownCritical.join(', ')}`,
    )
  if (certificate.signingUse === false) return refuse('the certificate is not for signatures')
  const weak = java && disabledInJava(algorithm, certificate)
  if (weak) {
    issues.error('JAR_SIG_DISABLED_ALGORITHM', `Java takes an archive signed with ${weak} as unsigned`)
    return undefined
  }
  const attributes = signer.signedAttributes
  if (attributes) {
    if (minSdk < SDK.kitkat) return refuse('Android before 4.4 does not protect packages with signed attributes')
    if (maxSdk >= SDK.n) {
      if (!attributes.contentType) return refuse('no content type in the signed attributes')
      if (attributes.contentType !== data.contentType) return undefined
    }
    if (!attributes.messageDigest) return refuse('no digest in the signed attributes')
    const digest = createHash(algorithm.digest, algorithm.digest === 'shake256' ? { outputLength: 64 } : {})
      .update(file)
      .digest()
    if (Buffer.compare(digest, attributes.messageDigest) !== 0) return undefined
  }
  return holds(algorithm, certificate, attributes?.signed ?? file, signer.signature) ? certificate : undefined
}

/** What Java refuses by default (jdk.jar.disabledAlgorithms). */
function disabledInJava({ digest, hash }: JarAlgorithm, { publicKey }: Certificate): string | undefined {
  if (digest === 'md5' || hash === 'md5') return 'MD5'
  const { algorithm, bits } = publicKey
  return /^(RSA|DSA)/.test(algorithm) && bits > 0 && bits < 1024 ? `a key of ${bits} bits` : undefined
}

function holds(by: JarAlgorithm, certificate: Certificate, data: Uint8Array, signature: Uint8Array): boolean {
  const key = keyObject(certificate.publicKey.spki)
  // A key may be for RSASSA-PSS alone.
  const fits =
    key?.asymmetricKeyType === by.key || (by.saltLength !== undefined && key?.asymmetricKeyType === 'rsa-pss')
  if (!key || !fits) return false
  const padding =
    by.saltLength === undefined ? {} : { padding: constants.RSA_PKCS1_PSS_PADDING, saltLength: by.saltLength }
  try {
    return verify(by.hash, data, { key, dsaEncoding: 'der', ...padding }, signature)
  } catch {
    return false
  }
}

/** The certificate and its issuers, as far as they are there. */
function chainOf(leaf: Certificate, all: readonly Certificate[]): Certificate[] {
  const rest = new Set(all)
  const chain: Certificate[] = []
  for (let next: Certificate | undefined = leaf; next; ) {
    chain.push(next)
    rest.delete(next)
    const { subject, issuer }: Certificate = next
    next = subject === issuer ? undefined : [...rest].find((one) => one.subject === issuer)
  }
  return chain
}
