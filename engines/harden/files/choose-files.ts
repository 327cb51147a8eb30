import { VALUE } from '../../axml/typed-value.ts'
import type { AndroidPackage } from '../../package/package.ts'
import { entryBytes } from '../../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry } from '../../zip/zip-facts.ts'
import type { HardenText } from '../harden-texts.ts'
import type { HardenLog } from '../hardening.ts'
import type { PackageFile } from './file-rule.ts'
import { isKeyContent, isKeyName } from './key-content.ts'
import { choosesPath, matchesPath } from './path-pattern.ts'

export type FileOption = 'resource_protection' | 'cer_protection'

/** What options ask for; absent ones are off. */
export interface WantedFiles {
  /** Patterns of paths in the package. */
  readonly resources?: readonly string[] | undefined
  readonly certificates: boolean
}

export interface ChosenFile extends PackageFile {
  readonly options: readonly FileOption[]
}

const ASSETS = 'assets/'
/** The app holds the whole file in memory while it opens it. */
const MOST_BYTES = 8 * 2 ** 20
/** Code that the app loads itself. */
const CODE = /\.(?:dex|jar|apk|so)$/i

/** The files that options choose; what they choose and cannot be encrypted is in the log. */
export function chooseFiles(
  source: AndroidPackage,
  zip: ZipArchive,
  wanted: WantedFiles,
  log: HardenLog,
): ChosenFile[] {
  const { resources = [], certificates } = wanted
  const ids = resourceIds(source)
  const chosen: ChosenFile[] = []
  let elsewhere = 0
  for (const entry of zip.entries) {
    if (entry.isDirectory) continue
    const options: FileOption[] = []
    const isChosen = choosesPath(resources, entry.name)
    const found = ids.get(entry.name)
    const isOpened = entry.name.startsWith(ASSETS) || found !== undefined
    if (isChosen && isOpened) options.push('resource_protection')
    else if (isChosen) elsewhere++
    if (certificates && isOpened && isKeyName(entry.name)) options.push('cer_protection')
    if (!options.length) continue
    const content = entryBytes(zip, entry)
    const isKey = isKeyName(entry.name) && isKeyContent(entry.name, content)
    if (options.includes('cer_protection') && !isKey) {
      options.pop()
      log.skipped('cer_protection', entry.name, '', 'its content is that of no certificate or key')
    }
    const text = unfit(entry, found)
    if (text) for (const option of options) log.skipped(option, entry.name, '', text)
    else if (options.length) chosen.push({ entry, ...namesOf(entry, found), isKey, content, options })
  }
  log.skipped('resource_protection', '', '', 'only files below assets and raw resources are encrypted', elsewhere)
  for (const pattern of resources)
    if (!pattern.startsWith('!') && !zip.entries.some(({ name }) => matchesPath(pattern, name)))
      log.skipped('resource_protection', '', '', 'the pattern {detail} matches no file', 1, pattern)
  return chosen
}

function namesOf({ name }: ZipEntry, ids: readonly number[] = []): Pick<PackageFile, 'kind' | 'name'> {
  const [id] = ids
  return id === undefined
    ? { kind: 'asset', name: name.slice(ASSETS.length) }
    : { kind: 'resource', name: id.toString(16) }
}

function unfit({ name, nameBytes, size, method }: ZipEntry, ids: readonly number[] = []): HardenText | undefined {
  if (size === 0) return 'the file is empty'
  if (size > MOST_BYTES) return 'larger than 8 MiB: the app would hold all of it in memory'
  if (CODE.test(name)) return 'an archive or code, which the app may load itself'
  if (/\p{Cc}/u.test(name) || Buffer.compare(Buffer.from(name), nameBytes)) return 'its name has unusual characters'
  if (ids.length > 1) return 'several resources have this file'
  return method === 0 || method === 8 ? undefined : 'packed in an unusual way'
}

/** Numbers of the raw resources that each file is the value of. */
function resourceIds({ resources }: AndroidPackage): Map<string, number[]> {
  const ids = new Map<string, Set<number>>()
  for (const { id, name, value } of resources?.all() ?? []) {
    if (!/^(?:.*:)?raw\//.test(name) || value?.type !== VALUE.string || !value.text) continue
    ids.set(value.text, (ids.get(value.text) ?? new Set()).add(id))
  }
  return new Map([...ids].map(([file, numbers]) => [file, [...numbers]]))
}
