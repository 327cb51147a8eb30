import { entryBytes } from '../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry, ZipLimits } from '../zip/zip-facts.ts'
import type { NativeFile, Package, PackageArchive, PackageFile } from './package.ts'

/** An entry of an archive as a file of its package. */
class ArchivedFile implements PackageFile {
  readonly entry: string
  readonly size: number
  private readonly unpack: () => Uint8Array

  constructor(archive: PackageArchive, entry: ZipEntry, limits: ZipLimits) {
    this.entry = archive.prefix + entry.name
    this.size = entry.size
    this.unpack = () => entryBytes(archive.zip, entry, limits)
  }

  get bytes(): Uint8Array {
    return this.unpack()
  }
}

class ArchivedLibrary extends ArchivedFile implements NativeFile {
  readonly abi: string
  readonly name: string

  constructor(archive: PackageArchive, entry: ZipEntry, abi: string, limits: ZipLimits) {
    super(archive, entry, limits)
    this.abi = abi
    this.name = entry.name.slice(entry.name.lastIndexOf('/') + 1)
  }
}

/** Files of an archive whose name fits, the first of each name, in the order of the directory. */
export function filesOf(archive: PackageArchive, fits: (name: string) => boolean, limits: ZipLimits): PackageFile[] {
  return [...archive.zip.byName.values()]
    .filter((entry) => !entry.isDirectory && fits(entry.name))
    .map((entry) => new ArchivedFile(archive, entry, limits))
}

/** The files of these names, as far as they are there, in this order. */
export function filesNamed(archive: PackageArchive, names: readonly string[], limits: ZipLimits): PackageFile[] {
  return names.flatMap((name) => {
    const entry = archive.zip.byName.get(name)
    return entry ? [new ArchivedFile(archive, entry, limits)] : []
  })
}

/** Native libraries: what `pattern` fits, whose first group is the folder of their ABI. */
export function librariesOf(archive: PackageArchive, pattern: RegExp, limits: ZipLimits): NativeFile[] {
  return [...archive.zip.byName.values()].flatMap((entry) => {
    const abi = pattern.exec(entry.name)?.[1]
    return abi === undefined ? [] : [new ArchivedLibrary(archive, entry, abi, limits)]
  })
}

/** Everything in a package that is a file; archives inside of it that are opened contribute their content instead. */
export function* allFiles(from: Pick<Package, 'archives'>, limits: ZipLimits): Generator<PackageFile> {
  const opened = new Set(from.archives.map(({ prefix }) => prefix))
  for (const archive of from.archives)
    yield* filesOf(archive, (name) => !opened.has(`${archive.prefix}${name}!/`), limits)
}

export function hasEntry(zip: ZipArchive, pattern: RegExp): boolean {
  for (const name of zip.byName.keys()) if (pattern.test(name)) return true
  return false
}

/** The file of an entry name as `allFiles` gives it; undefined if absent. */
export function fileNamed(from: Pick<Package, 'archives'>, entry: string, limits: ZipLimits): PackageFile | undefined {
  // The longest prefix: archives inside of others come before the one that holds them.
  const owners = from.archives
    .filter(({ prefix }) => entry.startsWith(prefix))
    .sort((a, b) => b.prefix.length - a.prefix.length)
  for (const archive of owners) {
    const [file] = filesNamed(archive, [entry.slice(archive.prefix.length)], limits)
    if (file) return file
  }
  return undefined
}
