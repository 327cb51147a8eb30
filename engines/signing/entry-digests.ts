import { hash as hashOf } from 'node:crypto'
import { FormatError } from '../bytes/format-error.ts'
import { entryBytes, entryBytesOnThread } from '../zip/entry-bytes.ts'
import type { ZipArchive, ZipEntry, ZipLimits } from '../zip/zip-facts.ts'

/** Digests of unpacked entries in base64. */
export type EntryDigests = ReadonlyMap<ZipEntry, string>

/** Below this size a job for a thread costs more than the unpacking. */
const SMALL_BYTES = 64 << 10
/** Unpacked bytes that threads hold at a time. */
const HELD_BYTES = 64 << 20

/**
 * The digests of entries by `hash`, as writeJarSignature takes them: large entries are unpacked on the threads of zlib while this thread
 * digests. Entries that cannot be unpacked have no digest here; what reads them next throws.
 */
export async function digestEntries(
  zip: ZipArchive,
  entries: readonly ZipEntry[],
  hash: string,
  limits?: ZipLimits,
): Promise<EntryDigests> {
  const digests = new Map<ZipEntry, string>()
  const keep = (entry: ZipEntry, bytes: Uint8Array) => void digests.set(entry, hashOf(hash, bytes, 'base64'))
  const running = new Set<Promise<void>>()
  let held = 0
  for (const entry of entries) {
    const { size, method, isDirectory } = entry
    if (isDirectory || method !== 8 || size < SMALL_BYTES || size > HELD_BYTES) continue
    while (held + size > HELD_BYTES) await Promise.race(running)
    held += size
    const work = entryBytesOnThread(zip, entry, limits)
      .then((bytes) => keep(entry, bytes), ignoreDamage)
      .finally(() => {
        held -= size
        running.delete(work)
      })
    running.add(work)
  }
  for (const entry of entries)
    if (!entry.isDirectory && entry.size < SMALL_BYTES)
      try {
        keep(entry, entryBytes(zip, entry, limits))
      } catch (error) {
        ignoreDamage(error)
      }
  await Promise.all(running)
  return digests
}

function ignoreDamage(error: unknown): void {
  if (!(error instanceof FormatError)) throw error
}
