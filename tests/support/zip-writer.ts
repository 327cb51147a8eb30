import { crc32, deflateRawSync } from 'node:zlib'

/** One header's fields; what is not given is what a sound writer would put there. */
interface HeaderFields {
  name: string | Uint8Array
  method: number
  flags: number
  crc32: number
  compressedSize: number
  size: number
  extra: Uint8Array
}

export interface WrittenEntry {
  name: string | Uint8Array
  data: Uint8Array | string
  /** Default true; the method field follows unless `central.method` or `local.method` say otherwise. */
  deflate?: boolean
  central?: Partial<HeaderFields & { localOffset: number; externalAttributes: number }>
  local?: Partial<HeaderFields>
}

export interface WrittenArchive {
  comment?: Uint8Array
  prefix?: Uint8Array
  suffix?: Uint8Array
  /** Bytes between the last entry and the central directory, such as a signing block. */
  beforeDirectory?: Uint8Array
  entryCount?: number
  directorySize?: number
  directoryOffset?: number
}

const bytesOf = (text: string | Uint8Array): Uint8Array => (typeof text === 'string' ? Buffer.from(text) : text)

/** A ZIP archive, with every field open to lies: for tests of readers. */
export function writeZip(entries: readonly WrittenEntry[], archive: WrittenArchive = {}): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = []
  const directory: Uint8Array[] = []
  let at = 0
  for (const { name, data, deflate = true, central = {}, local = {} } of entries) {
    const raw = bytesOf(data)
    const packed = deflate ? deflateRawSync(raw) : raw
    const sound: HeaderFields = {
      name,
      method: deflate ? 8 : 0,
      flags: 0,
      crc32: crc32(raw),
      compressedSize: packed.length,
      size: raw.length,
      extra: new Uint8Array(),
    }
    directory.push(centralHeader({ ...sound, localOffset: at, externalAttributes: 0, ...central }))
    const header = localHeader({ ...sound, ...local })
    parts.push(header, packed)
    at += header.length + packed.length
  }
  const between = archive.beforeDirectory ?? new Uint8Array()
  const directoryBytes = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(archive.entryCount ?? entries.length, 8)
  end.writeUInt16LE(archive.entryCount ?? entries.length, 10)
  end.writeUInt32LE(archive.directorySize ?? directoryBytes.length, 12)
  end.writeUInt32LE(archive.directoryOffset ?? at + between.length, 16)
  const comment = archive.comment ?? new Uint8Array()
  end.writeUInt16LE(comment.length, 20)
  const none = new Uint8Array()
  return new Uint8Array(
    Buffer.concat([archive.prefix ?? none, ...parts, between, directoryBytes, end, comment, archive.suffix ?? none]),
  )
}

function fields(header: Buffer, at: number, f: HeaderFields): void {
  header.writeUInt16LE(f.flags, at)
  header.writeUInt16LE(f.method, at + 2)
  header.writeUInt32LE(f.crc32, at + 8)
  header.writeUInt32LE(f.compressedSize, at + 12)
  header.writeUInt32LE(f.size, at + 16)
  header.writeUInt16LE(bytesOf(f.name).length, at + 20)
  header.writeUInt16LE(f.extra.length, at + 22)
}

function localHeader(f: HeaderFields): Uint8Array {
  const header = Buffer.alloc(30)
  header.writeUInt32LE(0x04034b50, 0)
  fields(header, 6, f)
  return Buffer.concat([header, bytesOf(f.name), f.extra])
}

function centralHeader(f: HeaderFields & { localOffset: number; externalAttributes: number }): Uint8Array {
  const header = Buffer.alloc(46)
  header.writeUInt32LE(0x02014b50, 0)
  fields(header, 8, f)
  header.writeUInt32LE(f.externalAttributes, 38)
  header.writeUInt32LE(f.localOffset, 42)
  return Buffer.concat([header, bytesOf(f.name), f.extra])
}

/** Flips, cuts and overwrites: `at` and `to` say where and with what, so that a property test can shrink them. */
export function mutate(
  bytes: Uint8Array,
  changes: readonly (readonly [at: number, to: number])[],
  cut: number,
): Uint8Array {
  const copy = bytes.slice(0, bytes.length - (cut % bytes.length))
  for (const [at, to] of changes) if (copy.length) copy[at % copy.length] = to
  return copy
}
