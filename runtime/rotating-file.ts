import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'

export type RotatingFileOptions = {
  /** The file that is appended to; ends in `.log`. Older ones are `name.1.log` (newest) to `name.N.log`. */
  path: string
  /** A file is rotated before it would exceed this size. */
  maxBytes: number
  /** Rotated files that are kept besides the current one. */
  keep: number
  /** A file is rotated once its first line is this old, and a rotated file older than this times `keep` is removed. */
  maxAgeMs: number
  /** Epoch ms. */
  now(): number
  /** The line that reports how many lines could not be written, and why. */
  lostLine(count: number, reason: string): string
}

export type RotatingFile = {
  /** Appends one line with its line break. Never throws: what the disk refuses is counted and reported once it takes lines again. */
  write(line: string): void
  /** Lines that could not be written since the last successful write. */
  lost(): number
  close(): void
}

const RETRY_MS = 1000
const CHECK_AGE_MS = 60 * 60_000

/**
 * A log file (0600) bounded in size, number and age. Writes are synchronous, so that the last line before a crash is on disk; a full,
 * read-only or vanished disk costs lines and nothing else.
 */
export function openRotatingFile(options: RotatingFileOptions): RotatingFile {
  const { path, maxBytes, keep, maxAgeMs, now } = options
  let file: { fd: number; size: number; since: number } | undefined
  let lost = 0
  let reason = ''
  let retryAt = 0
  /** The last write stopped in the middle of a line. */
  let torn = false

  const nameOf = (index: number) => (index === 0 ? path : path.replace(/\.log$/, `.${index}.log`))

  function open(): NonNullable<typeof file> {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
    const fd = openSync(path, 'a', 0o600)
    const { size, birthtimeMs, mtimeMs } = fstatSync(fd)
    file = { fd, size, since: size > 0 ? Math.min(birthtimeMs || mtimeMs, mtimeMs) : now() }
    return file
  }
  function rotate(current: NonNullable<typeof file>): void {
    file = undefined
    try {
      rmSync(nameOf(keep), { force: true })
      for (let index = keep - 1; index >= 0; index--)
        try {
          renameSync(nameOf(index), nameOf(index + 1))
        } catch (error) {
          // A file of the chain may be missing; where the current one cannot be moved, the bound on its size comes first.
          if (index === 0 && (error as NodeJS.ErrnoException).code !== 'ENOENT') ftruncateSync(current.fd, 0)
        }
    } finally {
      closeSync(current.fd)
    }
  }
  function append(text: string): void {
    let current = file ?? open()
    const bytes = Buffer.from(torn ? `\n${text}` : text)
    const isOld = current.size > 0 && now() - current.since >= maxAgeMs
    if (isOld || (current.size > 0 && current.size + bytes.length > maxBytes)) {
      rotate(current)
      current = open()
    }
    if (current.size === 0) current.since = now()
    const written = writeSync(current.fd, bytes)
    current.size += written
    torn = written < bytes.length
    if (torn) throw Object.assign(new Error('short write'), { code: 'ENOSPC' })
  }
  function write(line: string): void {
    const wait = retryAt - now()
    // Longer than RETRY_MS: the clock was set back.
    if (lost > 0 && wait > 0 && wait <= RETRY_MS) {
      lost++
      return
    }
    try {
      if (lost > 0) {
        append(options.lostLine(lost, reason))
        lost = 0
      }
      append(line)
    } catch (error) {
      lost++
      reason = (error as NodeJS.ErrnoException).code ?? (error as Error).message
      retryAt = now() + RETRY_MS
      closeQuietly()
    }
  }
  function closeQuietly(): void {
    const fd = file?.fd
    file = undefined
    try {
      if (fd !== undefined) closeSync(fd)
    } catch {
      // Closed or lost with its disk.
    }
  }
  /** Without new lines nothing else would end the life of old ones. */
  function removeOld(): void {
    try {
      if (file && file.size > 0 && now() - file.since >= maxAgeMs) rotate(file)
      for (let index = 1; index <= keep; index++) {
        const name = nameOf(index)
        const { mtimeMs } = statSync(name, { throwIfNoEntry: false }) ?? { mtimeMs: Number.POSITIVE_INFINITY }
        if (now() - mtimeMs >= maxAgeMs * keep) rmSync(name, { force: true })
      }
    } catch {
      // The next round tries again.
    }
  }
  removeOld()
  const timer = setInterval(removeOld, CHECK_AGE_MS)
  timer.unref()

  return {
    write,
    lost: () => lost,
    close() {
      clearInterval(timer)
      closeQuietly()
    },
  }
}
