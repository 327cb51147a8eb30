import type { SignatureReading } from '#contracts/http/tools.ts'
import { TOOL_LIMITS } from '#contracts/tool-limits.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { packageSignature } from '#engines/package/package-signature.ts'
import { packageKind, readPackage } from '#engines/package/read-package.ts'
import type { ApkVerification } from '#engines/signing/verify-apk.ts'
import { type Certificate, readCertificate } from '#engines/x509/certificate.ts'
import { keyStoreFormat, readKeyStore } from '#engines/x509/key-store.ts'
import { certificatePem, looksLikePem, readPem } from '#engines/x509/pem.ts'
import { readSignedData } from '#engines/x509/signed-data.ts'
import { readZip } from '#engines/zip/read-zip.ts'
import { shownCertificate } from '../assets/inspect-package.ts'
import { describeFile } from './describe-file.ts'

type Group = {
  kind: SignatureReading['groups'][number]['kind']
  name: string
  created?: number | null
  certificates: readonly Certificate[]
}
type Found = {
  form: string
  groups: readonly Group[]
  state?: SignatureReading['state']
  schemes?: SignatureReading['schemes']
  blocks?: SignatureReading['blocks']
  issues?: SignatureReading['issues']
  locked?: number
  privateKeys?: number
}

const MOST_ISSUES = 1000
/** Known pairs of the APK signing block (AOSP apksig, and what Google Play and build tools add). */
const BLOCK_NAMES: Readonly<Record<number, string>> = {
  1896449818: 'APK Signature Scheme v2',
  4031998144: 'APK Signature Scheme v3',
  462663009: 'APK Signature Scheme v3.1',
  1845461005: 'Source Stamp v2',
  722016414: 'Source Stamp v1',
  1114793335: 'Verity padding',
  1347109971: 'Dependency info',
  558253134: 'Play frosting',
  1903654775: 'Walle channel',
}

/** What signed a package, or the certificates that a file holds. undefined where it holds none; throws FormatError for what is broken. */
export function readSignature(bytes: Uint8Array, name: string): SignatureReading | undefined {
  const found = ofPackage(bytes, name) ?? ofCertificates(bytes)
  if (!found) return undefined
  let left: number = TOOL_LIMITS.certificates
  let cut = false
  const groups = found.groups.map((group) => {
    const certificates = group.certificates.slice(0, left)
    left -= certificates.length
    cut ||= certificates.length < group.certificates.length
    return {
      kind: group.kind,
      name: group.name.slice(0, 500),
      created: group.created ?? null,
      certificates: certificates.map((one) => ({ ...shownCertificate(one), pem: certificatePem(one.der) })),
    }
  })
  return {
    file: describeFile(bytes, name),
    form: found.form,
    state: found.state ?? null,
    schemes: found.schemes ?? [],
    groups: groups.slice(0, TOOL_LIMITS.certificates),
    blocks: (found.blocks ?? []).slice(0, 100),
    issues: (found.issues ?? []).slice(0, MOST_ISSUES),
    locked: found.locked ?? 0,
    private_keys: found.privateKeys ?? 0,
    cut: cut || groups.length > TOOL_LIMITS.certificates,
  }
}

function ofPackage(bytes: Uint8Array, name: string): Found | undefined {
  const kind = packageKind(bytes, name)
  if (kind === undefined || kind === 'so') return undefined
  const found = readPackage(bytes, name)
  const { state, schemes, certificates, errors, warnings, apk } = packageSignature(found)
  const issue = (severity: 'error' | 'warning') => (one: { key: string; message: string }) => ({
    severity,
    key: one.key,
    detail: one.message.slice(0, 500),
  })
  return {
    form: kind,
    state,
    schemes: [...schemes],
    groups: apk ? groupsOfApk(apk) : certificates.map((one) => ({ kind: 'signer', name: '', certificates: [one] })),
    blocks: kind === 'apk' ? blocksOf(bytes) : [],
    issues: [...errors.map(issue('error')), ...warnings.map(issue('warning'))],
  }
}

function groupsOfApk({ signers, lineage, stamp }: ApkVerification): Group[] {
  return [
    ...signers.map(
      (one): Group => ({ kind: 'signer', name: `${one.scheme} ${one.name}`, certificates: one.certificates }),
    ),
    ...(lineage ?? []).map(
      (one, at): Group => ({ kind: 'lineage', name: String(at + 1), certificates: [one.certificate] }),
    ),
    ...(stamp?.certificate ? [{ kind: 'stamp' as const, name: '', certificates: [stamp.certificate] }] : []),
  ]
}

function blocksOf(bytes: Uint8Array): NonNullable<Found['blocks']> {
  const { signingBlock } = readZip(bytes)
  return (signingBlock?.pairs ?? []).map(({ id, offset, value }) => ({
    id: `0x${(id >>> 0).toString(16).padStart(8, '0')}`,
    name: BLOCK_NAMES[id >>> 0] ?? '',
    offset,
    size: value.length,
  }))
}

function ofCertificates(bytes: Uint8Array): Found | undefined {
  if (looksLikePem(bytes)) return ofPem(bytes)
  const store = keyStoreFormat(bytes)
  if (store) {
    const { format, entries, locked, privateKeys } = readKeyStore(bytes, store)
    return {
      form: format,
      groups: entries.map(({ alias, kind, created, certificates }) => ({ kind, name: alias, created, certificates })),
      locked,
      privateKeys,
    }
  }
  // A SEQUENCE: a certificate, or PKCS#7.
  if (bytes[0] !== 0x30) return undefined
  return (
    ofSigned(bytes) ?? {
      form: 'der',
      groups: [{ kind: 'certificate', name: '', certificates: [readCertificate(bytes)] }],
    }
  )
}

/** undefined where it is no PKCS#7 structure. */
function ofSigned(bytes: Uint8Array): Found | undefined {
  try {
    const { certificates } = readSignedData(bytes)
    return { form: 'pkcs7', groups: certificates.map((one) => ({ kind: 'signed_by', name: '', certificates: [one] })) }
  } catch (error) {
    if (error instanceof FormatError) return undefined // then it is read as a certificate, which says what is wrong
    throw error
  }
}

function ofPem(bytes: Uint8Array): Found | undefined {
  const groups: Group[] = []
  const issues: NonNullable<Found['issues']> = []
  let privateKeys = 0
  let locked = 0
  for (const { label, bytes: der } of readPem(bytes, 4 * TOOL_LIMITS.certificates)) {
    if (label === 'ENCRYPTED PRIVATE KEY') locked++
    if (label.endsWith('PRIVATE KEY')) privateKeys++
    try {
      if (/^(X509 |TRUSTED )?CERTIFICATE$/.test(label))
        groups.push({ kind: 'certificate', name: '', certificates: [readCertificate(der)] })
      else if (label === 'PKCS7' || label === 'CMS')
        groups.push({ kind: 'signed_by', name: '', certificates: readSignedData(der).certificates })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
      issues.push({ severity: 'error', key: error.key, detail: `${label}: ${error.message.slice(0, 400)}` })
    }
  }
  return groups.length + issues.length + privateKeys > 0
    ? { form: 'pem', groups, issues, privateKeys, locked }
    : undefined
}
