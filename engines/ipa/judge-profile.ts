import type { CodeSignature } from '../macho/code-signature.ts'
import { plistText } from '../plist/plist-node.ts'
import type { IssueList } from '../signing/signing-facts.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { Provision } from './provision.ts'

const APPLICATION = 'application-identifier'

/** Whether the embedded profile is whole, and lets this signer sign this application for this team. Its expiry is not asked. */
export function judgeProfile(
  profile: Provision,
  signature: CodeSignature,
  signers: readonly Certificate[],
  issues: IssueList,
): void {
  if (!profile.signatureHolds)
    issues.error('IPA_PROFILE_DID_NOT_VERIFY', 'the signature of the embedded profile does not hold')
  const allowed = new Set(profile.certificates.map(({ fingerprints }) => fingerprints.sha256))
  if (!signers.every(({ fingerprints }) => allowed.has(fingerprints.sha256)))
    issues.error('IPA_PROFILE_OTHER_SIGNER', 'the embedded profile does not list the certificate that signed')
  const team = signature.directories[0]?.team
  if (team && profile.teamIds.length > 0 && !profile.teamIds.includes(team))
    issues.error('IPA_PROFILE_OTHER_TEAM', `signed for team ${team}, the profile is of ${profile.teamIds.join(', ')}`)
  const own = plistText(signature.entitlements ?? undefined, APPLICATION)
  const pattern = plistText(profile.entitlements ?? undefined, APPLICATION)
  if (own !== undefined && pattern !== undefined && !fits(own, pattern))
    issues.error('IPA_PROFILE_OTHER_APPLICATION', `signed as ${own}, the profile is for ${pattern}`)
}

/** `TEAM.*` matches all applications of a team. */
function fits(name: string, pattern: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
