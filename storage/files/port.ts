import type { Readable } from 'node:stream'

/** Content-addressed files: the name of a file is the SHA-256 of its bytes, so equal files exist once and never change. */
export interface FileStore {
  /** Streams the bytes to disk, answers their name and size once they are durable. */
  put(source: Readable | AsyncIterable<Uint8Array>): Promise<{ sha256: string; size: number }>
  /** Throws ENOENT when no such file exists. */
  open(sha256: string): Promise<{ size: number; stream(range?: { start: number; end: number }): Readable }>
  has(sha256: string): Promise<boolean>
  remove(sha256: string): Promise<void>
}
