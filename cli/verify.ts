import { existsSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { FormatError } from '#engines/bytes/format-error.ts'
import { type PackageSignature, packageSignature } from '#engines/package/package-signature.ts'
import { packageKind, readPackage } from '#engines/package/read-package.ts'
import { ANY_LATER_SDK, type SigningIssue } from '#engines/signing/signing-facts.ts'
import { type ApkVerification, verifyApk } from '#engines/signing/verify-apk.ts'
import type { Certificate } from '#engines/x509/certificate.ts'
import { readWhole } from './open-file.ts'
import { printable } from './printable.ts'

export const VERIFY_USAGE =
  'appwarden verify FILE [--format text|json] [--min-sdk N] [--max-sdk N] [--idsig FILE] [--stamp SHA256]'

/**
 * `appwarden verify FILE`: what Android says of the signatures of a package, offline and without a server; of a bundle, library or JAR
 * what Java says, of a set of splits what Android says of each, of an iOS application what its code signature, seals and profile say. An .idsig file that lies beside the package is looked at too. Answers the exit code: 0 verified (with --stamp the stamp too), 1 not, 2 not understood or not readable.
 */
export function verifyCommand(args: readonly string[], print: (text: string) => void): number {
  const asked = readArguments(args)
  if (typeof asked === 'string') {
    print(`${asked}\n\n${VERIFY_USAGE}`)
    return 2
  }
  const { file, format, minSdk, maxSdk, stamp } = asked
  const idsigFile = asked.idsig ?? (existsSync(`${file}.idsig`) ? `${file}.idsig` : undefined)
  let bytes: Buffer
  let idsig: Buffer | undefined
  try {
    bytes = readWhole(file)
    idsig = idsigFile === undefined ? undefined : readWhole(idsigFile)
  } catch (error) {
    print(printable((error as Error).message))
    return 2
  }
  const other = otherSignature(bytes, file)
  if (other) {
    print(format === 'json' ? JSON.stringify(plainSignature(other), null, 2) : signatureText(file, other))
    return other.state === 'verified' ? 0 : 1
  }
  const result = verifyApk(bytes, {
    ...(minSdk !== undefined && { minSdk }),
    ...(maxSdk !== undefined && { maxSdk }),
    ...(stamp !== undefined && { expectedStamp: stamp }),
    ...(idsig && { idsig }),
  })
  print(format === 'json' ? JSON.stringify(plainResult(result), null, 2) : textOf(file, result, stamp !== undefined))
  return result.verified && (stamp === undefined || result.stamp?.verified) ? 0 : 1
}

function readArguments(args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        format: { type: 'string', default: 'text' },
        'min-sdk': { type: 'string' },
        'max-sdk': { type: 'string' },
        idsig: { type: 'string' },
        stamp: { type: 'string' },
      },
    })
    const [file, ...more] = positionals
    if (file === undefined || more.length) return 'One file is wanted'
    const { format, idsig, stamp } = values
    if (format !== 'text' && format !== 'json') return `Unknown format: ${format}`
    for (const name of ['min-sdk', 'max-sdk'] as const)
      if (values[name] !== undefined && !/^\d{1,5}$/.test(values[name])) return `--${name} takes a version number`
    const minSdk = values['min-sdk'] === undefined ? undefined : Number(values['min-sdk'])
    const maxSdk = values['max-sdk'] === undefined ? undefined : Number(values['max-sdk'])
    if (stamp !== undefined && !/^[0-9a-f]{64}$/i.test(stamp)) return '--stamp takes the SHA-256 of a certificate'
    if (minSdk !== undefined && maxSdk !== undefined && minSdk > maxSdk) return '--min-sdk is above --max-sdk'
    return { file, format, minSdk, maxSdk, idsig, stamp }
  } catch (error) {
    return (error as Error).message
  }
}

/** The signature of what is no APK; undefined where Android's own verifier is to be asked. */
function otherSignature(bytes: Uint8Array, file: string): PackageSignature | undefined {
  try {
    const kind = packageKind(bytes, file)
    return kind === undefined || kind === 'apk' || kind === 'so'
      ? undefined
      : packageSignature(readPackage(bytes, file))
  } catch (error) {
    if (error instanceof FormatError) return undefined
    throw error
  }
}

function plainSignature({ apk: _, certificates, ...rest }: PackageSignature) {
  return { verified: rest.state === 'verified', ...rest, certificates: certificates.map(plainCertificate) }
}

