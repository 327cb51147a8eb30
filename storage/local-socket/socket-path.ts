import { createHash } from 'node:crypto'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

/** Unix socket addresses hold 107 bytes on Linux and 103 elsewhere. */
const MAX_ADDRESS_BYTES = 100

/** The path to listen at and connect to: the given one, or where that is too long a short one that both sides derive alike. */
export function socketPath(path: string): string {
  const full = resolve(path)
  if (Buffer.byteLength(full) <= MAX_ADDRESS_BYTES) return full
  return join(tmpdir(), `appwarden-${createHash('sha256').update(full).digest('hex').slice(0, 24)}.sock`)
}
