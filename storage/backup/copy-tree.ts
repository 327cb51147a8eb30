import { constants } from 'node:fs'
import { copyFile, lstat, mkdir, open, readdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** Regular files below the folder, with paths relative to it, sorted. A missing folder holds none. */
export async function listFiles(folder: string): Promise<{ path: string; size: number }[]> {
  const files: { path: string; size: number }[] = []
  await walk(folder, '', async (path, size) => void files.push({ path, size }))
  return files.sort((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0))
}

/**
 * Copies the files and folders below `from` to `to` (0700 and 0600) and flushes each to disk. `skip` gets paths relative to `from`: a
 * skipped folder is left out with all that it holds. Files that disappear meanwhile are left out; links and sockets are never copied.
 */
export async function copyTree(from: string, to: string, skip: (path: string) => boolean = () => false): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 })
  await walk(
    from,
    '',
    async (path) => {
      if (!skip(path)) await copyDurably(join(from, path), join(to, path))
    },
    async (path) => {
      if (skip(path)) return false
      await mkdir(join(to, path), { recursive: true, mode: 0o700 })
      return true
    },
  )
}

/** Copies one file (0600) and flushes it to disk; answers false where it does not exist. Shares blocks where the file system can. */
export async function copyDurably(from: string, to: string): Promise<boolean> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
    throw error
  }
  const handle = await open(to, 'r+')
  try {
    await handle.chmod(0o600)
    await handle.sync()
  } finally {
    await handle.close()
  }
  return true
}

async function walk(
  root: string,
  inside: string,
  onFile: (path: string, size: number) => Promise<void>,
  enter: (path: string) => Promise<boolean> = async () => true,
): Promise<void> {
  const entries = await readdir(join(root, inside), { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return []
    throw error
  })
  for (const entry of entries) {
    const path = join(inside, entry.name)
    if (entry.isDirectory()) {
      if (await enter(path)) await walk(root, path, onFile, enter)
    } else if (entry.isFile()) {
      const found = await lstat(join(root, path)).catch(() => undefined) // removed meanwhile
      if (found) await onFile(path, found.size)
    }
  }
}