const STATES: Readonly<Record<PackageSignature['state'], string>> = {
  verified: 'verified',
  partial: 'PARTLY',
  broken: 'NOT VERIFIED',
  unsigned: 'NOT SIGNED',
  unknown: 'NOT JUDGED',
}

function signatureText(file: string, { state, schemes, certificates, errors, warnings }: PackageSignature): string {
  return table([
    [STATES[state], printable(file)],
    ['schemes', schemes.map((one) => `${one.scheme} ${one.state}`).join(', ')],
    ...certificates.flatMap(certificateLines),
    ...errors.map((issue): [string, string] => ['error', issueText(issue)]),
    ...warnings.map((issue): [string, string] => ['warning', issueText(issue)]),
  ])
}

function table(lines: readonly (readonly [name: string, value: string])[]): string {
  return lines.map(([name, value]) => `${name.padEnd(13)} ${value}`).join('\n')
}

/** The result without bytes, in a stable order; times in ISO 8601. */
function plainResult(result: ApkVerification) {
  const { signers, certificates, lineage, stamp, maxSdk, ...rest } = result
  return {
    ...rest,
    ...(maxSdk !== ANY_LATER_SDK && { maxSdk }),
    signers: signers.map((signer) => ({ ...signer, certificates: signer.certificates.map(plainCertificate) })),
    certificates: certificates.map(plainCertificate),
    ...(lineage && {
      lineage: lineage.map((node) => ({ ...node, certificate: plainCertificate(node.certificate) })),
    }),
    ...(stamp && {
      stamp: { ...stamp, ...(stamp.certificate && { certificate: plainCertificate(stamp.certificate) }) },
    }),
  }
}

function plainCertificate({ subject, issuer, serial, notBefore, notAfter, publicKey, ...rest }: Certificate) {
  const { algorithm, bits, curve } = publicKey
  return {
    subject,
    issuer,
    serial,
    notBefore: isoOf(notBefore),
    notAfter: isoOf(notAfter),
    publicKey: { algorithm, bits, ...(curve && { curve }) },
    signatureAlgorithm: rest.signatureAlgorithm,
    fingerprints: rest.fingerprints,
    notes: rest.notes,
  }
}

/** `stamped`: a source stamp is asked for. */
function textOf(file: string, result: ApkVerification, stamped: boolean): string {
  const { verified, minSdk, maxSdk, schemes, certificates, lineage, stamp, errors, warnings } = result
  const states = Object.entries(schemes)
    .filter(([, { present, checked }]) => present || checked)
    .map(([name, state]) => `${name} ${state.verified ? 'verified' : state.checked ? 'failed' : 'not asked'}`)
  const lines: [string, string][] = [
    [verified ? 'verified' : 'NOT VERIFIED', printable(file)],
    ['Android', maxSdk === ANY_LATER_SDK ? `${minSdk} and later` : `${minSdk} to ${maxSdk}`],
    ['schemes', states.join(', ') || 'none'],
    ...certificates.flatMap(certificateLines),
    ...(lineage ?? []).map(({ certificate }, i): [string, string] => [
      i === 0 ? 'lineage' : '',
      `${printable(certificate.subject)} ${certificate.fingerprints.sha256}`,
    ]),
    ...(stamp || stamped
      ? [['source stamp', stamp ? (stamp.verified ? 'verified' : 'not verified') : 'none'] as [string, string]]
      : []),
    ...errors.map((issue): [string, string] => ['error', issueText(issue)]),
    ...[...warnings, ...(stamp?.issues ?? [])].map((issue): [string, string] => ['warning', issueText(issue)]),
  ]
  return table(lines)
}

function certificateLines({ subject, publicKey, fingerprints, notBefore, notAfter }: Certificate): [string, string][] {
  return [
    ['signer', printable(subject)],
    ['key', `${publicKey.algorithm} ${publicKey.bits}`],
    ['valid', `${isoOf(notBefore)} to ${isoOf(notAfter)}`],
    ['SHA-256', fingerprints.sha256],
    ['SHA-1', fingerprints.sha1],
  ]
}

function issueText({ key, message, scheme, signer }: SigningIssue): string {
  const where = [scheme, signer === undefined ? undefined : `signer ${signer}`].filter((one) => one !== undefined)
  return `${key}${where.length ? ` (${printable(where.join(', '))})` : ''}: ${printable(message)}`
}

function isoOf(time: number): string {
  return Number.isFinite(time) && Math.abs(time) <= 8.64e15 ? new Date(time).toISOString() : 'unreadable'
}
