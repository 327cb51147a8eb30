import { crc32, createDeflateRaw, deflateRawSync } from 'node:zlib'
import { FormatError } from '../bytes/format-error.ts'
import { entryBytes } from './entry-bytes.ts'
import { alignmentField, declaredAlignment, keptExtra, zip64Field } from './extra-fields.ts'
import type { ZipArchive, ZipEntry } from './zip-facts.ts'

/** Takes the bytes of the archive in their order. They may be views of an input, and are not changed afterwards. */
export type ZipSink = (bytes: Uint8Array) => void

export interface ZipWriterOptions {
  /** Bytes of the output before this archive, which its offsets count; 0 where absent. */
  readonly position?: number
  /** Android takes no ZIP64: with `false` what needs it is refused (FormatError `zip64`). */
  readonly zip64?: boolean
}

export interface NewEntryOptions {
  /** Default true. */
  readonly deflate?: boolean
  /** Of the content of a stored entry. */
  readonly alignment?: number
  readonly externalAttributes?: number
  /** Date and time as MS-DOS writes them, in 32 bits; the first day of 1980 where absent, so that equal input gives equal output. */
  readonly time?: number
  /** `index` of the entry of another archive that it takes the place of, in the directory too. */
  readonly place?: number
}

/** What both headers of an entry say. */
interface Header {
  readonly name: Uint8Array
  readonly versionMadeBy: number
  readonly flags: number
  readonly method: number
  readonly time: number
  readonly crc32: number
  readonly compressedSize: number
  readonly size: number
  readonly localExtra: Uint8Array
  readonly centralExtra: Uint8Array
  readonly comment: Uint8Array
  readonly internalAttributes: number
  readonly externalAttributes: number
}

interface DirectoryRecord {
  readonly rank: number
  readonly bytes: Uint8Array
}

const LOCAL_SIZE = 30
const CENTRAL_SIZE = 46
const HAS_DESCRIPTOR = 8
const UTF8_NAME = 0x0800
const WIDE = 0xffffffff
const FIRST_DAY = 0x00210000
const NONE = new Uint8Array()

/** Memory pages of Android: libraries are mapped from the archive where they begin on such a page (16 KiB from Android 15 on). */
const PAGE = 16 * 1024

/** On which multiple the content of a stored entry begins: libraries on a page of 16 KiB, others on 4 bytes. */
export function storedAlignment(name: string): number {
  return name.endsWith('.so') ? PAGE : 4
}

/**
 * Writes a ZIP archive (APPNOTE 6.3.3) to a sink, entry by entry: nothing but the central directory is kept, so that an archive of
 * any size takes little memory. Entries of another archive are copied as they are packed.
 */
export class ZipWriter {
  /** Offset of the next byte in the output. */
  position: number
  private readonly sink: ZipSink
  private readonly zip64: boolean
  private readonly records: DirectoryRecord[] = []
  private rankOfNew = -1

  constructor(sink: ZipSink, { position = 0, zip64 = true }: ZipWriterOptions = {}) {
    this.sink = sink
    this.position = position
    this.zip64 = zip64
  }

  get entryCount(): number {
    return this.records.length
  }

