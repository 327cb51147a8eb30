import { type BlockResult, compareContent, readSigners } from './block-signer.ts'
import type { ProtectedContent } from './content-digests.ts'

export const V2_BLOCK = 0x7109871a
export const STRIPPING_PROTECTION = 0xbeeff00d

/**
 * APK Signature Scheme v2. `found` are the numbers of the later schemes that the package has, `supported` those that the asked
 * versions know: a signer may say that there was a later scheme, and then it must be there.
 */
export function verifyV2(
  block: Uint8Array,
  content: ProtectedContent,
  range: { minSdk: number; maxSdk: number },
  found: ReadonlySet<number>,
  supported: ReadonlySet<number>,
): BlockResult {
  const result = readSigners(block, { scheme: 'v2', ...range })
  for (const { attributes, issues } of result.signers)
    for (const { id, value } of attributes) {
      if (id !== STRIPPING_PROTECTION) {
        issues.warn('V2_SIG_UNKNOWN_ADDITIONAL_ATTRIBUTE', `attribute 0x${id.toString(16)}`)
        continue
      }
      if (value.length < 4) {
        issues.error('V2_SIG_MALFORMED_ADDITIONAL_ATTRIBUTE', 'stripping protection without a scheme')
        continue
      }
      const scheme = Buffer.from(value).readInt32LE()
      if (!supported.has(scheme)) issues.warn('V2_SIG_UNKNOWN_APK_SIG_SCHEME_ID', `scheme ${scheme}`)
      else if (!found.has(scheme))
        issues.error('V2_SIG_MISSING_APK_SIG_REFERENCED', `signed with scheme v${scheme} too, which is missing`)
    }
  if (!hasErrors(result)) compareContent(result, content, 'V2_SIG_APK_DIGEST_DID_NOT_VERIFY')
  return result
}

export function hasErrors({ issues, signers }: Pick<BlockResult, 'issues' | 'signers'>): boolean {
  return issues.errors.length > 0 || signers.some((signer) => signer.issues.errors.length > 0)
}
