import { existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { copyTree } from '#storage/backup/copy-tree.ts'
import { syncFolder } from './installation.ts'

/**
 * Copies of the bundled PostgreSQL's folder, made while it does not run: unlike a backup they hold every row up to the moment at which the
 * new version began. Sockets and links are not copied.
 */
export async function copyPostgres(postgres: string, point: string): Promise<void> {
  const draft = join(point, 'postgres.part')
  await rm(draft, { recursive: true, force: true })
  await mkdir(point, { recursive: true, mode: 0o700 })
  await copyTree(postgres, draft)
  await rm(join(point, 'postgres'), { recursive: true, force: true })
  await rename(draft, join(point, 'postgres'))
  syncFolder(point)
}

export function hasPostgresCopy(point: string): boolean {
  return existsSync(join(point, 'postgres'))
}

/**
 * Puts the copy in place of the folder, which is kept as `aside`. Each step is a rename or can be repeated, so that a second call
 * continues where the first one ended. The copy stays.
 */
export async function restorePostgres(postgres: string, point: string, aside: string): Promise<void> {
  const draft = `${postgres}.restoring`
  const isAside = () => !existsSync(postgres) || existsSync(aside)
  if (!isAside() || (!existsSync(postgres) && !existsSync(draft))) {
    for (const one of [draft, `${draft}.part`]) await rm(one, { recursive: true, force: true })
    await copyTree(join(point, 'postgres'), `${draft}.part`)
    await rename(`${draft}.part`, draft)
  }
  if (!isAside()) {
    await mkdir(dirname(aside), { recursive: true, mode: 0o700 })
    await rename(postgres, aside)
  }
  if (!existsSync(postgres)) await rename(draft, postgres)
  syncFolder(dirname(postgres))
}

/** Deletes backups, copies and replaced tables of updates that are older than `before`: they may hold what was erased since. */
export async function removeExpiredCopies(updates: string, before: number): Promise<void> {
  for (const kind of ['backups', 'points', 'replaced']) {
    const names: string[] = await readdir(join(updates, kind)).catch(() => []) // no such folder
    for (const name of names) {
      const at = join(updates, kind, name)
      if ((await stat(at)).ctimeMs < before) await rm(at, { recursive: true, force: true })
    }
  }
}
