import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Bytes that a full volume has left. */
const LEFT_BYTES = 64 * 1024

export type DataVolume = {
  folder: string
  /** Takes all room but a few kilobytes away: every process gets the kernel's own ENOSPC, native code too. Undefined where we may not mount. */
  fill?: () => void
  /** Gives the room back. */
  free(): void
  remove(): void
}

/** The data folder on a file system of its own in memory, whose size can be changed while it is used; a plain folder where we may not mount. */
export function dataVolume(): DataVolume {
  const folder = mkdtempSync(join(tmpdir(), 'appwarden-fault-data-'))
  const mount = (options: string) =>
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', folder], { stdio: 'ignore' })
  const isMounted = process.platform === 'linux' && process.getuid?.() === 0 && succeeds(() => mount('size=8g'))
  return {
    folder,
    ...(isMounted && {
      fill() {
        const { blocks, bfree, bsize } = statfsSync(folder)
        mount(`remount,size=${(blocks - bfree) * bsize + LEFT_BYTES}`)
      },
    }),
    free: () => isMounted && mount('remount,size=8g'),
    remove() {
      if (isMounted) execFileSync('umount', ['-l', folder])
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function succeeds(work: () => void): boolean {
  try {
    work()
    return true
  } catch {
    return false
  }
}
