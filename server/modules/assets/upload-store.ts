import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rm, stat, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ProductError } from '#contracts/errors.ts'
import { UPLOAD_HOURS } from '#contracts/http/assets.ts'
import { hasFreeDisk } from '../../platform/free-disk.ts'

/** An upload that is not complete, or complete and not taken yet. */
export type Upload = {
  id: string
  userId: number
  name: string
  length: number
  offset: number
  path: string
  expiresAt: number
}
type Note = { userId: number; name: string; length: number }

/** Unfinished uploads of one account. */
const PER_USER = 20

/**
 * Resumable uploads as files of the data folder: `<id>` holds the bytes that came, its length is the offset, `<id>.json` says whose it
 * is. So they outlive a restart and need no table; an upload without new bytes for a day is deleted.
 */
export function uploadStore(folder: string, now: () => number) {
  const path = (id: string) => join(folder, id)
  const busy = new Set<string>()

  async function find(id: string, userId: number): Promise<Upload> {
    const found = /^[0-9a-f]{32}$/.test(id) ? await read(id) : undefined
    if (!found || found.userId !== userId) throw new ProductError('data.missing')
    return found
  }

  async function read(id: string): Promise<Upload | undefined> {
    try {
      const note = JSON.parse(await readFile(`${path(id)}.json`, 'utf8')) as Note
      const { size, mtimeMs } = await stat(path(id))
      return { ...note, id, offset: size, path: path(id), expiresAt: mtimeMs + UPLOAD_HOURS * 3_600_000 }
    } catch {
      return undefined // no such upload, or half of it was removed
    }
  }

  async function all(): Promise<Upload[]> {
    const names = await readdir(folder).catch(() => []) // made with the first upload
    const found = await Promise.all(
      names.filter((name) => name.endsWith('.json')).map((name) => read(name.slice(0, -5))),
    )
    return found.filter((one) => one !== undefined)
  }

  /** Throws asset.disk where so much more would fill the disk. */
  async function checkDisk(bytes: number): Promise<void> {
    await mkdir(folder, { recursive: true, mode: 0o700 })
    if (!(await hasFreeDisk(folder, bytes))) throw new ProductError('asset.disk')
  }

  return {
    find,
    checkDisk,
    async create(note: Note): Promise<Upload> {
      const uploads = await all()
      for (const old of uploads) if (old.expiresAt <= now()) await remove(old.id)
      if (uploads.filter((one) => one.userId === note.userId && one.expiresAt > now()).length >= PER_USER)
        throw new ProductError('quota.reached', { detail: String(PER_USER) })
      // Once more when it is taken into the file store.
      await checkDisk(2 * note.length)
      const id = randomBytes(16).toString('hex')
      await writeFile(path(id), '', { flag: 'wx', mode: 0o600 })
      await writeFile(`${path(id)}.json`, JSON.stringify(note), { flag: 'wx', mode: 0o600 })
      return (await read(id)) as Upload
    },
    /**
     * Appends bytes at the current offset of the upload. Throws asset.offset where the offset differs or another append runs, data.missing
     * where the upload was removed before all bytes were in it.
     */
    async append(upload: Upload, offset: number, bytes: Uint8Array): Promise<Upload> {
      if (busy.has(upload.id)) throw new ProductError('asset.offset')
      busy.add(upload.id)
      try {
        const current = await existing(upload.id)
        if (current.offset !== offset || offset + bytes.length > current.length) throw new ProductError('asset.offset')
        await checkDisk(bytes.length)
        const handle = await open(upload.path, 'r+').catch(ofRemoved)
        try {
          for (let at = 0; at < bytes.length; )
            at += (await handle.write(bytes, at, bytes.length - at, offset + at)).bytesWritten
        } finally {
          await handle.close()
        }
        await existing(upload.id)
        return { ...current, offset: offset + bytes.length, expiresAt: now() + UPLOAD_HOURS * 3_600_000 }
      } finally {
        busy.delete(upload.id)
      }
    },
    existing,
    /** Removes the upload; data.missing where another call did. An append that runs finds that when it ends. */
    async drop(id: string): Promise<void> {
      await unlink(path(id)).catch(ofRemoved)
      await remove(id)
    },
    remove,
  }

  /** The upload as it is now; data.missing where it was removed meanwhile. */
  async function existing(id: string): Promise<Upload> {
    const found = await read(id)
    if (!found) throw new ProductError('data.missing')
    return found
  }

  async function remove(id: string): Promise<void> {
    await rm(path(id), { force: true })
    await rm(`${path(id)}.json`, { force: true })
  }
}

function ofRemoved(error: NodeJS.ErrnoException): never {
  throw error.code === 'ENOENT' ? new ProductError('data.missing') : error
}
