import type { Fact } from '../apk/apk-facts.ts'
import { FormatError } from '../bytes/format-error.ts'
import { type PlistNode, plistAt, plistTexts } from '../plist/plist-node.ts'
import { readPlist } from '../plist/read-plist.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import { readZip } from '../zip/read-zip.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import { readBinaries } from './binaries.ts'
import { readIcons } from './icons.ts'
import type { Ipa, IpaFacts, IpaNote, PlistFile, UsageDescription } from './ipa-facts.ts'
import { IPA_LIMITS, type IpaLimits, plistFile, type Source } from './ipa-source.ts'
import { type Provision, readProvision } from './provision.ts'

const APP = /^((?:[^/]+\/)*)Payload\/[^/]+\.app\//

/**
 * Reads what an iOS package says of itself. A part that cannot be read is noted and costs itself alone.
 * Throws FormatError of `zip`, of `ipa` (`no-app`, `no-info`), and of `plist` and `xml` for its Info.plist.
 */
export function readIpa(bytes: Uint8Array, limits: IpaLimits = IPA_LIMITS): Ipa {
  const zip = readZip(bytes, limits.zip)
  return { zip, facts: readIpaFacts(zip, limits) }
}

/** Whether the archive holds an iOS application. */
export function holdsApp(zip: ZipArchive): boolean {
  for (const name of zip.byName.keys()) if (APP.test(name) && !name.startsWith('__MACOSX/')) return true
  return false
}

/** The facts of an archive that is open already. */
export function readIpaFacts(zip: ZipArchive, limits: IpaLimits = IPA_LIMITS): IpaFacts {
  const notes: IpaNote[] = []
  const app = findApp(zip, notes)
  const source: Source = { zip, limits, notes }
  const info = infoOf(app, source)
  const { node } = info
  const text = (key: string): Fact<string> | null => textFact(info, [key])
  const list = (...path: string[]): Fact<string>[] => textFacts(info, path)
  const binaries = readBinaries(app, info, source)
  return {
    app,
    info,
    bundleId: text('CFBundleIdentifier'),
    name: text('CFBundleName'),
    displayName: text('CFBundleDisplayName'),
    version: text('CFBundleShortVersionString'),
    build: text('CFBundleVersion'),
    minOs: text('MinimumOSVersion'),
    sdk: text('DTSDKName'),
    deviceFamilies: numbersOf(plistAt(node, 'UIDeviceFamily')),
    platforms: plistTexts(node, 'CFBundleSupportedPlatforms'),
    urlSchemes: urlSchemes(info),
    querySchemes: list('LSApplicationQueriesSchemes'),
    backgroundModes: list('UIBackgroundModes'),
    usageDescriptions: usageDescriptions(info),
    executable: binaries.find(({ role }) => role === 'main')?.entry ?? null,
    binaries,
    frameworks: bundlesIn(zip, `${app}Frameworks/`, '.framework'),
    extensions: [...bundlesIn(zip, `${app}PlugIns/`, '.appex'), ...bundlesIn(zip, `${app}Extensions/`, '.appex')],
    watchApps: bundlesIn(zip, `${app}Watch/`, '.app'),
    icons: readIcons(app, node, source),
    provision: provisionOf(app, source),
    privacyManifests: privacyManifests(app, source),
    notes,
  }
}

/** Where the application lies; strictly it is `Payload/*.app/` at the top. */
function findApp(zip: ZipArchive, notes: IpaNote[]): string {
  const apps = new Set<string>()
  for (const name of zip.byName.keys()) {
    const match = name.startsWith('__MACOSX/') ? null : APP.exec(name)
    if (match) apps.add(match[0])
  }
  const [first, second] = [...apps].sort((a, b) => a.split('/').length - b.split('/').length)
  if (!first) throw new FormatError('ipa', 'no-app', -1, 'no Payload/*.app in the archive')
  if (!first.startsWith('Payload/'))
    notes.push({
      key: 'payload-place',
      entry: first,
      detail: 'Payload does not lie at the top: no device installs this',
    })
  if (second) notes.push({ key: 'several-apps', entry: second, detail: `${apps.size} applications, the first is read` })
  return first
}

function infoOf(app: string, { zip, limits }: Source): PlistFile {
  const entry = `${app}Info.plist`
  const found = zip.byName.get(entry)
  if (!found) throw new FormatError('ipa', 'no-info', -1, `no ${entry}`)
  return { entry, node: readPlist(entryBytes(zip, found, limits.zip), limits.plist) }
}

function provisionOf(app: string, { zip, limits, notes }: Source): Provision | null {
  const entry = `${app}embedded.mobileprovision`
  const found = zip.byName.get(entry)
  if (!found) return null
  try {
    return readProvision(entryBytes(zip, found, limits.zip), limits.plist)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    notes.push({ key: 'provision-unreadable', entry, detail: error.message })
    return null
  }
}

function privacyManifests(app: string, source: Source): PlistFile[] {
  const entries = [...source.zip.byName.keys()].filter(
    (name) => name.startsWith(app) && name.endsWith('/PrivacyInfo.xcprivacy'),
  )
  return entries.slice(0, source.limits.binaries).flatMap((entry) => plistFile(entry, source) ?? [])
}

function bundlesIn(zip: ZipArchive, folder: string, ending: string): string[] {
  const names = new Set<string>()
  for (const name of zip.byName.keys()) {
    if (!name.startsWith(folder)) continue
    const [top = ''] = name.slice(folder.length).split('/', 1)
    if (top.endsWith(ending)) names.add(top.slice(0, -ending.length))
  }
  return [...names].sort()
}

function textFact({ entry, node }: PlistFile, path: readonly (string | number)[]): Fact<string> | null {
  const found = plistAt(node, ...path)
  if (found?.type !== 'string' && found?.type !== 'integer' && found?.type !== 'real') return null
  return { value: String(found.value), evidence: { entry, offset: found.offset, path: path.join('.') } }
}

function textFacts(info: PlistFile, path: readonly (string | number)[]): Fact<string>[] {
  const found = plistAt(info.node, ...path)
  return found?.type === 'array' ? found.items.flatMap((_, i) => textFact(info, [...path, i]) ?? []) : []
}

function urlSchemes(info: PlistFile): Fact<string>[] {
  const types = plistAt(info.node, 'CFBundleURLTypes')
  if (types?.type !== 'array') return []
  return types.items.flatMap((_, i) => textFacts(info, ['CFBundleURLTypes', i, 'CFBundleURLSchemes']))
}

function usageDescriptions({ entry, node }: PlistFile): UsageDescription[] {
  if (node.type !== 'dictionary') return []
  return [...node.entries].flatMap(([key, value]) =>
    /^NS\w+UsageDescription$/.test(key) && value.type === 'string'
      ? [{ key, text: value.value, evidence: { entry, offset: value.offset, path: key } }]
      : [],
  )
}

function numbersOf(node: PlistNode | undefined): number[] {
  const items = node?.type === 'array' ? node.items : node ? [node] : []
  return items.flatMap((item) => {
    const value = item.type === 'integer' || item.type === 'string' ? Number(item.value) : Number.NaN
    return Number.isNaN(value) ? [] : [value]
  })
}
