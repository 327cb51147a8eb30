// A ZIP (or JAR) that is the same bytes for the same content: no times of day, entries in the order given.
import { crc32, deflateRawSync } from 'node:zlib'

/** 1980-01-01, the first day that the format knows. */
const DATE = 0x21
const UTF8 = 0x800

/** @param {{ name: string, data: Uint8Array, mode?: number }[]} entries `mode`: type and rights as Unix stores them (st_mode) */
export function zip(entries, level = 9) {
  const parts = []
  const directory = []
  let at = 0
  for (const { name, data, mode } of entries) {
    const bytes = Buffer.from(name)
    const packed = deflateRawSync(data, { level })
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(20, 0)
    fields.writeUInt16LE(UTF8, 2)
    fields.writeUInt16LE(8, 4)
    fields.writeUInt16LE(0, 6)
    fields.writeUInt16LE(DATE, 8)
    fields.writeUInt32LE(crc32(data), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(data.length, 18)
    fields.writeUInt16LE(bytes.length, 22)
    parts.push(Buffer.from('PK\x03\x04', 'latin1'), fields, bytes, packed)
    const rest = Buffer.alloc(14)
    if (mode) rest.writeUInt32LE((mode << 16) >>> 0, 6)
    rest.writeUInt32LE(at, 10)
    // Made by: 3 is Unix, whose rights the external attributes then hold.
    directory.push(Buffer.from(mode ? 'PK\x01\x02\x14\x03' : 'PK\x01\x02\x14\x00', 'latin1'), fields, rest, bytes)
    at += 30 + bytes.length + packed.length
  }
  const list = Buffer.concat(directory)
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(entries.length, 8)
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(at, 16)
  return Buffer.concat([...parts, list, end])
}
