import { closeSync, existsSync, lstatSync, openSync, readdirSync, readSync } from 'node:fs'
import { join } from 'node:path'
import { parseLogLine } from './log-line.ts'

/** A file of the log folder. `store.1.log` is what `store.log` was before it was rotated. */
export type LogFile = {
  name: string
  /** The process that wrote it. */
  process: string
  bytes: number
  /** Epoch ms of its first line, null where that cannot be read; and of its last change. */
  firstAt: number | null
  changedAt: number
  isRotated: boolean
}

const NAME = /^([\w-]+)(?:\.(\d+))?\.log$/
const HEAD_BYTES = 16_384

/** The log files of the folder, by name. A missing folder holds none; links and other names are left out. */
export function listLogFiles(folder: string): LogFile[] {
  if (!existsSync(folder)) return []
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const [, process, index] = NAME.exec(name) ?? []
      if (process === undefined) return []
      const path = join(folder, name)
      // Rotated or removed at this moment: the next look has it under its new name.
      const found = lstatSync(path, { throwIfNoEntry: false })
      if (!found?.isFile()) return []
      const { size: bytes, mtimeMs } = found
      const isRotated = index !== undefined
      return [{ name, process, bytes, firstAt: timeOfFirstLine(path), changedAt: Math.round(mtimeMs), isRotated }]
    })
}

function timeOfFirstLine(path: string): number | null {
  let fd: number
  try {
    fd = openSync(path, 'r')
  } catch {
    return null // removed at this moment
  }
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const text = head.subarray(0, readSync(fd, head, 0, HEAD_BYTES, 0)).toString()
    for (const line of text.split('\n')) {
      const parsed = parseLogLine(line)
      if (parsed) return parsed.time
    }
    return null
  } finally {
    closeSync(fd)
  }
}
