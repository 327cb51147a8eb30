import { FormatError } from '../../bytes/format-error.ts'
import type { IpaBinary, IpaFacts } from '../../ipa/ipa-facts.ts'
import { dylibName } from '../../macho/macho-facts.ts'
import type { IosPackage } from '../../package/package.ts'
import { packageSignature } from '../../package/package-signature.ts'
import { type PlistNode, plistJson, plistText } from '../../plist/plist-node.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import type { InspectedPackage, IosCode, Owner } from '../input/inspected-package.ts'
import type { ScanChoices } from '../input/scan-choices.ts'
import { findIosSdks } from '../sdks/ios-sdks.ts'
import { type BinaryCode, readBinaryCode } from './binary-code.ts'
import { CODE_CALLS } from './code-rules.ts'
import { CRYPTO_CALLS } from './crypto-rules.ts'
import type { IosContext, IosText } from './ios-context.ts'
import { NETWORK_CALLS } from './network-rules.ts'
import { PRIVACY_CALLS } from './privacy-rules.ts'
import { PROTECTION_CALLS } from './protection-rules.ts'
import { STORAGE_CALLS } from './storage-rules.ts'

/** No one looks into a single entry above this, but for executables. */
const READ_LIMIT = 64 * 2 ** 20
const TEXT_FILE = /\.(json|xml|html?|js|txt|strings|conf|cfg|ini|ya?ml|properties|plist)$/i
const TEXT_SIZE = 2 ** 20
const TEXT_FILES = 2_000
const OWN: Owner = { kind: 'own', sdk: null }
const CALLS: ReadonlySet<string> = new Set([
  ...NETWORK_CALLS,
  ...STORAGE_CALLS,
  ...CRYPTO_CALLS,
  ...CODE_CALLS,
  ...PROTECTION_CALLS,
  ...PRIVACY_CALLS,
])

/** Joins what was read of an iOS application for its rules and for permissions, SDKs, privacy and content. */
export function inspectIos(source: IosPackage, choices: Pick<ScanChoices, 'applicationTypes' | 'date'>): IosContext {
  const { facts, archives } = source
  const { zip } = archives[0]!
  const read = (entry: string, limit = READ_LIMIT): Uint8Array | null => {
    const found = zip.byName.get(entry)
    if (!found || found.size > limit) return null
    try {
      return entryBytes(zip, found)
    } catch (error) {
      if (error instanceof FormatError) return null
      throw error
    }
  }
  const binaries = facts.binaries.flatMap((binary): BinaryCode[] => {
    const bytes = read(binary.entry, Number.POSITIVE_INFINITY)
    return bytes ? [readBinaryCode(bytes, binary, ownerOf(binary, facts), CALLS)] : []
  })
  const main = binaries.find(({ binary }) => binary.role === 'main') ?? null
  const entries = [...zip.byName.values()]
    .filter(({ isDirectory }) => !isDirectory)
    .map(({ name, size }) => ({ name, size }))
  const ios = codeOf(facts, binaries)
  const inspected: InspectedPackage = {
    kind: 'ipa',
    facts: null,
    resources: null,
    program: null,
    ios,
    entries,
    packer: null,
    codeGap: null,
    read: (entry) => read(entry),
    xml: () => null,
    ownerOf: () => OWN,
  }
  return {
    app: facts,
    signature: packageSignature(source),
    inspected,
    main,
    binaries,
    texts: [...binaryTexts(binaries), ...listTexts(facts), ...fileTexts(inspected, facts)],
    sdks: findIosSdks(ios),
    applicationTypes: choices.applicationTypes,
    date: choices.date,
  }
}

/** The application's own: its executable, extensions, and frameworks whose identifier begins as its own does. */
function ownerOf(binary: IpaBinary, { bundleId }: IpaFacts): Owner {
  if (binary.role === 'main' || binary.role === 'extension' || binary.role === 'watch') return OWN
  const identifier = plistText(binary.info?.node, 'CFBundleIdentifier') ?? ''
  const prefix = (bundleId?.value ?? '').split('.').slice(0, 2).join('.')
  return prefix.includes('.') && identifier.startsWith(`${prefix}.`) ? OWN : { kind: 'sdk', sdk: binary.name }
}

function codeOf(facts: IpaFacts, binaries: readonly BinaryCode[]): IosCode {
  const linked = binaries.flatMap(({ image }) =>
    image.dylibs.filter(({ kind }) => kind !== 'id').map(({ name }) => dylibName(name)),
  )
  const info = plistJson(facts.info.node)
  return {
    executable: facts.executable ?? facts.info.entry,
    info: typeof info === 'object' && info !== null ? (info as Record<string, unknown>) : {},
    classes: new Set(binaries.flatMap(({ classes }) => [...classes])),
    selectors: new Set(binaries.flatMap(({ objc }) => [...objc.selectors.keys()])),
    imports: new Set(binaries.flatMap(({ imports }) => [...imports.keys()])),
    frameworks: new Set([...linked, ...facts.frameworks]),
    encrypted: binaries.find(({ binary }) => binary.role === 'main')?.binary.encrypted ?? false,
  }
}

function* binaryTexts(binaries: readonly BinaryCode[]): Generator<IosText> {
  for (const { entry, owner, strings } of binaries)
    for (const { value, offset } of strings) if (value.length >= 4) yield { value, entry, offset, owner }
}

function* listTexts({ info, privacyManifests }: IpaFacts): Generator<IosText> {
  for (const { entry, node } of [info, ...privacyManifests])
    for (const { value, offset, path } of plistTexts(node, [])) yield { value, entry, offset, path, owner: OWN }
}

function* plistTexts(
  node: PlistNode,
  path: readonly (string | number)[],
): Generator<{ value: string; offset: number; path: string }> {
  if (node.type === 'string') yield { value: node.value, offset: node.offset, path: path.join('.') }
  else if (node.type === 'array') for (const [i, item] of node.items.entries()) yield* plistTexts(item, [...path, i])
  else if (node.type === 'dictionary') for (const [key, value] of node.entries) yield* plistTexts(value, [...path, key])
}

/** Lines of files that are text. */
function* fileTexts({ entries, read }: InspectedPackage, { app, info }: IpaFacts): Generator<IosText> {
  const files = entries.filter(
    ({ name, size }) => name.startsWith(app) && name !== info.entry && size <= TEXT_SIZE && TEXT_FILE.test(name),
  )
  for (const { name } of files.slice(0, TEXT_FILES)) {
    const bytes = read(name)
    if (!bytes || bytes.includes(0)) continue
    const framework = /\/Frameworks\/([^/]+)\.framework\//.exec(name)?.[1]
    const owner: Owner = framework ? { kind: 'sdk', sdk: framework } : OWN
    const content = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
    if (content.includes('PRIVATE KEY-----')) yield { value: content, entry: name, offset: 0, owner }
    for (const match of content.matchAll(/https?:\/\/[\w.-]+[^\s"'<>\\)]{0,500}|\b[A-Za-z0-9]{16,64}\b/g))
      yield { value: match[0], entry: name, offset: match.index, owner }
  }
}
