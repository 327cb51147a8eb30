import { createHash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import type { Certificate } from '../x509/certificate.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import { ZIP_LIMITS, type ZipArchive, type ZipEntry, type ZipLimits } from '../zip/zip-facts.ts'
import { blockAlgorithm } from './block-algorithms.ts'
import type { BlockResult } from './block-signer.ts'
import { compareSchemes, compareV4 } from './compare-schemes.ts'
import { protectedContent } from './content-digests.ts'
import { type ManifestVersions, manifestVersions } from './manifest-versions.ts'
import type { SchemeResults } from './scheme-results.ts'
import {
  ANY_LATER_SDK,
  type ApkSigner,
  IssueList,
  type LineageNode,
  type Scheme,
  type SchemeState,
  SDK,
  type SigningIssue,
  type SourceStamp,
} from './signing-facts.ts'
import { stampedDigests, verifyStamp } from './source-stamp.ts'
import { verifyV1 } from './v1-scheme.ts'
import { hasErrors, V2_BLOCK, verifyV2 } from './v2-scheme.ts'
import { V3_BLOCK, V31_BLOCK, verifyV3 } from './v3-scheme.ts'
import { failed as v4Failed, verifyV4 } from './v4-scheme.ts'

export interface VerifyOptions {
  /** Lowest Android version asked about; the lowest that the manifest allows where absent. */
  readonly minSdk?: number
  readonly maxSdk?: number
  /** Content of the .idsig file of scheme v4. */
  readonly idsig?: Uint8Array
  /** SHA-256 (hexadecimal) of the certificate that the source stamp should be made with. */
  readonly expectedStamp?: string
  readonly limits?: ZipLimits
  /** The package as an archive, where it was read already. */
  readonly archive?: ZipArchive
}

export interface ApkVerification {
  /** Whether every Android version in the asked range would take the signature. */
  readonly verified: boolean
  readonly minSdk: number
  readonly maxSdk: number
  readonly schemes: Readonly<Record<Exclude<Scheme, 'stamp'>, SchemeState>>
  readonly signers: readonly ApkSigner[]
  /** Who the newest Android version of the range says has signed; empty unless verified. */
  readonly certificates: readonly Certificate[]
  readonly lineage?: readonly LineageNode[]
  readonly stamp?: SourceStamp
  readonly errors: readonly SigningIssue[]
  readonly warnings: readonly SigningIssue[]
}

/**
 * Judges the signatures of a package as Android does over a range of versions, in the order and with the issue names of AOSP's
 * apksig. Never throws: a package that cannot be read is not verified (`MALFORMED_APK`, `LIMIT_EXCEEDED`).
 */
export function verifyApk(bytes: Uint8Array, options: VerifyOptions = {}): ApkVerification {
  const issues = new IssueList({})
  const maxSdk = options.maxSdk ?? ANY_LATER_SDK
  const results: SchemeResults = {}
  let zip: ZipArchive | undefined
  let minSdk = options.minSdk ?? 1
  try {
    zip = options.archive ?? readZip(bytes, options.limits ?? ZIP_LIMITS)
    refuseOddArchive(zip, issues)
    const manifest = readManifest(zip, options.minSdk === undefined)
    if (options.minSdk === undefined) {
      if (!manifest) throw new FormatError('apk', 'manifest', -1, 'no AndroidManifest.xml')
      minSdk = manifest.minSdk
    }
    if (minSdk > maxSdk) issues.error('MIN_SDK_ABOVE_MAX_SDK', `lowest version ${minSdk} is above ${maxSdk}`)
    if (!issues.errors.length) verifySchemes(zip, { minSdk, maxSdk, idsig: options.idsig }, results, issues, manifest)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    issues.error(error.key === 'limit' ? 'LIMIT_EXCEEDED' : 'MALFORMED_APK', error.message)
  }
  const stamp = zip && stampOf(zip, results, minSdk, maxSdk, options.expectedStamp)
  return summary({ zip, results, issues, minSdk, maxSdk, stamp, idsig: options.idsig })
}

/** What no Android takes, regardless of the signer, and what would let the schemes look at different files. */
function refuseOddArchive({ notes }: ZipArchive, issues: IssueList): void {
  const fatal = new Set(['trailing-data', 'prefix', 'directory-size', 'zip64'])
  for (const { key, detail } of notes) if (fatal.has(key)) issues.error('MALFORMED_APK', detail)
}

function readManifest(zip: ZipArchive, needed: boolean) {
  try {
    return manifestVersions(zip)
  } catch (error) {
    if (needed || !(error instanceof FormatError)) throw error
    return undefined
  }
}

function verifySchemes(
  zip: ZipArchive,
  { minSdk, maxSdk, idsig }: { minSdk: number; maxSdk: number; idsig: Uint8Array | undefined },
  results: SchemeResults,
  issues: IssueList,
  manifest: ManifestVersions | undefined,
): void {
  const found = new Set<number>()
  const supported = new Set(maxSdk >= SDK.p ? [2, 3] : maxSdk >= SDK.n ? [2] : [])
  if (maxSdk >= SDK.n) {
    verifyBlocks(zip, { minSdk, maxSdk }, found, supported, results, issues)
    if (anyErrors(results, issues)) return
    if (idsig) {
      results.v4 = verifyV4(zip.bytes, idsig)
      if (anyErrors(results, issues)) return
    }
  }
  const sandbox = manifest?.targetSandboxVersion ?? 1
  if (maxSdk >= SDK.o && sandbox > 1 && !found.size)
    issues.error('NO_SIG_FOR_TARGET_SANDBOX_VERSION', `target sandbox ${sandbox} needs scheme v2 or later`)
  if (minSdk < SDK.n || !found.size) results.v1 = verifyV1(zip, { minSdk, maxSdk, found, supported })
  // CVE-2017-13156: where v1 alone protects the package, unpatched versions before 8 run such a file as code.
  if (results.v1 && Buffer.from(zip.bytes.subarray(0, 4)).toString('latin1') === 'dex\n')
    issues.warn('JANUS', 'the package begins as a DEX file, which v1 does not protect')
  if (anyErrors(results, issues)) return
  compareSchemes(results, issues)
  if (results.v4) compareV4(results, results.v4, issues)
  const target = manifest?.targetSdk ?? 1
  if (target >= SDK.r && maxSdk >= target && !results.v2 && !results.v3 && !results.v31)
    issues.error('MIN_SIG_SCHEME_FOR_TARGET_SDK_NOT_MET', `target version ${target} needs scheme v2 or later`)
}

function verifyBlocks(
  zip: ZipArchive,
  { minSdk, maxSdk }: { minSdk: number; maxSdk: number },
  found: Set<number>,
  supported: ReadonlySet<number>,
  results: SchemeResults,
  issues: IssueList,
): void {
  const block = usableBlock(zip)
  if (!block) return
  const content = protectedContent(zip, block.offset)
  const pairOf = (id: number) => block.pairs.find((pair) => pair.id === id)?.value
  const [v31, v3, v2] = [pairOf(V31_BLOCK), pairOf(V3_BLOCK), pairOf(V2_BLOCK)]
  let rotationMinSdk: number | undefined
  if (v31 && maxSdk >= SDK.t) {
    results.v31 = verifyV3(v31, content, { scheme: 'v31', minSdk: Math.max(minSdk, SDK.t), maxSdk })
    found.add(31)
    if (anyErrors(results, issues)) return
    rotationMinSdk = Math.min(...results.v31.signers.map((signer) => signer.minSdk))
  }
  if (minSdk < SDK.t || !found.size) {
    if (v3 && maxSdk >= SDK.p) {
      const rotation = rotationMinSdk !== undefined && { rotationMinSdk }
      results.v3 = verifyV3(v3, content, { scheme: 'v3', minSdk: Math.max(minSdk, SDK.p), maxSdk, ...rotation })
      found.add(3)
    } else if (!v3 && results.v31) issues.error('V31_BLOCK_FOUND_WITHOUT_V3_BLOCK', 'a v3.1 block without a v3 block')
    if (anyErrors(results, issues)) return
  }
  if (v2 && (minSdk < SDK.p || !found.size)) {
    results.v2 = verifyV2(v2, content, { minSdk: Math.max(minSdk, SDK.n), maxSdk }, found, supported)
    found.add(2)
  }
}

/** The signing block where Android would find one: the directory must end where its end record begins. */
function usableBlock(zip: ZipArchive) {
  const { signingBlock, directoryOffset, directorySize, endOffset } = zip
  return directoryOffset + directorySize === endOffset && !signingBlock?.malformed ? signingBlock : undefined
}

function anyErrors(results: SchemeResults, issues: IssueList): boolean {
  return issues.errors.length > 0 || allLists(results).some(({ errors }) => errors.length > 0)
}

function allLists({ v1, v2, v3, v31, v4 }: SchemeResults): IssueList[] {
  return [v31, v3, v2, v4, v1].flatMap((one) => (one ? [one.issues, ...one.signers.map(({ issues }) => issues)] : []))
}

const STAMP_DIGEST = { 'chunked-sha256': 1, 'chunked-sha512': 2, 'verity-sha256': 3 } as const
const SHA256_STAMP_DIGEST = 4

function stampOf(
  zip: ZipArchive,
  { v2, v3 }: SchemeResults,
  minSdk: number,
  maxSdk: number,
  expectedCertificate: string | undefined,
): SourceStamp | undefined {
  const digests = new Map<number, Uint8Array>()
  for (const [scheme, result] of [[2, v2] as const, [3, v3] as const]) {
    const declared = (result?.signers ?? []).flatMap((signer) => signer.digests)
    const known = declared.flatMap(({ id, value }) => {
      const kind = blockAlgorithm(id)?.contentDigest
      return kind ? [{ id: STAMP_DIGEST[kind], value }] : []
    })
    if (result) digests.set(scheme, stampedDigests(known))
  }
  const manifest = zip.byName.get('META-INF/MANIFEST.MF')
  if (manifest && (minSdk < SDK.n || !digests.size)) {
    const value = digestOf(zip, manifest)
    digests.set(1, stampedDigests(value ? [{ id: SHA256_STAMP_DIGEST, value }] : []))
  }
  return verifyStamp(zip, {
    minSdk: Math.max(minSdk, SDK.r),
    maxSdk: Math.max(maxSdk, SDK.r),
    digests,
    ...(expectedCertificate !== undefined && { expectedCertificate }),
  })
}

function digestOf(zip: ZipArchive, entry: ZipEntry): Buffer | undefined {
  try {
    return createHash('sha256').update(entryBytes(zip, entry)).digest()
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

function summary(found: {
  zip: ZipArchive | undefined
  results: SchemeResults
  issues: IssueList
  minSdk: number
  maxSdk: number
  stamp: SourceStamp | undefined
  idsig: Uint8Array | undefined
}): ApkVerification {
  const { zip, results, issues, minSdk, maxSdk, stamp } = found
  const lists = [issues, ...allLists(results)]
  const errors = lists.flatMap((list) => list.errors)
  const lineage = results.v31?.lineage ?? results.v3?.lineage
  const signers = signersOf(results)
  const verified = errors.length === 0
  return {
    verified,
    minSdk,
    maxSdk,
    schemes: schemeStates(zip, results, found.idsig !== undefined),
    signers,
    certificates: verified ? signedBy(signers) : [],
    ...(lineage && { lineage }),
    ...(stamp && { stamp }),
    errors,
    warnings: lists.flatMap((list) => list.warnings),
  }
}

function schemeStates(zip: ZipArchive | undefined, results: SchemeResults, hasIdsig: boolean) {
  const { v1, v2, v3, v31, v4 } = results
  const inBlock = (id: number) => zip?.signingBlock?.pairs.some((pair) => pair.id === id) ?? false
  const state = (present: boolean, checked: unknown, verified: boolean): SchemeState => ({
    present,
    checked: checked !== undefined,
    verified,
  })
  const jar = zip?.entries.some(({ name }) => /^META-INF\/[^/]+\.(RSA|DSA|EC)$/.test(name)) ?? false
  return {
    v1: state(jar, v1, v1?.verified ?? false),
    v2: state(inBlock(V2_BLOCK), v2, v2 !== undefined && !hasErrors(v2)),
    v3: state(inBlock(V3_BLOCK), v3, v3 !== undefined && !hasErrors(v3)),
    v31: state(inBlock(V31_BLOCK), v31, v31 !== undefined && !hasErrors(v31)),
    v4: state(hasIdsig, v4, v4 !== undefined && !v4Failed(v4)),
  }
}

function signersOf({ v1, v2, v3, v31, v4 }: SchemeResults): ApkSigner[] {
  const inBlock = (scheme: Scheme, result: BlockResult | undefined): ApkSigner[] =>
    (result?.signers ?? []).map(({ index, certificates, minSdk, maxSdk }) => ({
      scheme,
      name: index,
      certificates,
      ...(scheme !== 'v2' && { minSdk, maxSdk }),
    }))
  return [
    ...(v1?.signers ?? []).map(({ name, certificates }) => ({ scheme: 'v1' as const, name, certificates })),
    ...inBlock('v2', v2),
    ...inBlock('v3', v3),
    ...inBlock('v31', v31),
    ...(v4?.signers ?? []).map(({ certificate }, i) => ({
      scheme: 'v4' as const,
      name: i,
      certificates: certificate ? [certificate] : [],
    })),
  ]
}

/** The signers of the highest scheme; of v3 and v3.1 the one for the newest versions. */
function signedBy(signers: readonly ApkSigner[]): Certificate[] {
  for (const scheme of ['v31', 'v3', 'v2', 'v1'] as const) {
    const own = signers.filter((signer) => signer.scheme === scheme)
    const chosen = scheme === 'v31' || scheme === 'v3' ? own.slice(-1) : own
    if (chosen.length) return chosen.flatMap(({ certificates }) => certificates.slice(0, 1))
  }
  return []
}
