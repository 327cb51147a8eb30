import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, mkdirSync, openSync, readFileSync, rmSync, symlinkSync, writeSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { UPDATE_PACKAGE_BYTES, type UpdateProblem } from '#contracts/http/updates.ts'
import { FormatError } from '#engines/bytes/format-error.ts'
import { keyFingerprint } from '#engines/licence/licence-code.ts'
import { compareVersions, type DataFormats, type UpdateManifest } from '#engines/update/update-manifest.ts'
import { readUpdate, type UpdatePackage } from '#engines/update/update-package.ts'
import { syncFolder } from './installation.ts'
import type { PackageFacts } from './update-tasks.ts'

const hashes = {
  sm3: (bytes: Uint8Array) => createHash('sm3').update(bytes).digest(),
  sha256: (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex'),
}

/** What the running version is, for the comparison with a package. */
export type Running = {
  version: string
  platform: string
  formats: DataFormats
  /** PostgreSQL is not ours: it cannot be copied. */
  externalDatabase: boolean
}

/** What a package would bring and why it cannot be installed, if so. Changes nothing. */
export function checkPackage(bytes: Uint8Array, keys: readonly string[], running: Running): PackageFacts {
  const nothing = { facts: null, signer: null, migrations: [] }
  if (keys.length === 0) return { ...nothing, problem: { key: 'no_keys', detail: '' } }
  let update: UpdatePackage
  try {
    update = openPackage(bytes, keys)
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return { ...nothing, problem: { key: problemKey(error), detail: error.message.slice(0, 400) } }
  }
  const { manifest } = update
  const known = new Set(running.formats.migrations.map(({ name }) => name))
  const migrations = manifest.formats.migrations.filter(({ name }) => !known.has(name))
  return {
    problem: problemOf(manifest, migrations, running),
    facts: {
      version: manifest.version,
      files: manifest.files.length,
      bytes: sizeOf(manifest),
      migrations: manifest.formats.migrations.length,
      events_format: manifest.formats.events,
      postgres: manifest.formats.postgres,
    },
    signer: keyFingerprint(hashes, update.signer),
    migrations,
  }
}

/**
 * Replaces the folder by the files of the package, flushed to disk. Throws FormatError if a file is not the one that was signed.
 * Returns the manifest.
 */
export function unpackPackage(bytes: Uint8Array, keys: readonly string[], folder: string): UpdateManifest {
  const update = openPackage(bytes, keys)
  rmSync(folder, { recursive: true, force: true })
  const folders = new Set([folder])
  for (const { path } of update.manifest.files)
    for (let at = dirname(join(folder, path)); !folders.has(at); at = dirname(at)) folders.add(at)
  for (const at of [...folders].sort()) mkdirSync(at, { recursive: true, mode: 0o755 })
  for (const { path, link, ...file } of update.manifest.files)
    if (link !== undefined) symlinkSync(link, join(folder, path))
    else writeFile(join(folder, path), update.read(path), (file as { mode: string }).mode)
  for (const at of folders) syncFolder(at)
  return update.manifest
}

export function readPackageFile(path: string): Uint8Array {
  const bytes = readFileSync(path)
  if (bytes.length > UPDATE_PACKAGE_BYTES) throw new FormatError('update', 'limit', -1, `${bytes.length} bytes`)
  return bytes
}

/** Unpacked size of a release in bytes. */
export function sizeOf(manifest: UpdateManifest): number {
  return manifest.files.reduce((sum, file) => sum + (file.link === undefined ? file.size : 0), 0)
}

function openPackage(bytes: Uint8Array, keys: readonly string[]): UpdatePackage {
  return readUpdate(
    bytes,
    keys.map((key) => Buffer.from(key, 'hex')),
    hashes,
  )
}

function problemOf(
  manifest: UpdateManifest,
  migrations: DataFormats['migrations'],
  running: Running,
): PackageFacts['problem'] {
  const problem = (key: UpdateProblem, detail: string) => ({ key, detail })
  if (manifest.platform !== running.platform) return problem('platform', manifest.platform)
  const newer = compareVersions(manifest.version, running.version)
  if (newer === 0) return problem('same', manifest.version)
  if (newer < 0) return problem('older', manifest.version)
  const { formats } = running
  for (const name of ['postgres', 'events', 'journal'] as const)
    if (manifest.formats[name] !== formats[name])
      return problem('format', `${name} ${formats[name]} -> ${manifest.formats[name]}`)
  const kept = new Set(manifest.formats.migrations.map(({ name }) => name))
  const lost = formats.migrations.find(({ name }) => !kept.has(name))
  if (lost) return problem('format', lost.name)
  const stuck = running.externalDatabase ? migrations.find(({ down }) => !down) : undefined
  return stuck ? problem('irreversible', stuck.name) : null
}

function problemKey({ format, key }: FormatError): UpdateProblem {
  if (format !== 'update') return 'damaged'
  return key === 'unsigned' || key === 'signature' ? key : 'damaged'
}

function writeFile(path: string, bytes: Uint8Array, mode: string): void {
  const handle = openSync(path, 'wx', Number.parseInt(mode, 8))
  try {
    for (let at = 0; at < bytes.length; ) at += writeSync(handle, bytes, at)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
