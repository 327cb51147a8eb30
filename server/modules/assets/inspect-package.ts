import { createHash } from 'node:crypto'
import type { PackageFacts } from '#contracts/http/assets.ts'
import type { ApkFacts, Fact } from '#engines/apk/apk-facts.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { applicationIcon } from '#engines/icon/application-icon.ts'
import type { AndroidPackage, Package } from '#engines/package/package.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { type ApkVerification, verifyApk } from '#engines/signing/verify-apk.ts'
import type { Certificate } from '#engines/x509/certificate.ts'
import { entryBytes } from '#engines/zip/entry-bytes.ts'
import { findPacker } from './find-packer.ts'
import type { Inspection } from './inspection.ts'

/** Rows that the detail page can show; what is more is named in `cut`. */
const MOST = 3000

/** Reads a package of any kind; the icon comes as SVG. Throws FormatError where it is none. */
export function inspectPackage(bytes: Uint8Array, fileName: string): Omit<Inspection, 'icon'> & { icon?: string } {
  const found = readPackage(bytes, fileName)
  const android = 'facts' in found ? found : undefined
  const facts = android?.facts
  const signing = found.kind === 'apk' ? verifyApk(bytes) : undefined
  const certificates = signing ? certificatesOf(signing) : []
  const icon = android && iconOf(android)
  return {
    kind: found.kind,
    platform: found.platform,
    name: facts?.label?.value ?? '',
    version: facts?.versionName?.value ?? '',
    versionCode: versionCodeOf(facts),
    packageName: facts?.package?.value ?? '',
    packer: findPacker(found)?.name ?? '',
    signers: certificates.map((one) => one.fingerprints.sha256),
    signature: stateOf(signing, certificates),
    facts: factsOf(found, facts, signing, certificates),
    ...(icon && { icon }),
  }
}

function versionCodeOf(facts: ApkFacts | undefined): string {
  const low = facts?.versionCode?.value ?? ''
  const major = facts?.versionCodeMajor?.value ?? 0
  return major && /^\d+$/.test(low) ? String((BigInt(major) << 32n) | BigInt(low)) : low
}

function stateOf(signing: ApkVerification | undefined, certificates: readonly Certificate[]): Inspection['signature'] {
  if (!signing) return 'unknown'
  if (signing.verified) return 'verified'
  return certificates.length > 0 || Object.values(signing.schemes).some(({ present }) => present)
    ? 'broken'
    : 'unsigned'
}

/** Who the newest Android takes it from; of a signature that does not hold, who is written there. */
function certificatesOf(signing: ApkVerification): readonly Certificate[] {
  if (signing.certificates.length) return signing.certificates
  const own = signing.signers.flatMap(({ certificates: [first] }) => first ?? [])
  return [...new Map(own.map((one) => [one.fingerprints.sha256, one])).values()]
}

function iconOf({ facts, resources, archives }: AndroidPackage): string | undefined {
  const archive = archives.find(({ zip }) => facts.icons.some(({ path }) => zip.byName.has(path))) ?? archives[0]
  return applicationIcon({
    icons: facts.icons,
    resources,
    readBytes(path) {
      const entry = archive?.zip.byName.get(path)
      try {
        return archive && entry && entryBytes(archive.zip, entry)
      } catch (error) {
        if (error instanceof FormatError) return undefined
        throw error
      }
    },
  })
}

function factsOf(
  found: Package,
  facts: ApkFacts | undefined,
  signing: ApkVerification | undefined,
  certificates: readonly Certificate[],
): PackageFacts {
  const cut: string[] = []
  const most = <T>(name: string, rows: readonly T[]): T[] => {
    if (rows.length > MOST) cut.push(name)
    return rows.slice(0, MOST)
  }
  const native = found.native.map(({ entry }) => entry)
  return {
    identity: facts ? identityOf(facts) : [],
    abis: [...new Set(found.native.map(({ abi }) => abi).filter(Boolean))].sort(),
    native_libraries: most('native_libraries', native),
    dex_files: found.code.filter(({ entry }) => entry.endsWith('.dex')).length,
    entries: found.archives.reduce((sum, { zip }) => sum + zip.entries.length, 0),
    schemes: Object.entries(signing?.schemes ?? {}).map(([scheme, { present, checked, verified }]) => ({
      scheme,
      state: !present ? 'absent' : verified ? 'verified' : checked ? 'broken' : 'unchecked',
    })),
    certificates: certificates.map(certificateOf),
    signature_issues: most('signature_issues', [
      ...(signing?.errors ?? []).map((one) => ({ severity: 'error' as const, key: one.key, detail: one.message })),
      ...(signing?.warnings ?? []).map((one) => ({ severity: 'warning' as const, key: one.key, detail: one.message })),
    ]),
    permissions: most('permissions', facts?.permissions ?? []).map(({ name, maxSdkVersion, impliedBy }) => ({
      name,
      max_sdk: maxSdkVersion,
      implied_by: impliedBy ?? '',
    })),
    components: most('components', facts?.components ?? []).map(({ kind, name, exported, permission, enabled }) => ({
      kind,
      name,
      exported,
      permission: permission ?? '',
      enabled,
    })),
    notes: most('notes', [...found.notes, ...(facts?.notes ?? [])]).map(({ key, detail }) => ({ key, detail })),
    hashes: hashesOf(found),
    cut,
  }
}

function identityOf(facts: ApkFacts): PackageFacts['identity'] {
  const say = (key: string, fact: Fact<unknown> | null) =>
    fact === null ? [] : [{ key, value: String(fact.value).slice(0, 500) }]
  return [
    ...say('min_sdk', facts.minSdk),
    ...say('target_sdk', facts.targetSdk),
    ...say('launchable', facts.launchableActivity),
    ...say('application_class', facts.applicationClass),
    ...say('shared_user', facts.sharedUserId),
    ...say('debuggable', facts.debuggable),
    ...say('test_only', facts.testOnly),
    ...say('allow_backup', facts.allowBackup),
    ...say('cleartext', facts.usesCleartextTraffic),
    ...say('network_config', facts.networkSecurityConfig),
  ]
}

function certificateOf(one: Certificate): PackageFacts['certificates'][number] {
  const { algorithm, bits, curve } = one.publicKey
  return {
    subject: one.subject,
    issuer: one.issuer,
    serial: one.serial,
    not_before: one.notBefore,
    not_after: one.notAfter,
    algorithm: one.signatureAlgorithm,
    key: [algorithm, curve ?? (bits || '')].filter(Boolean).join(' '),
    ...one.fingerprints,
  }
}

/** What a device tells of its own build: the dex files by name. */
function hashesOf(found: Package): Record<string, string> {
  if (found.kind !== 'apk') return {}
  return Object.fromEntries(
    found.code.slice(0, 16).map((file) => [file.entry, createHash('sha256').update(file.bytes).digest('hex')]),
  )
}
