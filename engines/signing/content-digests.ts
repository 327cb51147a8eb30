import { createHash } from 'node:crypto'
import type { ZipArchive } from '../zip/zip-facts.ts'
import type { ContentDigest } from './block-algorithms.ts'
import { verityTree } from './verity-tree.ts'

const CHUNK = 1024 * 1024

/** What v2 and later protect: all but the signing block. The end record counts as if there were no signing block. */
export class ProtectedContent {
  private readonly parts: readonly Uint8Array[]
  private readonly known = new Map<ContentDigest, Buffer>()

  constructor(zip: ZipArchive, blockOffset: number) {
    const { bytes, directoryOffset, endOffset } = zip
    const end = Buffer.from(bytes.subarray(endOffset))
    end.writeUInt32LE(blockOffset, 16)
    this.parts = [bytes.subarray(0, blockOffset), bytes.subarray(directoryOffset, endOffset), end]
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
    const count = this.parts.reduce((sum, part) => sum + Math.ceil(part.length / CHUNK), 0)
    top.update(prefix(0x5a, count))
    for (const part of this.parts)
      for (let at = 0; at < part.length; at += CHUNK) {
        const chunk = part.subarray(at, at + CHUNK)
        top.update(createHash(hash).update(prefix(0xa5, chunk.length)).update(chunk).digest())
      }
    return top.digest()
  }

  private verity(): Buffer {
    const size = this.parts.reduce((sum, part) => sum + part.length, 0)
    const length = Buffer.alloc(8)
    length.writeBigUInt64LE(BigInt(size))
    return Buffer.concat([verityTree(this.parts, Buffer.alloc(8)).root, length])
  }
}

function prefix(first: number, count: number): Buffer {
  const bytes = Buffer.alloc(5)
  bytes[0] = first
  bytes.writeUInt32LE(count, 1)
  return bytes
}
