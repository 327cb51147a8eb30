import { link, mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { copyDurably, listFiles } from './copy-tree.ts'

export type JournalCopy = {
  /** Copies every segment, those included that were removed since. Call it after the event store was copied. */
  finish(to: string): Promise<void>
  close(): Promise<void>
}

/**
 * Holds the segments of a journal that is being written: what is stored later than the copy of the event store may be released and removed
 * while the copy runs, so each segment gets a second name now. `scratch` is a new folder on the same file system.
 */
export async function holdJournal(folder: string, scratch: string): Promise<JournalCopy> {
  await mkdir(scratch, { recursive: true, mode: 0o700 })
  const hold = async () => {
    for (const { path } of await listFiles(folder))
      await link(join(folder, path), join(scratch, path)).catch((error: NodeJS.ErrnoException) => {
        if (error.code !== 'EEXIST' && error.code !== 'ENOENT') throw error
      })
  }
  await hold()
  return {
    async finish(to) {
      await hold()
      await mkdir(to, { recursive: true, mode: 0o700 })
      for (const { path } of await listFiles(scratch)) await copyDurably(join(scratch, path), join(to, path))
    },
    close: () => rm(scratch, { recursive: true, force: true }),
  }
}
