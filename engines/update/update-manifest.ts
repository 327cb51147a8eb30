import { FormatError } from '../bytes/format-error.ts'

/** What a release needs of the data folder: an update compares it with what is there before anything is changed. */
export type DataFormats = {
  /** Major version of the bundled PostgreSQL. */
  postgres: number
  /** Of the event store's file. */
  events: number
  /** Of the journal's entries. */
  journal: number
  /** Migrations of PostgreSQL in their order. `down`: it can be undone without a backup. */
  migrations: { name: string; down: boolean }[]
}

export type ManifestFile =
  | { path: string; mode: '644' | '755'; size: number; sha256: string; link?: never }
  /** A link to another file of the same folder. */
  | { path: string; link: string }

export type UpdateManifest = {
  product: 'appwarden'
  /** Three numbers with dots. */
  version: string
  platform: string
  formats: DataFormats
  files: ManifestFile[]
}

export const VERSION = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})$/
const MIGRATION = /^\d{4}-[a-z\d-]{1,80}$/
const LONGEST_PATH = 400
const MOST_MIGRATIONS = 10_000

/** Below 0: `a` is older than `b`; 0: the same. Both as VERSION. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((one) => one.split('.').map(Number)) as [number[], number[]]
  for (const n of [0, 1, 2]) if (left[n] !== right[n]) return (left[n] as number) - (right[n] as number)
  return 0
}

/** Throws FormatError `manifest` for anything that is not a whole manifest, and `name` for a path or link that leads elsewhere. */
export function parseManifest(bytes: Uint8Array): UpdateManifest {
  const given = asRecord(parseJson(bytes), 'the manifest')
  const { product, version, platform } = given
  if (product !== 'appwarden') throw fail('manifest', 'it is of another product')
  if (typeof version !== 'string' || !VERSION.test(version)) throw fail('manifest', 'it has no version')
  if (typeof platform !== 'string' || !/^[a-z\d-]{1,40}$/.test(platform)) throw fail('manifest', 'it has no platform')
  if (!Array.isArray(given['files']) || given['files'].length === 0) throw fail('manifest', 'it names no files')
  const files = given['files'].map(fileOf)
  checkPlaces(files)
  return { product, version, platform, formats: formatsOf(given['formats']), files }
}

function fileOf(value: unknown): ManifestFile {
  const { path, mode, size, sha256, link } = asRecord(value, 'a file')
  if (typeof path !== 'string') throw fail('manifest', 'a file has no path')
  checkPath(path)
  if (link !== undefined) {
    if (typeof link !== 'string' || !/^[\w.+-]{1,200}$/.test(link) || /^\.\.?$/.test(link))
      throw fail('name', `the link ${shown(path)} leads out of its folder`)
    return { path, link }
  }
  if (mode !== '644' && mode !== '755') throw fail('manifest', `${shown(path)} has no mode`)
  if (typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0)
    throw fail('manifest', `${shown(path)} has no size`)
  if (typeof sha256 !== 'string' || !/^[\da-f]{64}$/.test(sha256)) throw fail('manifest', `${shown(path)} has no hash`)
  return { path, mode, size, sha256 }
}

/** Relative, of plain parts, without anything that a file system reads as another place. */
function checkPath(path: string): void {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is refused
  const isPlain = path.length <= LONGEST_PATH && !/[\\\u0000-\u001f\u007f]/.test(path)
  if (!isPlain || path.split('/').some((part) => part === '' || part === '.' || part === '..'))
    throw fail('name', `${shown(path)} is no plain relative path`)
}

/** No path twice, no file where another has its folder, and each link beside the file that it names. */
function checkPlaces(files: readonly ManifestFile[]): void {
  const places = new Map(files.map((file) => [file.path, file]))
  if (places.size !== files.length) throw fail('name', 'a path is named twice')
  for (const { path, link } of files) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1))
      if (places.has(path.slice(0, end))) throw fail('name', `${shown(path)} lies below a file`)
    if (link === undefined) continue
    const target = places.get(path.slice(0, path.lastIndexOf('/') + 1) + link)
    if (!target || target.link !== undefined) throw fail('name', `the link ${shown(path)} names no file of its folder`)
  }
}

function formatsOf(value: unknown): DataFormats {
  const { postgres, events, journal, migrations } = asRecord(value, 'formats')
  const [a, b, c] = [postgres, events, journal].map((one) => {
    if (typeof one !== 'number' || !Number.isInteger(one) || one < 1 || one > 1000)
      throw fail('manifest', 'a format has no number')
    return one
  }) as [number, number, number]
  if (!Array.isArray(migrations) || migrations.length > MOST_MIGRATIONS)
    throw fail('manifest', 'it names no migrations')
  return {
    postgres: a,
    events: b,
    journal: c,
    migrations: migrations.map((one) => {
      const { name, down } = asRecord(one, 'a migration')
      if (typeof name !== 'string' || !MIGRATION.test(name) || typeof down !== 'boolean')
        throw fail('manifest', 'a migration has no name')
      return { name, down }
    }),
  }
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch {
    throw fail('manifest', 'it is no JSON text')
  }
}

function asRecord(value: unknown, what: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fail('manifest', `${what} is no record`)
  return value as Record<string, unknown>
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 120))
}

function fail(key: string, message: string): FormatError {
  return new FormatError('update', key, -1, message)
}