  /**
   * An entry of another archive with its packed bytes, times, attributes, comment and extra fields. Sizes go into the local header,
   * so that a data descriptor is left out. Stored content is aligned (`storedAlignment`, or what the entry says where that is more).
   * The directory keeps the place that the entry had there. A method that is neither stored nor deflated becomes the one by which
   * `entryBytes` reads it. Throws FormatError `local-header`, `outside`, `limit`.
   */
  copy(zip: ZipArchive, entry: ZipEntry): void {
    const { bytes } = zip
    const { dataOffset, name } = entry
    const method = soundMethod(zip, entry)
    const length = method === 8 ? entry.compressedSize : entry.size
    if (dataOffset < 0 || dataOffset + length > bytes.length)
      throw new FormatError('zip', 'outside', entry.localOffset, `entry ${JSON.stringify(name)} cannot be copied`)
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const at = entry.centralOffset
    const nameEnd = at + CENTRAL_SIZE + view.getUint16(at + 28, true)
    const extraEnd = nameEnd + view.getUint16(at + 30, true)
    const localExtra = bytes.subarray(dataOffset - view.getUint16(entry.localOffset + 28, true), dataOffset)
    const header: Header = {
      name: entry.nameBytes,
      versionMadeBy: view.getUint16(at + 4, true),
      flags: entry.flags & ~HAS_DESCRIPTOR,
      method,
      time: view.getUint32(at + 12, true),
      crc32: entry.crc32,
      compressedSize: length,
      size: entry.size,
      localExtra: keptExtra(localExtra),
      centralExtra: keptExtra(bytes.subarray(nameEnd, extraEnd)),
      comment: bytes.subarray(extraEnd, extraEnd + view.getUint16(at + 32, true)),
      internalAttributes: view.getUint16(at + 36, true),
      externalAttributes: entry.externalAttributes,
    }
    const alignment = method === 8 ? 1 : Math.max(storedAlignment(name), declaredAlignment(localExtra))
    this.begin(header, alignment, entry.index)
    this.rankOfNew = Number.POSITIVE_INFINITY
    this.put(bytes.subarray(dataOffset, dataOffset + length))
  }

  /** A new entry; in the directory before all copied ones where none was copied yet, else behind them, or in the place of another one. */
  add(name: string, content: Uint8Array, options: NewEntryOptions = {}): void {
    const packed = options.deflate === false ? content : deflateRawSync(content)
    const method = options.deflate === false ? 0 : 8
    const header = newHeader(name, method, options)
    const alignment = method === 0 ? (options.alignment ?? storedAlignment(name)) : 1
    this.begin(
      { ...header, crc32: crc32(content), compressedSize: packed.length, size: content.length },
      alignment,
      options.place ?? this.rankOfNew,
    )
    if (options.place !== undefined) this.rankOfNew = Number.POSITIVE_INFINITY
    this.put(packed)
  }

  /**
   * The headers of a stored entry, not aligned, whose content of known size and checksum the caller writes itself, before anything else:
   * `position` counts it already. Without content too, it gives the size of an archive before its first byte.
   */
  announce(
    name: string,
    known: { readonly size: number; readonly crc32: number },
    options: NewEntryOptions = {},
  ): void {
    this.begin({ ...newHeader(name, 0, options), ...known, compressedSize: known.size }, 1, this.rankOfNew)
    this.position += known.size
  }

  /**
   * A new deflated entry whose size is not known before its end: a data descriptor follows it. `large` is for content of 4 GiB and
   * more. Throws FormatError `size` where it grows beyond that without being asked to.
   */
  async addStream(
    name: string,
    chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
    options: NewEntryOptions & { readonly large?: boolean } = {},
  ): Promise<void> {
    const { large = false } = options
    if (large) this.refuseZip64(name)
    const header = { ...newHeader(name, 8, options), flags: HAS_DESCRIPTOR | flagsOf(name) }
    const offset = this.position
    const extra = large ? zip64Field([0, 0]) : NONE
    this.put(localHeader({ ...header, crc32: 0, compressedSize: 0, size: 0 }, extra, large))
    const deflate = createDeflateRaw()
    let checksum = 0
    let size = 0
    let compressedSize = 0
    const feed = async () => {
      for await (const chunk of chunks) {
        checksum = crc32(chunk, checksum)
        size += chunk.length
        if (!deflate.write(chunk)) await new Promise((resume) => deflate.once('drain', resume))
      }
      deflate.end()
    }
    const fed = feed().catch((error: Error) => void deflate.destroy(error))
    for await (const packed of deflate as AsyncIterable<Uint8Array>) {
      compressedSize += packed.length
      this.put(packed)
    }
    await fed
    if (!large && (size >= WIDE || compressedSize >= WIDE))
      throw new FormatError('zip', 'size', offset, `entry ${JSON.stringify(name)} has 4 GiB or more`)
    const descriptor = Buffer.alloc(large ? 24 : 16)
    descriptor.writeUInt32LE(0x08074b50, 0)
    descriptor.writeUInt32LE(checksum, 4)
    if (large) {
      descriptor.writeBigUInt64LE(BigInt(compressedSize), 8)
      descriptor.writeBigUInt64LE(BigInt(size), 16)
    } else {
      descriptor.writeUInt32LE(compressedSize, 8)
      descriptor.writeUInt32LE(size, 12)
    }
    this.put(descriptor)
    this.record({ ...header, crc32: checksum, compressedSize, size }, offset, this.rankOfNew)
  }

