import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import type { FileStore } from '#storage/files/port.ts'
import { HEAD_BYTES } from './attachment-kind.ts'

/**
 * Random bytes before the content: a file of the store is named after its bytes, and so none of a request is also the package of an asset or
 * the result of a job, whose rows this slice does not know. Deleting one never takes another's away.
 */
const PREFIX_BYTES = 32

/** The first bytes of an uploaded file. */
export async function readHead(path: string): Promise<Uint8Array> {
  const handle = await open(path)
  try {
    const head = Buffer.alloc(HEAD_BYTES)
    const { bytesRead } = await handle.read(head, 0, HEAD_BYTES, 0)
    return head.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Keeps an uploaded file; `digest` is the SHA-256 of its own bytes. */
export async function storeAttachment(files: FileStore, path: string): Promise<{ sha256: string; digest: string }> {
  const hash = createHash('sha256')
  const { sha256 } = await files.put(
    (async function* () {
      yield randomBytes(PREFIX_BYTES)
      for await (const part of createReadStream(path)) {
        hash.update(part as Buffer)
        yield part as Buffer
      }
    })(),
  )
  return { sha256, digest: hash.digest('hex') }
}

/** The bytes that were uploaded. Throws ENOENT when the file is gone. */
export async function openAttachment(files: FileStore, sha256: string): Promise<{ size: number; stream(): Readable }> {
  const file = await files.open(sha256)
  return {
    size: file.size - PREFIX_BYTES,
    stream: () => file.stream({ start: PREFIX_BYTES, end: file.size }),
  }
}
