import type { Certificate } from '../x509/certificate.ts'
import { blockAlgorithm } from './block-algorithms.ts'
import type { BlockSigner } from './block-signer.ts'
import { positionIn } from './lineage.ts'
import type { SchemeResults } from './scheme-results.ts'
import type { IssueList } from './signing-facts.ts'
import type { V4Result } from './v4-scheme.ts'

/** All schemes of a package must name the same signer, or one that its lineage begins with. */
export function compareSchemes({ v1, v2, v3, v31 }: SchemeResults, issues: IssueList): void {
  if (v1 && v2) {
    const jar = v1.signers.map((signer) => idOf(signer.certificates[0]))
    const block = v2.signers.map((signer) => idOf(signer.certificates[0]))
    const onlyJar = v1.signers[jar.findIndex((id) => !block.includes(id))]
    const onlyBlock = v2.signers[block.findIndex((id) => !jar.includes(id))]
    onlyJar?.issues.error('V2_SIG_MISSING', 'this signer has not signed with scheme v2')
    onlyBlock?.issues.error('JAR_SIG_MISSING', 'this signer has not signed with scheme v1')
  }
  const older = v1 ?? v2
  if (!v3 || !older) return
  if (older.signers.length !== 1) issues.error('V3_SIG_MULTIPLE_PAST_SIGNERS', 'v3 knows one earlier signer only')
  const past = older.signers[0]?.certificates[0]
  const lineage = v31?.lineage ?? v3.lineage
  if (lineage) {
    if (!past || positionIn(lineage, past) !== 0)
      issues.error('V3_SIG_PAST_SIGNERS_MISMATCH', 'the lineage does not begin with the signer of the earlier schemes')
    return
  }
  if (v3.signers.length !== 1) issues.error('V3_SIG_MULTIPLE_SIGNERS', 'several v3 signers without a lineage')
  if (idOf(past) !== idOf(v3.signers[0]?.certificates[0]))
    issues.error('V3_SIG_PAST_SIGNERS_MISMATCH', 'v3 has another signer than the earlier schemes')
}

/** A v4 signature must come from the signer of v3 (or v2) and name the content digest of that signature. */
export function compareV4({ v2, v3, v31 }: SchemeResults, v4: V4Result, issues: IssueList): void {
  const inside = [...(v3?.signers.slice(-1) ?? v2?.signers ?? []), ...(v31?.signers.slice(-1) ?? [])]
  if (!inside.length) {
    issues.error('V4_SIG_V2_V3_DIGESTS_MISMATCH', 'v4 without a v2 or v3 signature')
    return
  }
  if (inside.length !== v4.signers.length)
    issues.error(
      'V4_SIG_MULTIPLE_SIGNERS',
      `${v4.signers.length} signers of v4, ${inside.length} inside of the package`,
    )
  inside.forEach((signer, i) => {
    const own = v4.signers[i]
    if (!own) return
    if (idOf(own.certificate) !== idOf(signer.certificates[0]))
      issues.error('V4_SIG_V2_V3_SIGNERS_MISMATCH', 'v4 has another signer')
    const best = bestDigest(signer)
    if (!best || Buffer.compare(best, own.apkDigest) !== 0)
      issues.error('V4_SIG_V2_V3_DIGESTS_MISMATCH', 'v4 belongs to another content')
  })
}

/** What v4 refers to: the 512-bit digest before verity before 256 bits. */
function bestDigest({ digests }: BlockSigner): Uint8Array | undefined {
  for (const kind of ['chunked-sha512', 'verity-sha256', 'chunked-sha256'] as const) {
    const digest = digests.find(({ id }) => blockAlgorithm(id)?.contentDigest === kind)
    if (digest) return digest.value
  }
  return undefined
}

function idOf(certificate: Certificate | undefined): string | undefined {
  return certificate?.fingerprints.sha256
}