  /** The central directory of all entries, copied ones in the order that they had. */
  directory(): Uint8Array {
    const ordered = [...this.records].sort((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    return Buffer.concat(ordered.map(({ bytes }) => bytes))
  }

  /** Writes the directory and the end record. */
  finish(comment: Uint8Array = NONE): void {
    const directory = this.directory()
    const offset = this.position
    this.put(directory)
    this.put(this.endRecord(directory.length, offset, comment))
  }

  /** The records behind a directory that begins at `offset`; of ZIP64 too where a number needs it. */
  endRecord(directorySize: number, offset: number, comment: Uint8Array = NONE): Uint8Array {
    const count = this.records.length
    const end = Buffer.alloc(22)
    end.writeUInt32LE(0x06054b50, 0)
    end.writeUInt16LE(Math.min(count, 0xffff), 8)
    end.writeUInt16LE(Math.min(count, 0xffff), 10)
    end.writeUInt32LE(Math.min(directorySize, WIDE), 12)
    end.writeUInt32LE(Math.min(offset, WIDE), 16)
    end.writeUInt16LE(comment.length, 20)
    if (count < 0xffff && directorySize < WIDE && offset < WIDE) return Buffer.concat([end, comment])
    this.refuseZip64('')
    const wide = Buffer.alloc(56 + 20)
    wide.writeUInt32LE(0x06064b50, 0)
    wide.writeBigUInt64LE(44n, 4)
    wide.writeUInt16LE(45, 12)
    wide.writeUInt16LE(45, 14)
    wide.writeBigUInt64LE(BigInt(count), 24)
    wide.writeBigUInt64LE(BigInt(count), 32)
    wide.writeBigUInt64LE(BigInt(directorySize), 40)
    wide.writeBigUInt64LE(BigInt(offset), 48)
    wide.writeUInt32LE(0x07064b50, 56)
    wide.writeBigUInt64LE(BigInt(offset + directorySize), 64)
    wide.writeUInt32LE(1, 72)
    return Buffer.concat([wide, end, comment])
  }

  private begin(header: Header, alignment: number, rank: number): void {
    const wide = header.size >= WIDE || header.compressedSize >= WIDE
    if (wide) this.refuseZip64(Buffer.from(header.name).toString())
    const kept = wide
      ? Buffer.concat([zip64Field([header.size, header.compressedSize]), header.localExtra])
      : header.localExtra
    const content = this.position + LOCAL_SIZE + header.name.length + kept.length
    const padding = alignment > 1 ? alignmentField(content, alignment) : NONE
    if (kept.length + padding.length > 0xffff)
      throw new FormatError('zip', 'extra', this.position, 'extra data of an entry is too long')
    const offset = this.position
    this.put(localHeader(header, padding.length ? Buffer.concat([kept, padding]) : kept, wide))
    this.record(header, offset, rank)
  }

  private record(header: Header, offset: number, rank: number): void {
    const wide = [header.size, header.compressedSize, offset].filter((value) => value >= WIDE)
    if (wide.length) this.refuseZip64(Buffer.from(header.name).toString())
    const { name, comment } = header
    const extra = wide.length ? Buffer.concat([zip64Field(wide), header.centralExtra]) : header.centralExtra
    const bytes = Buffer.alloc(CENTRAL_SIZE + name.length + extra.length + comment.length)
    bytes.writeUInt32LE(0x02014b50, 0)
    bytes.writeUInt16LE(header.versionMadeBy, 4)
    writeFields(bytes, 6, header, extra.length, wide.length > 0)
    bytes.writeUInt16LE(comment.length, 32)
    bytes.writeUInt16LE(header.internalAttributes, 36)
    bytes.writeUInt32LE(header.externalAttributes, 38)
    bytes.writeUInt32LE(Math.min(offset, WIDE), 42)
    bytes.set(name, CENTRAL_SIZE)
    bytes.set(extra, CENTRAL_SIZE + name.length)
    bytes.set(comment, CENTRAL_SIZE + name.length + extra.length)
    this.records.push({ rank, bytes })
  }

  private put(bytes: Uint8Array): void {
    if (bytes.length) this.sink(bytes)
    this.position += bytes.length
  }

  private refuseZip64(name: string): void {
    if (this.zip64) return
    const what = name ? `entry ${JSON.stringify(name)}` : 'the archive'
    throw new FormatError('zip', 'zip64', this.position, `${what} needs ZIP64, which Android does not read`)
  }
}

/** 0 or 8: for other values, which packers write against tools, whichever gives the content that fits the checksum. */
function soundMethod(zip: ZipArchive, entry: ZipEntry): number {
  if (entry.method === 0 || entry.method === 8) return entry.method
  const content = entryBytes(zip, entry)
  return content.buffer === zip.bytes.buffer && content.byteOffset === zip.bytes.byteOffset + entry.dataOffset ? 0 : 8
}

function localHeader(header: Header, extra: Uint8Array, wide: boolean): Uint8Array {
  const { name } = header
  const bytes = Buffer.alloc(LOCAL_SIZE + name.length + extra.length)
  bytes.writeUInt32LE(0x04034b50, 0)
  writeFields(bytes, 4, header, extra.length, wide)
  if (wide) bytes.fill(0xff, 18, 26)
  bytes.set(name, LOCAL_SIZE)
  bytes.set(extra, LOCAL_SIZE + name.length)
  return bytes
}

/** From 'version needed to extract' to 'extra field length', which both headers have in the same order. */
function writeFields(bytes: Buffer, at: number, header: Header, extraLength: number, wide: boolean): void {
  bytes.writeUInt16LE(wide ? 45 : header.method === 0 ? 10 : 20, at)
  bytes.writeUInt16LE(header.flags, at + 2)
  bytes.writeUInt16LE(header.method, at + 4)
  bytes.writeUInt32LE(header.time, at + 6)
  bytes.writeUInt32LE(header.crc32, at + 10)
  bytes.writeUInt32LE(Math.min(header.compressedSize, WIDE), at + 14)
  bytes.writeUInt32LE(Math.min(header.size, WIDE), at + 18)
  bytes.writeUInt16LE(header.name.length, at + 22)
  bytes.writeUInt16LE(extraLength, at + 24)
}

function newHeader(name: string, method: number, { externalAttributes = 0, time = FIRST_DAY }: NewEntryOptions) {
  const bytes = Buffer.from(name)
  if (bytes.length > 0xffff) throw new FormatError('zip', 'name', -1, 'name of an entry is too long')
  return {
    name: bytes,
    versionMadeBy: 20,
    flags: flagsOf(name),
    method,
    time,
    localExtra: NONE,
    centralExtra: NONE,
    comment: NONE,
    internalAttributes: 0,
    externalAttributes,
  }
}

function flagsOf(name: string): number {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > 0x7f) return UTF8_NAME
  return 0
}
