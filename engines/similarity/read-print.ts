import { createHash } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import { sdkById } from '../detect/catalogue/sdk-signatures.ts'
import type { Owner } from '../detect/input/inspected-package.ts'
import { inspectAndroid } from '../detect/inspect-android.ts'
import { isLibraryName } from '../detect/owner/own-prefixes.ts'
import { type CodeEntry, readProgram } from '../dex/read-program.ts'
import { applicationIcon } from '../icon/application-icon.ts'
import type { DecodeWebp } from '../icon/webp.ts'
import type { AndroidPackage, IosPackage, Package, PackageFile } from '../package/package.ts'
import { fileNamed } from '../package/package-files.ts'
import { PACKAGE_LIMITS } from '../package/package-limits.ts'
import { type PackageSignature, packageSignature } from '../package/package-signature.ts'
import { readAnyXml } from '../package/read-any-xml.ts'
import { PUBLIC_KEYS } from '../signing/certificate-caveats.ts'
import { SDK } from '../signing/signing-facts.ts'
import { verifyApk } from '../signing/verify-apk.ts'
import { codePrint } from './code-print.ts'
import { filePrints } from './file-prints.ts'
import { iconPrint, type Pixels } from './icon-print.ts'
import { type PackagePrint, PRINT_FORMAT, PRINT_LIMITS, type PrintLimits, type SignerPrint } from './package-print.ts'

export interface PrintTools {
  /** Draws an icon from SVG, at least 64 pixels wide; null where it cannot be drawn. Without it prints have no icon. */
  readonly draw?: (svg: string) => Pixels | null
  readonly decodeWebp?: DecodeWebp
}

/** The print of an application's package. Throws FormatError `no-application` of format `print` for a library, which no market offers. */
export function readPrint(source: Package, tools: PrintTools = {}, limits: PrintLimits = PRINT_LIMITS): PackagePrint {
  if (source.kind === 'ipa') return iosPrint(source, limits)
  if (!('facts' in source) || source.kind === 'aar')
    throw new FormatError('print', 'no-application', -1, 'a library is no application that could be copied')
  return androidPrint(source, tools, limits)
}

function androidPrint(source: AndroidPackage, tools: PrintTools, limits: PrintLimits): PackagePrint {
  const { facts } = source
  const program = source.code.length ? readProgram(source.code.map(unpacked)) : null
  const { inspected, ownership } = inspectAndroid(source, program)
  const { code, gaps } = codePrint(source.code, ownership.ownerOf, isKnownLibrary, limits)
  const printed = filePrints(source, limits)
  const components = facts.components
    .map(({ name }) => name)
    .filter((name) => name && !isKnownLibrary(ownership.ownerOf(descriptorOf(name)), descriptorOf(name)))
  return {
    ...basics(source, printed.content),
    package: facts.package?.value ?? '',
    versionCode: facts.versionCode?.value ?? '',
    versionName: facts.versionName?.value ?? '',
    label: facts.label?.value ?? '',
    code,
    packer: inspected.packer?.en ?? '',
    files: printed.files,
    natives: printed.natives,
    components: [...new Set(components)].sort(),
    permissions: [...new Set(facts.permissions.filter((one) => !one.impliedBy).map(({ name }) => name))].sort(),
    icon: iconOf(source, tools),
    gaps: [...new Set([...gaps, ...printed.gaps])],
  }
}

function iosPrint(source: IosPackage, limits: PrintLimits): PackagePrint {
  const { facts } = source
  const printed = filePrints(source, limits)
  return {
    ...basics(source, printed.content),
    package: facts.bundleId?.value ?? '',
    versionCode: facts.build?.value ?? '',
    versionName: facts.version?.value ?? '',
    label: facts.displayName?.value ?? facts.name?.value ?? '',
    code: null,
    packer: '',
    files: printed.files,
    natives: printed.natives,
    components: [],
    permissions: facts.usageDescriptions.map(({ key }) => key).sort(),
    icon: null,
    gaps: printed.gaps,
  }
}

function basics(source: Package, content: string) {
  return {
    format: PRINT_FORMAT,
    platform: source.platform,
    sha256: createHash('sha256').update(source.bytes).digest('hex'),
    size: source.bytes.length,
    signer: signerPrint(source),
    content,
  } as const
}

function signerPrint(source: Package): SignerPrint {
  const { state, certificates, apk } = source.kind === 'apk' ? onPhonesOfToday(source) : packageSignature(source)
  const prints = certificates.map(({ fingerprints }) => fingerprints.sha256)
  return {
    state,
    certificates: [...new Set(prints)].sort(),
    lineage: (apk?.lineage ?? []).map(({ certificate }) => certificate.fingerprints.sha256),
    subject: certificates[0]?.subject ?? '',
    isPublicKey: prints.some((one) => PUBLIC_KEYS.has(one)),
  }
}

/** As Android from version 7 on judges it: what older ones would say of digests does not make a package another's. */
function onPhonesOfToday(source: AndroidPackage): Pick<PackageSignature, 'state' | 'certificates' | 'apk'> {
  const apk = verifyApk(source.bytes, { archive: source.archives[0]?.zip, minSdk: SDK.n })
  if (!apk.verified) return packageSignature(source)
  return { state: 'verified', certificates: apk.certificates, apk }
}

/** Known SDKs and the roots of well-known libraries; code with an unknown name may be the repackager's. */
function isKnownLibrary({ kind, sdk }: Owner, descriptor: string): boolean {
  if (kind !== 'sdk') return false
  // '' is a library whose name was lost.
  return (
    sdk === '' ||
    (sdk !== null && sdkById(sdk) !== undefined) ||
    isLibraryName(descriptor.slice(1, -1).replaceAll('/', '.'))
  )
}

const descriptorOf = (name: string): string => `L${name.replaceAll('.', '/')};`

function unpacked(file: PackageFile): CodeEntry {
  try {
    return { entry: file.entry, bytes: file.bytes }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    // Without content there is no code; the print names the gap.
    return { entry: file.entry, bytes: new Uint8Array() }
  }
}

function iconOf(source: AndroidPackage, { draw, decodeWebp }: PrintTools) {
  if (!draw) return null
  const read = (path: string) => {
    const file = fileNamed(source, path, PACKAGE_LIMITS.zip)
    if (!file) return undefined
    const { bytes } = unpacked(file)
    return bytes.length ? bytes : undefined
  }
  const svg = applicationIcon({
    icons: source.facts.icons,
    resources: source.resources,
    readBytes: read,
    readXml: (path) => {
      const bytes = read(path)
      return bytes && readAnyXml(bytes).root
    },
    ...(decodeWebp && { decodeWebp }),
  })
  const pixels = svg === undefined ? null : draw(svg)
  return pixels && iconPrint(pixels)
}
