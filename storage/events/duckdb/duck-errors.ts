/** Kinds of DuckDB errors by their messages: DuckDB gives no codes. */

/** DuckDB no longer accepts statements: only a new process with the file opened again helps. */
export function isFatal(error: unknown): boolean {
  return /^(FATAL|INTERNAL) Error/.test(messageOf(error))
}

/** A block or header of the file fails its checksum or cannot be parsed. */
export function isCorruption(error: unknown): boolean {
  // The kind is checked too: errors of other kinds may quote stored data.
  return /^(Serialization Error|IO Error: .*(corrupt|checksum|not a valid DuckDB|does not match))/is.test(
    messageOf(error),
  )
}

/** Another process has the file open. */
export function isLocked(error: unknown): boolean {
  return /could not set lock|conflicting lock/i.test(messageOf(error))
}

/** The system refuses for now: no space, no rights, no file handles, no memory. The file itself may be sound. */
export function isRefusedBySystem(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  if (typeof code === 'string' && /^E[A-Z]+$/.test(code)) return true
  return /no space left|disk quota|not enough (free )?(disk )?space|permission denied|read-only file system|too many open files|input\/output error|out of memory|cannot allocate/i.test(
    messageOf(error),
  )
}

/** CHECKPOINT is refused while other transactions run; the next one moves the log. */
export function isCheckpointPostponed(error: unknown): boolean {
  return /other (write )?transactions/i.test(messageOf(error))
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
