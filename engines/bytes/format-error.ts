/**
 * What every reader of engines/ throws on input that it cannot take: a stable key, the format, and the offset in the bytes it was
 * given. Readers throw nothing else, whatever the input is; a limit that the caller set is reported the same way (`limit`).
 */
export class FormatError extends Error {
  readonly format: string
  readonly key: string
  /** Byte offset where it was seen, -1 where none applies. */
  readonly offset: number
  constructor(format: string, key: string, offset: number, message: string) {
    super(`${format}: ${message}${offset >= 0 ? ` at 0x${offset.toString(16)}` : ''}`)
    this.name = 'FormatError'
    this.format = format
    this.key = key
    this.offset = offset
  }
}
