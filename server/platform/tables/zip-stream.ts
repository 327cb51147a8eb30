import { constants, crc32, createDeflateRaw } from 'node:zlib'

/**
 * A ZIP archive that is written as its files come, in flat memory: sizes follow each file (data descriptor), places stand in the central
 * directory at the end, in 64 bits throughout, so that no file and no archive is too long.
 */
export class ZipStream {
  private offset = 0
  private readonly entries: { name: Buffer; crc: number; packed: number; size: number; offset: number }[] = []

  /** One file: its text in pieces. Yields what to write. */
  async *file(path: string, pieces: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
    const name = Buffer.from(path)
    const entry = { name, crc: 0, packed: 0, size: 0, offset: this.offset }
    yield this.written(localHeader(name))
    const deflate = createDeflateRaw({ level: constants.Z_BEST_SPEED })
    const feeding = (async () => {
      for await (const piece of pieces) {
        const bytes = Buffer.from(piece)
        entry.crc = crc32(bytes, entry.crc)
        entry.size += bytes.length
        if (!deflate.write(bytes)) await new Promise<void>((resolve) => deflate.once('drain', resolve))
      }
      deflate.end()
    })()
    // A source that fails ends the archive: the reader below gets its error.
    feeding.catch((error: Error) => deflate.destroy(error))
    for await (const chunk of deflate as AsyncIterable<Buffer>) {
      entry.packed += chunk.length
      yield this.written(chunk)
    }
    await feeding
    yield this.written(descriptor(entry))
    this.entries.push(entry)
  }

  /** The central directory; nothing comes after it. */
  *end(): Generator<Buffer> {
    const start = this.offset
    for (const entry of this.entries) yield this.written(directoryEntry(entry))
    yield this.written(endRecords(this.entries.length, start, this.offset - start))
  }

  private written(bytes: Buffer): Buffer {
    this.offset += bytes.length
    return bytes
  }
}

type Entry = { name: Buffer; crc: number; packed: number; size: number; offset: number }

/** Version that knows 64 bits; sizes behind the data; names in UTF-8. */
const VERSION = 45
const FLAGS = 0x0808
const DEFLATED = 8
/** 1980-01-01: archives of the same content are the same. */
const DATE = 0x0021
const IN_64 = 0xffffffff

function localHeader(name: Buffer): Buffer {
  const head = Buffer.alloc(30 + name.length + 20)
  head.writeUInt32LE(0x04034b50, 0)
  head.writeUInt16LE(VERSION, 4)
  head.writeUInt16LE(FLAGS, 6)
  head.writeUInt16LE(DEFLATED, 8)
  head.writeUInt16LE(DATE, 12)
  // The empty 64-bit field makes the descriptor's sizes 8 bytes long.
  head.writeUInt32LE(IN_64, 18)
  head.writeUInt32LE(IN_64, 22)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(20, 28)
  name.copy(head, 30)
  head.writeUInt16LE(1, 30 + name.length)
  head.writeUInt16LE(16, 32 + name.length)
  return head
}

function descriptor({ crc, packed, size }: Entry): Buffer {
  const tail = Buffer.alloc(24)
  tail.writeUInt32LE(0x08074b50, 0)
  tail.writeUInt32LE(crc, 4)
  tail.writeBigUInt64LE(BigInt(packed), 8)
  tail.writeBigUInt64LE(BigInt(size), 16)
  return tail
}

function directoryEntry({ name, crc, packed, size, offset }: Entry): Buffer {
  const entry = Buffer.alloc(46 + name.length + 28)
  entry.writeUInt32LE(0x02014b50, 0)
  entry.writeUInt16LE(VERSION, 4)
  entry.writeUInt16LE(VERSION, 6)
  entry.writeUInt16LE(FLAGS, 8)
  entry.writeUInt16LE(DEFLATED, 10)
  entry.writeUInt16LE(DATE, 14)
  entry.writeUInt32LE(crc, 16)
  entry.writeUInt32LE(IN_64, 20)
  entry.writeUInt32LE(IN_64, 24)
  entry.writeUInt16LE(name.length, 28)
  entry.writeUInt16LE(28, 30)
  entry.writeUInt32LE(IN_64, 42)
  name.copy(entry, 46)
  const extra = 46 + name.length
  entry.writeUInt16LE(1, extra)
  entry.writeUInt16LE(24, extra + 2)
  entry.writeBigUInt64LE(BigInt(size), extra + 4)
  entry.writeBigUInt64LE(BigInt(packed), extra + 12)
  entry.writeBigUInt64LE(BigInt(offset), extra + 20)
  return entry
}

function endRecords(count: number, start: number, size: number): Buffer {
  const end = Buffer.alloc(56 + 20 + 22)
  end.writeUInt32LE(0x06064b50, 0)
  end.writeBigUInt64LE(44n, 4)
  end.writeUInt16LE(VERSION, 12)
  end.writeUInt16LE(VERSION, 14)
  end.writeBigUInt64LE(BigInt(count), 24)
  end.writeBigUInt64LE(BigInt(count), 32)
  end.writeBigUInt64LE(BigInt(size), 40)
  end.writeBigUInt64LE(BigInt(start), 48)
  end.writeUInt32LE(0x07064b50, 56)
  end.writeBigUInt64LE(BigInt(start + size), 64)
  end.writeUInt32LE(1, 72)
  end.writeUInt32LE(0x06054b50, 76)
  end.writeUInt16LE(Math.min(count, 0xffff), 84)
  end.writeUInt16LE(Math.min(count, 0xffff), 86)
  end.writeUInt32LE(Math.min(size, IN_64), 88)
  end.writeUInt32LE(IN_64, 92)
  return end
}
