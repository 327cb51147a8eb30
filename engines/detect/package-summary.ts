import { createHash } from 'node:crypto'
import { applicationLabel } from '../apk/application-label.ts'
import type { Package } from '../package/package.ts'
import type { PackageSignature } from '../package/package-signature.ts'
import type { Certificate } from '../x509/certificate.ts'
import type { InspectedPackage } from './input/inspected-package.ts'
import type { CertificateSummary, PackageSummary } from './result/scan-result.ts'

const hash = (name: string, bytes: Uint8Array): string => createHash(name).update(bytes).digest('hex')

/** What a package is. */
export function summarise(
  source: Package,
  inspected: InspectedPackage,
  signature: PackageSignature,
  abis: readonly string[],
): PackageSummary {
  const { facts, program } = inspected
  const schemes = signature.schemes.filter(({ scheme, state }) => state === 'verified' && scheme !== 'v4')
  return {
    kind: source.kind,
    platform: source.platform,
    name: applicationLabel(facts) || facts?.package?.value || source.name.replace(/^.*[\\/]/, ''),
    id: facts?.package?.value ?? '',
    version: facts?.versionName?.value ?? '',
    build: facts?.versionCode?.value ?? '',
    minSdk: facts?.minSdk?.value ?? '',
    targetSdk: facts?.targetSdk?.value ?? '',
    size: source.bytes.length,
    md5: hash('md5', source.bytes),
    sha1: hash('sha1', source.bytes),
    sha256: hash('sha256', source.bytes),
    mainClass: facts?.launchableActivity?.value ?? '',
    abis,
    dexCount: program?.dexes.filter(({ version }) => version).length ?? 0,
    classCount: program?.classCount ?? 0,
    packer: inspected.packer?.zh ?? null,
    signed: (signature.apk?.signers ?? signature.certificates).length > 0,
    signature: signature.state,
    schemes: schemes.map(({ scheme }) => SCHEMES[scheme] ?? scheme),
  }
}

const SCHEMES: Readonly<Record<string, string>> = { v31: 'v3.1', jar: 'JAR' }

/** Certificates of all signers, each once. */
export function signerCertificates({ apk, certificates: others }: PackageSignature): readonly Certificate[] {
  if (!apk) return others
  const found = new Map<string, Certificate>()
  for (const { scheme, certificates } of apk.signers) {
    const own = certificates[0]
    if (own && scheme !== 'stamp') found.set(own.fingerprints.sha256, own)
  }
  return [...found.values()]
}

export const summariseCertificate = (certificate: Certificate): CertificateSummary => ({
  subject: certificate.subject,
  issuer: certificate.issuer,
  serial: certificate.serial,
  notBefore: certificate.notBefore,
  notAfter: certificate.notAfter,
  algorithm: certificate.signatureAlgorithm,
  keyBits: certificate.publicKey.bits,
  ...certificate.fingerprints,
})
