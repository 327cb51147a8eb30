import { createHash } from 'node:crypto'
import type { ZipArchive } from '../zip/zip-facts.ts'
import type { ContentDigest } from './block-algorithms.ts'
import { verityTree } from './verity-tree.ts'

const CHUNK = 1024 * 1024

/** Bytes that may come in pieces. */
export type Pieces = readonly Uint8Array[]

/**
 * What v2 and later protect: all but the signing block, in three parts, each divided into chunks of its own: entries, directory, end
 * record. The end record counts as if there were no signing block.
 */
export class ProtectedContent {
  private readonly parts: readonly Pieces[]
  private readonly known = new Map<ContentDigest, Buffer>()

  constructor(parts: readonly Pieces[]) {
    this.parts = parts
  }

  /** Computed once for all signers and schemes. */
  digest(kind: ContentDigest): Buffer {
    let digest = this.known.get(kind)
    if (!digest) {
      digest = kind === 'verity-sha256' ? this.verity() : this.chunked(kind === 'chunked-sha256' ? 'sha256' : 'sha512')
      this.known.set(kind, digest)
    }
    return digest
  }

  private chunked(hash: 'sha256' | 'sha512'): Buffer {
    const top = createHash(hash)
    const count = this.parts.reduce((sum, part) => sum + Math.ceil(sizeOf(part) / CHUNK), 0)
    top.update(prefix(0x5a, count))
    for (const part of this.parts) chunkDigests(part, hash, (digest) => top.update(digest))
    return top.digest()
  }

  private verity(): Buffer {
    const pieces = this.parts.flat()
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(sizeOf(pieces)))
    return Buffer.concat([verityTree(pieces, Buffer.alloc(8)).root, length])
  }
}

/** Of a package that is signed already. */
export function protectedContent(zip: ZipArchive, blockOffset: number): ProtectedContent {
  const { bytes, directoryOffset, endOffset } = zip
  const end = Buffer.from(bytes.subarray(endOffset))
  end.writeUInt32LE(blockOffset, 16)
  return new ProtectedContent([[bytes.subarray(0, blockOffset)], [bytes.subarray(directoryOffset, endOffset)], [end]])
}

export function sizeOf(pieces: Pieces): number {
  return pieces.reduce((sum, piece) => sum + piece.length, 0)
}

function chunkDigests(pieces: Pieces, hash: 'sha256' | 'sha512', take: (digest: Buffer) => void): void {
  let left = sizeOf(pieces)
  let wanted = 0
  let chunk = createHash(hash)
  for (const piece of pieces)
    for (let at = 0; at < piece.length; ) {
      if (wanted === 0) {
        wanted = Math.min(CHUNK, left)
        chunk = createHash(hash).update(prefix(0xa5, wanted))
      }
      const part = piece.subarray(at, at + wanted)
      chunk.update(part)
      at += part.length
      left -= part.length
      wanted -= part.length
      if (wanted === 0) take(chunk.digest())
    }
}

function prefix(first: number, count: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes[0] = first
  bytes.writeUInt32LE(count, 1)
  return bytes
}
