import { entryBytes } from '../../zip/entry-bytes.ts'
import type { ZipArchive } from '../../zip/zip-facts.ts'
import type { FileRule, PackageFile } from './file-rule.ts'

const ASSETS = 'assets/'
const PAGE = /\.(?:html?|xhtml)$/i
/** What pages name other files in. */
const NAMING = /\.(?:html?|xhtml|js|mjs|css|json|svg)$/i
/** What pages consist of. */
const OF_PAGES =
  /\.(?:html?|xhtml|js|mjs|cjs|map|css|json|svgz?|xml|txt|md|csv|vtt|pdf|wasm|png|jpe?g|gif|webp|avif|bmp|ico|woff2?|ttf|otf|eot|mp[34]|m4a|webm|og[gav]|wav)$/i
/** Beyond that, pages count as naming everything. */
const MOST_NAMING_BYTES = 64 * 2 ** 20

/**
 * Files that a web view may load, which no call of the app opens: where the package has pages, or code names their address, all of the kinds that pages
 * consist of; all below the folder of a page; and those that a page or script names, by their file name or their folder.
 */
export function webReader(zip: ZipArchive, isAddressed: boolean): FileRule {
  const assets = zip.entries.filter(({ name, isDirectory }) => !isDirectory && name.startsWith(ASSETS))
  const folders = assets
    .filter(({ name }) => PAGE.test(name))
    .map(({ name }) => name.slice(0, name.lastIndexOf('/') + 1))
    .filter((folder) => folder !== ASSETS)
  const hasPages = isAddressed || assets.some(({ name }) => PAGE.test(name))
  if (!hasPages) return () => undefined
  const naming = assets.filter(({ name }) => NAMING.test(name))
  const isTooMuch = naming.reduce((sum, { size }) => sum + size, 0) > MOST_NAMING_BYTES
  const texts = isTooMuch ? [] : naming.map((entry) => Buffer.from(entryBytes(zip, entry)))
  const isNamed = ({ name }: PackageFile): boolean => {
    const [file, folder] = name.split('/').reverse()
    return isTooMuch || texts.some((text) => text.includes(file!) || (folder && text.includes(`${folder}/`)))
  }
  return (file) => {
    if (file.kind !== 'asset') return undefined
    const isOfPages =
      OF_PAGES.test(file.name) || (!file.isKey && folders.some((folder) => file.entry.name.startsWith(folder)))
    return isOfPages || isNamed(file) ? { text: 'a web view may load it', detail: '' } : undefined
  }
}
