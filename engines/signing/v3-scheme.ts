import type { FormatError } from '../bytes/format-error.ts'
import { type BlockResult, type BlockSigner, compareContent, readSigners, reasonOf } from './block-signer.ts'
import type { ProtectedContent } from './content-digests.ts'
import { consolidate, positionIn, readLineage } from './lineage.ts'
import { type LineageNode, SDK } from './signing-facts.ts'
import { hasErrors } from './v2-scheme.ts'

export const V3_BLOCK = 0xf05368c0
export const V31_BLOCK = 0x1b93ad61
export const PROOF_OF_ROTATION = 0x3ba06f8c
export const ROTATION_MIN_SDK = 0x559f8b02
const ROTATION_ON_DEV_RELEASE = 0xc2a6b3ba

export interface V3Result extends BlockResult {
  readonly lineage?: readonly LineageNode[]
}

interface V3Rules {
  readonly scheme: 'v3' | 'v31'
  readonly minSdk: number
  readonly maxSdk: number
  /** For the v3 block of a package that has a v3.1 block too: from which version on that one is used. */
  readonly rotationMinSdk?: number
}

/** APK Signature Scheme v3 or v3.1: signers for ranges of Android versions, with proofs of rotation. */
export function verifyV3(block: Uint8Array, content: ProtectedContent, rules: V3Rules): V3Result {
  const result = readSigners(block, rules)
  const lineages = new Map<BlockSigner, readonly LineageNode[]>()
  for (const signer of result.signers) readAttributes(signer, rules, lineages)
  if (hasErrors(result)) return result
  compareContent(result, content, 'V3_SIG_APK_DIGEST_DID_NOT_VERIFY')
  const lineage = checkRanges(result, rules, lineages)
  return { ...result, ...(lineage?.length && { lineage }) }
}

function readAttributes(signer: BlockSigner, rules: V3Rules, lineages: Map<BlockSigner, readonly LineageNode[]>): void {
  const { issues, attributes } = signer
  let rotationFound = false
  for (const { id, value } of attributes) {
    if (id === PROOF_OF_ROTATION) readProof(signer, value, lineages)
    else if (id === ROTATION_MIN_SDK) {
      rotationFound = true
      checkRotationMinSdk(signer, value, rules)
    } else if (id !== ROTATION_ON_DEV_RELEASE)
      issues.warn('V3_SIG_UNKNOWN_ADDITIONAL_ATTRIBUTE', `attribute 0x${id.toString(16)}`)
    else if (rules.scheme !== 'v31')
      issues.warn('V31_ROTATION_TARGETS_DEV_RELEASE_ATTR_ON_V3_SIGNER', 'meant for v3.1 signers only')
  }
  if (rules.rotationMinSdk !== undefined && !rotationFound && signer.certificates.length)
    issues.warn('V31_ROTATION_MIN_SDK_ATTR_MISSING', `v3.1 is used from version ${rules.rotationMinSdk} on`)
}

function readProof(signer: BlockSigner, value: Uint8Array, lineages: Map<BlockSigner, readonly LineageNode[]>): void {
  const { issues, certificates } = signer
  try {
    const lineage = readLineage(value)
    lineages.set(signer, lineage)
    if (!certificates[0] || positionIn(lineage, certificates[0]) !== lineage.length - 1)
      issues.error('V3_SIG_POR_CERT_MISMATCH', 'the proof of rotation does not end with the certificate of the signer')
  } catch (error) {
    const reason = reasonOf(error)
    const { key } = error as FormatError
    if (key === 'not-verified') issues.error('V3_SIG_POR_DID_NOT_VERIFY', reason)
    else issues.error(key === 'version' ? 'V3_SIG_POR_CERT_MISMATCH' : 'V3_SIG_MALFORMED_LINEAGE', reason)
  }
}

function checkRotationMinSdk({ issues }: BlockSigner, value: Uint8Array, { maxSdk, rotationMinSdk }: V3Rules): void {
  if (maxSdk < SDK.t) return
  if (value.length < 4) {
    issues.error('V3_SIG_MALFORMED_ADDITIONAL_ATTRIBUTE', 'no version in it')
    return
  }
  const said = Buffer.from(value).readInt32LE()
  if (rotationMinSdk === undefined)
    issues.error('V31_BLOCK_MISSING', `a v3.1 block for version ${said} and later is said to be there`)
  else if (said !== rotationMinSdk)
    issues.error('V31_ROTATION_MIN_SDK_MISMATCH', `v3.1 from version ${said} on is said, ${rotationMinSdk} is there`)
}

/** The signers must cover the asked versions without a gap, with lineages that grow. */
function checkRanges(
  { issues, signers }: BlockResult,
  rules: V3Rules,
  lineages: ReadonlyMap<BlockSigner, readonly LineageNode[]>,
): readonly LineageNode[] | undefined {
  const byMinSdk = [...new Map(signers.map((signer) => [signer.minSdk, signer])).values()]
  byMinSdk.sort((a, b) => a.minSdk - b.minSdk)
  let firstMin = 0
  let lastMax = 0
  let lastSize = 0
  const seen: (readonly LineageNode[])[] = []
  for (const signer of byMinSdk) {
    if (firstMin === 0) firstMin = signer.minSdk
    else if (signer.minSdk !== lastMax + 1) {
      issues.error('V3_INCONSISTENT_SDK_VERSIONS', `a gap or overlap before version ${signer.minSdk}`)
      break
    }
    lastMax = signer.maxSdk
    const lineage = lineages.get(signer)
    if (!lineage) continue
    if (lineage.length < lastSize) {
      issues.error('V3_INCONSISTENT_LINEAGES', 'a later signer has a shorter lineage')
      break
    }
    lastSize = lineage.length
    seen.push(lineage)
  }
  const lowest = rules.scheme === 'v31' ? rules.maxSdk : Math.max(rules.minSdk, SDK.p)
  const highest = rules.rotationMinSdk === undefined ? rules.maxSdk : rules.rotationMinSdk - 1
  if (firstMin > lowest || lastMax < highest)
    issues.error('V3_MISSING_SDK_VERSIONS', `signed for versions ${firstMin} to ${lastMax} only`)
  const lineage = consolidate(seen)
  if (!lineage) issues.error('V3_INCONSISTENT_LINEAGES', 'the lineages of the signers contradict each other')
  return lineage
}
