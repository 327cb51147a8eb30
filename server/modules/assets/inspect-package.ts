import { createHash } from 'node:crypto'
import type { PackageFacts } from '#contracts/http/assets.ts'
import type { ApkFacts } from '#engines/apk/apk-facts.ts'
import { applicationLabel } from '#engines/apk/application-label.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { applicationIcon, pictureIcon } from '#engines/icon/application-icon.ts'
import type { IosPackage, Package } from '#engines/package/package.ts'
import { fileNamed } from '#engines/package/package-files.ts'
import { PACKAGE_LIMITS } from '#engines/package/package-limits.ts'
import { type PackageSignature, packageSignature } from '#engines/package/package-signature.ts'
import { readAnyXml } from '#engines/package/read-any-xml.ts'
import { readPackage } from '#engines/package/read-package.ts'
import { caveatsOf } from '#engines/signing/certificate-caveats.ts'
import type { Certificate } from '#engines/x509/certificate.ts'
import { decodeWebp } from '../../platform/pictures/webp-decoder.ts'
import { findPacker } from './find-packer.ts'
import type { Inspection } from './inspection.ts'

/** Rows that the detail page can show; what is more is named in `cut`. */
const MOST = 3000
/** Characters of an issue: names of entries stand in it, and those are as long as a package makes them. */
const LONGEST = 500

/** Reads a package of any kind; the icon comes as SVG. Throws FormatError if it is not a package. */
export function inspectPackage(bytes: Uint8Array, fileName: string): Omit<Inspection, 'icon'> & { icon?: string } {
  return describePackage(readPackage(bytes, fileName))
}

/** What the console shows of a package that was read; the icon comes as SVG. */
export function describePackage(found: Package): Omit<Inspection, 'icon'> & { icon?: string } {
  const signature = packageSignature(found)
  const { certificates } = signature
  const icon = iconOf(found)
  return {
    kind: found.kind,
    platform: found.platform,
    ...namesOf(found),
    packer: findPacker(found)?.name ?? '',
    signers: certificates.map((one) => one.fingerprints.sha256),
    signature: signature.state,
    facts: factsOf(found, signature, certificates),
    ...(icon && { icon }),
  }
}

type Names = Pick<Inspection, 'name' | 'version' | 'versionCode' | 'packageName'>
function namesOf(found: Package): Names {
  if (found.kind === 'ipa') {
    const { displayName, name, version, build, bundleId } = found.facts
    return {
      name: displayName?.value ?? name?.value ?? '',
      version: version?.value ?? '',
      versionCode: build?.value ?? '',
      packageName: bundleId?.value ?? '',
    }
  }
  const facts = 'facts' in found ? found.facts : undefined
  return {
    name: applicationLabel(facts),
    version: facts?.versionName?.value ?? '',
    versionCode: versionCodeOf(facts),
    packageName: facts?.package?.value ?? '',
  }
}

function versionCodeOf(facts: ApkFacts | undefined): string {
  const low = facts?.versionCode?.value ?? ''
  const major = facts?.versionCodeMajor?.value ?? 0
  return major && /^\d+$/.test(low) ? String((BigInt(major) << 32n) | BigInt(low)) : low
}

function iconOf(found: Package): string | undefined {
  const readBytes = (path: string): Uint8Array | undefined => {
    try {
      return fileNamed(found, path, PACKAGE_LIMITS.zip)?.bytes
    } catch (error) {
      if (error instanceof FormatError) return undefined
      throw error
    }
  }
  if (found.kind === 'ipa') {
    const [largest] = found.facts.icons.filter(({ width }) => width <= 1024).sort((a, b) => b.width - a.width)
    const picture = largest && readBytes(largest.path)
    return picture && pictureIcon(picture)
  }
  if (!('facts' in found)) return undefined
  // Resources name their files as on a device; in bundles and sets of splits these lie deeper.
  const folders = found.archives.flatMap(({ prefix }) => [prefix, `${prefix}base/`])
  const read = (path: string) =>
    folders.reduce<Uint8Array | undefined>((bytes, folder) => bytes ?? readBytes(folder + path), undefined)
  return applicationIcon({
    icons: found.facts.icons,
    resources: found.resources,
    readBytes: read,
    decodeWebp,
    readXml(path) {
      const bytes = read(path)
      return bytes && readAnyXml(bytes).root
    },
  })
}

