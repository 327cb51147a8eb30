import { renameResourcePaths } from '../arsc/rename-paths.ts'
import { FormatError } from '../bytes/format-error.ts'
import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive } from '../zip/zip-facts.ts'
import type { HardenLog } from './hardening.ts'
import type { SeededRandom } from './seeded-random.ts'

const TABLE = 'resources.arsc'

/** New names of files below `res/`, and the table that names them so. */
export interface RenamedResources {
  readonly table: Uint8Array
  readonly names: ReadonlyMap<string, string>
}

/** Gives files of resources names without meaning; endings stay, since Android goes by them. */
export function renameResources(zip: ZipArchive, random: SeededRandom, log: HardenLog): RenamedResources | undefined {
  const table = zip.byName.get(TABLE)
  if (!table) {
    log.skipped('anti_decompile', TABLE, '', 'the package has no resource table')
    return undefined
  }
  const files = zip.entries.map(({ name }) => name).filter((name) => /^res\/.+/.test(name))
  const taken = new Set(zip.entries.map(({ name }) => name))
  const names = new Map<string, string>()
  let number = 0
  for (const name of random.shuffled(files)) {
    const ending = /(?:\.9)?\.[^./]+$/.exec(name)?.[0] ?? ''
    let to: string
    do to = `res/${(number++).toString(36)}${ending}`
    while (taken.has(to))
    names.set(name, to)
  }
  try {
    const { bytes, renamed } = renameResourcePaths(entryBytes(zip, table), (path) => names.get(path))
    log.applied('anti_decompile', TABLE, '', 'resource files renamed', renamed.size)
    log.skipped(
      'anti_decompile',
      TABLE,
      '',
      'files that no value of the table names keep their names',
      files.length - renamed.size,
    )
    return { table: bytes, names: renamed }
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    log.skipped('anti_decompile', TABLE, '', 'the resource table cannot be written again: {detail}', 1, error.message)
    return undefined
  }
}
