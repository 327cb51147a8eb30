import { opendir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** Files that are looked at: beyond it the size is not known. */
const MOST_FILES = 200_000

/** Bytes of all files below the folder; 0 where there is no folder, null where it holds too many files or may not be read. */
export async function folderSize(folder: string, mostFiles = MOST_FILES): Promise<number | null> {
  let files = 0
  const sizeOf = async (path: string): Promise<number> => {
    let bytes = 0
    for await (const entry of await opendir(path)) {
      if (++files > mostFiles) throw new Error('too many files')
      const inside = join(path, entry.name)
      // A file that was removed meanwhile holds nothing.
      if (entry.isDirectory()) bytes += await sizeOf(inside)
      else if (entry.isFile())
        bytes += await stat(inside).then(
          ({ size }) => size,
          () => 0,
        )
    }
    return bytes
  }
  try {
    return await sizeOf(folder)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? 0 : null
  }
}
