import { FormatError } from '../bytes/format-error.ts'
import { type PlistNode, plistAt, plistText, plistTexts } from '../plist/plist-node.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { IpaIcon } from './ipa-facts.ts'
import type { Source } from './ipa-source.ts'
import { pngHeader } from './png-header.ts'

const MOST = 100

/** The pictures of the application, the largest first. */
export function readIcons(app: string, info: PlistNode, { zip, limits }: Source): IpaIcon[] {
  const names = new Set<string>()
  for (const icons of ['CFBundleIcons', 'CFBundleIcons~ipad'])
    for (const name of plistTexts(info, icons, 'CFBundlePrimaryIcon', 'CFBundleIconFiles')) names.add(name)
  for (const name of plistTexts(info, 'CFBundleIconFiles')) names.add(name)
  const single = plistAt(info, 'CFBundleIconFile') && plistText(info, 'CFBundleIconFile')
  if (single) names.add(single)
  const prefixes = [...names].slice(0, MOST).map((name) => app + name.replace(/\.png$/, ''))
  const icons: IpaIcon[] = []
  for (const entry of zip.byName.values()) {
    const { name } = entry
    if (icons.length >= MOST || !name.endsWith('.png')) continue
    if (!prefixes.some((prefix) => name.startsWith(prefix) && !name.slice(prefix.length).includes('/'))) continue
    try {
      const header = pngHeader(entryBytes(zip, entry, limits.zip))
      if (header) icons.push({ path: name, ...header })
    } catch (error) {
      if (!(error instanceof FormatError)) throw error
    }
  }
  return icons.sort((a, b) => b.width - a.width || (a.path < b.path ? -1 : 1))
}
