import { FormatError } from '../bytes/format-error.ts'
import { isMacho, readMacho } from '../macho/read-macho.ts'
import { plistText } from '../plist/plist-node.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { IpaBinary, PlistFile } from './ipa-facts.ts'
import { plistFile, type Source } from './ipa-source.ts'

const FOLDERS: readonly (readonly [pattern: RegExp, role: IpaBinary['role']])[] = [
  [/Frameworks\/([^/]+)\.framework\/$/, 'framework'],
  [/(?:PlugIns|Extensions)\/([^/]+)\.appex\/$/, 'extension'],
  [/Watch\/([^/]+)\.app\/$/, 'watch'],
]

/** The executables of the application and of all bundles and libraries inside of it, the main one first. */
export function readBinaries(app: string, info: PlistFile, source: Source): IpaBinary[] {
  const { zip, limits, notes } = source
  const bundleName = app.slice(app.lastIndexOf('/', app.length - 2) + 1, -'.app/'.length)
  const main = app + (plistText(info.node, 'CFBundleExecutable') ?? bundleName)
  const found: IpaBinary[] = []
  const read = (entry: string, role: IpaBinary['role'], name: string, own: PlistFile | null) => {
    if (found.length >= limits.binaries) return
    const binary = readBinary(entry, source)
    if (binary) found.push({ entry, role, name, info: own, ...binary })
  }
  if (zip.byName.has(main)) read(main, 'main', bundleName, info)
  else notes.push({ key: 'no-executable', entry: main, detail: 'the executable that Info.plist names is missing' })
  for (const name of zip.byName.keys()) {
    if (!name.startsWith(app)) continue
    if (name.endsWith('.dylib')) {
      read(name, 'dylib', name.slice(name.lastIndexOf('/') + 1, -6), null)
      continue
    }
    const folder = name.endsWith('/Info.plist') ? name.slice(0, -'Info.plist'.length) : undefined
    for (const [pattern, role] of folder ? FOLDERS : []) {
      const bundle = pattern.exec(folder!)?.[1]
      if (!bundle) continue
      const own = plistFile(name, source) ?? null
      const entry = folder + (plistText(own?.node, 'CFBundleExecutable') ?? bundle)
      if (zip.byName.has(entry)) read(entry, role, bundle, own)
    }
  }
  if (found.length >= limits.binaries)
    notes.push({ key: 'binary-limit', entry: app, detail: `binaries behind the first ${limits.binaries} are left out` })
  return found
}

function readBinary(entry: string, { zip, limits, notes }: Source): Pick<IpaBinary, 'macho' | 'encrypted'> | undefined {
  try {
    const bytes = entryBytes(zip, zip.byName.get(entry)!, limits.zip)
    if (!bytes.length) return undefined
    if (!isMacho(bytes)) throw new FormatError('macho', 'not-macho', 0, 'no Mach-O file')
    const macho = readMacho(bytes, limits.macho)
    return { macho, encrypted: macho.images.every(({ encryption }) => (encryption?.cryptId ?? 0) !== 0) }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    notes.push({ key: 'binary-unreadable', entry, detail: error.message })
    return undefined
  }
}
