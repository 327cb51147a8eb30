import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { access, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import type { FileStore } from './port.ts'

const ABANDONED_MS = 86_400_000

/**
 * Files below `folder`, in subfolders by the first two digits of their name. A file is written under a temporary name, synced and renamed,
 * so a name never refers to partial content. Several processes may write; temporary files left by a crash are removed at a start at least
 * a day later.
 */
export async function openLocalFiles(folder: string): Promise<FileStore> {
  const unfinished = join(folder, 'unfinished')
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  await removeOlder(unfinished, Date.now() - ABANDONED_MS)

  const pathOf = (sha256: string): string => {
    if (!/^[0-9a-f]{64}$/.test(sha256)) throw Object.assign(new Error(`no file ${sha256}`), { code: 'ENOENT' })
    return join(folder, sha256.slice(0, 2), sha256)
  }

  return {
    async put(source) {
      const temporary = join(unfinished, randomUUID())
      const handle = await open(temporary, 'wx', 0o600)
      const hash = createHash('sha256')
      let size = 0
      try {
        for await (const part of source) {
          const bytes = typeof part === 'string' ? Buffer.from(part) : (part as Uint8Array)
          hash.update(bytes)
          await writeAll(handle, bytes)
          size += bytes.length
        }
        await handle.sync()
        await handle.close()
        const sha256 = hash.digest('hex')
        const path = pathOf(sha256)
        await mkdir(join(path, '..'), { recursive: true, mode: 0o700 })
        await rename(temporary, path)
        await syncFolder(join(path, '..'))
        await syncFolder(folder)
        return { sha256, size }
      } catch (error) {
        await handle.close().catch(() => {}) // the error that is thrown came first
        await rm(temporary, { force: true })
        throw error
      }
    },
    async open(sha256) {
      const path = pathOf(sha256)
      const { size } = await stat(path)
      return {
        size,
        // `end` is exclusive here, that of Node's streams is not.
        stream(range) {
          if (!range) return createReadStream(path)
          const { start, end } = range
          return end > start ? createReadStream(path, { start, end: end - 1 }) : Readable.from([])
        },
      }
    },
    async has(sha256) {
      try {
        await access(pathOf(sha256))
        return true
      } catch {
        return false // gone, or not readable: the same to who asks
      }
    },
    async remove(sha256) {
      const path = pathOf(sha256)
      await rm(path, { force: true })
      const rest = await readdir(join(path, '..')).catch(() => []) // no folder: nothing to sync
      if (rest.length > 0) await syncFolder(join(path, '..'))
    },
  }
}

async function writeAll(handle: Awaited<ReturnType<typeof open>>, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function removeOlder(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name)
    // Removed by another process meanwhile: once more does no harm.
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: before }))
    if (mtimeMs < before) await rm(path, { force: true })
  }
}
