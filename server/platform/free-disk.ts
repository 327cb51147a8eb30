import { statfs } from 'node:fs/promises'

/** What must stay free of a disk: a tenth of it, at most 5 GiB. */
const FREE_SHARE = 0.1
const FREE_BYTES = 5 * 1024 ** 3

/** Whether so many bytes more leave the disk of this folder with what the rest of the product needs. */
export async function hasFreeDisk(folder: string, bytes: number): Promise<boolean> {
  const { bavail, blocks, bsize } = await statfs(folder)
  return bavail * bsize - bytes >= Math.min(blocks * bsize * FREE_SHARE, FREE_BYTES)
}
