import { FormatError } from '../bytes/format-error.ts'

/** What `read` gives, or that the bytes make no sense. */
export function readable<T>(read: () => T): T | 'unreadable' {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof FormatError)) throw error
    return 'unreadable'
  }
}
