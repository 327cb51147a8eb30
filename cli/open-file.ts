import { readFileSync, statSync } from 'node:fs'
import { UsageError } from './usage-error.ts'

/** As much as is read into memory at once; a package is no larger anywhere. */
const MOST_BYTES = 2 ** 31 - 1

/** The bytes of a file. Throws UsageError for what never ends or has more than `most` bytes, and what the system says of others. */
export function readWhole(file: string, most = MOST_BYTES): Buffer {
  const found = statSync(file)
  if (!found.isFile() && !found.isDirectory()) throw new UsageError(`${file} is no regular file`)
  if (found.size > most)
    throw new UsageError(`${file} has more than ${most === MOST_BYTES ? '2 GB' : `${most / 2 ** 20} MB`}`)
  return readFileSync(file)
}
