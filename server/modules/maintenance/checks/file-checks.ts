import { createHash } from 'node:crypto'
import { createReadStream, existsSync } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { copyDurably } from '#storage/backup/copy-tree.ts'
import { fileReferences } from '../../../platform/file-references.ts'
import type { Check, CheckDeps, Found } from './check.ts'
import { possibleReferences } from './possible-references.ts'

/** A file is written before its record: younger ones may be named in a moment. Temporary ones may be in use for a day. */
const SETTLED_MS = 3_600_000
const TEMPORARY_MS = 86_400_000
/** What repair moved out stays so long. */
const REMOVED_MS = 7 * 86_400_000
const REMOVED = 'removed'

const pathOf = (folder: string, sha256: string) => join(folder, sha256.slice(0, 2), sha256)

async function storedFiles(folder: string): Promise<{ sha256: string; size: number; at: number }[]> {
  const files: { sha256: string; size: number; at: number }[] = []
  for (const part of await readdir(folder)) {
    if (!/^[0-9a-f]{2}$/.test(part)) continue
    for (const sha256 of await readdir(join(folder, part))) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) continue
      const found = await stat(join(folder, part, sha256)).catch(() => undefined) // deleted at this moment
      if (found) files.push({ sha256, size: found.size, at: found.mtimeMs })
    }
  }
  return files
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

/** The newest backup that has the file with the right contents. */
async function backupWith({ backups }: CheckDeps, sha256: string): Promise<string | undefined> {
  for (const folder of await backups()) {
    const path = pathOf(join(folder, 'files'), sha256)
    if (existsSync(path) && (await hashOf(path)) === sha256) return folder
  }
  return undefined
}

/** Takes the file from a backup. Answers false where none has it. */
async function takeFromBackup(deps: CheckDeps, sha256: string): Promise<boolean> {
  const backup = await backupWith(deps, sha256)
  if (!backup) return false
  const { files } = deps.config.paths
  const draft = join(files, 'unfinished', `restored-${sha256}`)
  await copyDurably(pathOf(join(backup, 'files'), sha256), draft)
  const path = pathOf(files, sha256)
  await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
  await rename(draft, path)
  return true
}

async function moveOut(folder: string, sha256: string, now: number): Promise<void> {
  const removed = join(folder, REMOVED)
  await mkdir(removed, { recursive: true, mode: 0o700 })
  await rename(pathOf(folder, sha256), join(removed, sha256))
  await removeMovedOut(folder, now)
}

/** Deletes what was moved out a week ago or earlier. */
async function removeMovedOut(folder: string, now: number): Promise<void> {
  const removed = join(folder, REMOVED)
  for (const name of await readdir(removed)) {
    const { ctimeMs } = await stat(join(removed, name))
    if (now - ctimeMs >= REMOVED_MS) await rm(join(removed, name), { force: true })
  }
}

const missing: Check = {
  id: 'files.missing',
  async find(deps, signal) {
    const named = (await fileReferences(deps.meta)).filter(({ kind }) => kind === 'kept')
    const found: Found[] = []
    for (const { sha256, record } of named) {
      signal.throwIfAborted()
      if (await deps.files.has(sha256)) continue
      const backup = await backupWith(deps, sha256)
      found.push(
        backup
          ? {
              name: sha256,
              text: 'file_missing_backup',
              params: { record, backup: basename(backup) },
              repairable: true,
            }
          : { name: sha256, text: 'file_missing', params: { record }, repairable: false },
      )
    }
    return { checked: named.length, found }
  },
  async repair(deps, { name }) {
    if (!(await takeFromBackup(deps, name))) throw new Error('no backup has it any more')
  },
}

const changed: Check = {
  id: 'files.changed',
  async find(deps, signal) {
    const folder = deps.config.paths.files
    const files = await storedFiles(folder)
    const found: Found[] = []
    for (const { sha256 } of files) {
      signal.throwIfAborted()
      const hash = await hashOf(pathOf(folder, sha256)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return sha256 // deleted at this moment
        throw error
      })
      if (hash === sha256) continue
      const backup = await backupWith(deps, sha256)
      found.push({
        name: sha256,
        text: backup ? 'file_changed_backup' : 'file_changed',
        params: backup ? { backup: basename(backup) } : {},
        repairable: true,
      })
    }
    return { checked: files.length, found }
  },
  async repair(deps, { name }) {
    if (!(await takeFromBackup(deps, name))) await moveOut(deps.config.paths.files, name, deps.now())
  },
}

const results: Check = {
  id: 'files.results',
  async find({ meta, files }) {
    const named = (await fileReferences(meta)).filter(({ kind }) => kind === 'result')
    const found: Found[] = []
    for (const { sha256, record, job } of named)
      if (!(await files.has(sha256)))
        found.push({ name: job ?? sha256, text: 'result_missing', params: { record }, repairable: true })
    return { checked: named.length, found }
  },
  async repair({ meta }, { name }) {
    await meta.db.updateTable('jobs').set({ file: null }).where('id', '=', name).execute()
  },
}

const orphans: Check = {
  id: 'files.orphans',
  async find({ config, meta, now }) {
    const files = await storedFiles(config.paths.files)
    const old = files.filter(({ at }) => at < now() - SETTLED_MS)
    const named = new Set((await fileReferences(meta)).map(({ sha256 }) => sha256))
    const unnamed = old.filter(({ sha256 }) => !named.has(sha256))
    const possible = unnamed.length > 0 ? await possibleReferences(meta) : new Set()
    const found = unnamed
      .filter(({ sha256 }) => !possible.has(sha256))
      .map(
        ({ sha256, size }): Found => ({
          name: sha256,
          text: 'orphan',
          params: { size: sizeText(size) },
          repairable: true,
        }),
      )
    return { checked: files.length, found }
  },
  async repair({ config, meta, now }, { name }) {
    // Named since it was found: a second upload of the same contents.
    if ((await fileReferences(meta)).some(({ sha256 }) => sha256 === name)) return
    await moveOut(config.paths.files, name, now())
  },
}

const temporary: Check = {
  id: 'files.temporary',
  async find({ config, now }) {
    const found: Found[] = []
    let checked = 0
    for (const folder of temporaryFolders(config.paths))
      for (const name of existsSync(folder) ? await readdir(folder) : []) {
        checked++
        const file = await stat(join(folder, name)).catch(() => undefined) // finished at this moment
        if (file?.isFile() && file.mtimeMs < now() - TEMPORARY_MS)
          found.push({
            name: `${basename(folder)}/${name}`,
            text: 'temporary',
            params: { size: sizeText(file.size) },
            repairable: true,
          })
      }
    return { checked, found }
  },
  async repair({ config }, { name }) {
    const [part, file] = [name.slice(0, name.indexOf('/')), name.slice(name.indexOf('/') + 1)]
    const folder = temporaryFolders(config.paths).find((one) => basename(one) === part)
    if (!folder || basename(file) !== file) throw new Error(`${name} is no temporary file`)
    await rm(join(folder, file), { force: true })
  },
}

function temporaryFolders({ files, uploads }: CheckDeps['config']['paths']): string[] {
  return [join(files, 'unfinished'), uploads]
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(1)} MB`
}

export const FILE_CHECKS: readonly Check[] = [missing, changed, results, orphans, temporary]
