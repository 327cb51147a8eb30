import { closeSync, existsSync, fsyncSync, openSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'
import { VERSION } from '#engines/update/update-manifest.ts'

/**
 * The folders of a packaged product (docs/operations/upgrade.md): releases side by side, and a link that names the one in use. The
 * link is only ever exchanged by a rename, so it names a whole release at every moment.
 */

/** Where the release of a version lies. */
export function releaseFolder(home: string, version: string): string {
  if (!VERSION.test(version)) throw new Error(`${JSON.stringify(version)} is no version`)
  return join(home, 'releases', version)
}

/** Where a release is unpacked before it is complete. */
export function draftFolder(home: string, version: string): string {
  return join(home, 'releases', `.${basename(releaseFolder(home, version))}.part`)
}

/** The version that the launcher starts; undefined where `home` is no installation. */
export function currentVersion(home: string): string | undefined {
  try {
    return basename(readlinkSync(join(home, 'current')))
  } catch {
    return undefined // no installation: the caller says so
  }
}

export function hasRelease(home: string, version: string): boolean {
  return existsSync(join(releaseFolder(home, version), 'bin/node'))
}

/** From the next start on this version runs. Either the old or the new one, whatever ends this process. */
export function switchTo(home: string, version: string): void {
  if (!hasRelease(home, version)) throw new Error(`There is no release ${version}`)
  const draft = join(home, '.current')
  rmSync(draft, { force: true })
  symlinkSync(join('releases', version), draft)
  renameSync(draft, join(home, 'current'))
  syncFolder(home)
}

/** Makes the names in a folder durable. */
export function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r')
  try {
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