function factsOf(found: Package, signature: PackageSignature, certificates: readonly Certificate[]): PackageFacts {
  const cut: string[] = []
  const most = <T>(name: string, rows: readonly T[]): T[] => {
    if (rows.length > MOST) cut.push(name)
    return rows.slice(0, MOST)
  }
  const native = found.native.map(({ entry }) => entry)
  const facts = found.kind !== 'ipa' && 'facts' in found ? found.facts : undefined
  return {
    identity: found.kind === 'ipa' ? identityOfIos(found) : facts ? identityOf(facts) : [],
    abis: [...new Set(found.native.map(({ abi }) => abi).filter(Boolean))].sort(),
    native_libraries: most('native_libraries', native),
    dex_files: found.code.filter(({ entry }) => entry.endsWith('.dex')).length,
    entries: found.archives.reduce((sum, { zip }) => sum + zip.entries.length, 0),
    schemes: [...signature.schemes],
    certificates: certificates.map(shownCertificate),
    signature_issues: most('signature_issues', [
      ...signature.errors.map((one) => ({
        severity: 'error' as const,
        key: one.key,
        detail: one.message.slice(0, LONGEST),
      })),
      ...signature.warnings.map((one) => ({
        severity: 'warning' as const,
        key: one.key,
        detail: one.message.slice(0, LONGEST),
      })),
    ]),
    permissions: most('permissions', permissionsOf(found)),
    components: most('components', facts?.components ?? []).map(({ kind, name, exported, permission, enabled }) => ({
      kind,
      name,
      exported,
      permission: permission ?? '',
      enabled,
    })),
    notes: most('notes', [...found.notes, ...('facts' in found ? found.facts.notes : [])]).map(({ key, detail }) => ({
      key,
      detail,
    })),
    hashes: hashesOf(found),
    cut,
  }
}

/** Permissions of Android; of iOS the usage descriptions, which are what asks for one there. */
function permissionsOf(found: Package): PackageFacts['permissions'] {
  if (found.kind === 'ipa')
    return found.facts.usageDescriptions.map(({ key, text }) => ({
      name: key,
      max_sdk: null,
      implied_by: '',
      text: text.slice(0, 500),
    }))
  if (!('facts' in found)) return []
  return found.facts.permissions.map(({ name, maxSdkVersion, impliedBy }) => ({
    name,
    max_sdk: maxSdkVersion,
    implied_by: impliedBy ?? '',
  }))
}

function identityOfIos({ facts }: IosPackage): PackageFacts['identity'] {
  const { provision, binaries } = facts
  const main = binaries.find(({ role }) => role === 'main')
  const team = main?.macho.images[0]?.signature?.directories[0]?.team
  return [
    ...say('min_os', facts.minOs),
    ...say('sdk', facts.sdk),
    ...say('executable', facts.executable === null ? null : { value: facts.executable }),
    ...say('team', team ? { value: team } : null),
    ...say('provision', provision && { value: [provision.kind, provision.teamName].filter(Boolean).join(', ') }),
    ...say('encrypted', facts.binaries.some((one) => one.encrypted) ? { value: true } : null),
  ]
}

const say = (key: string, fact: { readonly value: unknown } | null) =>
  fact === null ? [] : [{ key, value: String(fact.value).slice(0, 500) }]

function identityOf(facts: ApkFacts): PackageFacts['identity'] {
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

/** A certificate as the console shows it. */
export function shownCertificate(one: Certificate): PackageFacts['certificates'][number] {
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
    caveats: caveatsOf(
      {
        subject: one.subject,
        sha256: one.fingerprints.sha256,
        keyAlgorithm: algorithm,
        keyBits: bits,
        signatureAlgorithm: one.signatureAlgorithm,
        notAfter: one.notAfter,
      },
      null,
    ).filter((caveat) => caveat !== 'expired'),
  }
}

/** What a device reports about its own build: the dex files by name. */
function hashesOf(found: Package): Record<string, string> {
  if (found.kind !== 'apk') return {}
  return Object.fromEntries(
    found.code.slice(0, 16).map((file) => [file.entry, createHash('sha256').update(file.bytes).digest('hex')]),
  )
}
