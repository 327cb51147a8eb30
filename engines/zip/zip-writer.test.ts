import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { writeZip } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { copyEntries } from './copy-entries.ts'
import { entryBytes, hasSoundChecksum } from './entry-bytes.ts'
import { readZip } from './read-zip.ts'
import type { ZipArchive } from './zip-facts.ts'
import { ZipWriter, type ZipWriterOptions } from './zip-writer.ts'

function collect(write: (writer: ZipWriter) => void, options?: ZipWriterOptions): Uint8Array {
  const pieces: Uint8Array[] = []
  write(new ZipWriter((bytes) => pieces.push(bytes), options))
  return Buffer.concat(pieces)
}

const rewrite = (zip: ZipArchive): ZipArchive =>
  readZip(
    collect((writer) => {
      copyEntries(zip, writer)
      writer.finish(zip.comment)
    }),
  )

/** All that a reader sees, without offsets. */
const decoded = (zip: ZipArchive) =>
  zip.entries.map((entry) => ({
    name: entry.name,
    method: entry.method,
    crc32: entry.crc32,
    externalAttributes: entry.externalAttributes,
    content: Buffer.from(entryBytes(zip, entry)).toString('hex'),
    notes: entry.notes.map(({ key }) => key),
  }))

const entryArbitrary = fc.record({
  name: fc.string({ unit: fc.constantFrom('a', '/', '.', 'é', '漢', 'so', 'META-INF'), minLength: 1, maxLength: 20 }),
  data: fc.uint8Array({ maxLength: 300 }),
  deflate: fc.boolean(),
  central: fc.record({ externalAttributes: fc.nat(0xffffff) }),
})
const archiveArbitrary = fc.uniqueArray(entryArbitrary, { selector: ({ name }) => name, minLength: 1, maxLength: 12 })

describe('a rewrite that changes nothing', () => {
  test('gives the same entries in the same order with the same content, and is the same when it is done twice', () => {
    fc.assert(
      fc.property(archiveArbitrary, fc.uint8Array({ maxLength: 20 }), (entries, comment) => {
        const zip = readZip(writeZip(entries, { comment }))
        const once = rewrite(zip)
        expect(decoded(once)).toEqual(decoded(zip))
        expect(Buffer.compare(once.comment, comment)).toBe(0)
        expect(once.notes.map(({ key }) => key)).toEqual(zip.notes.map(({ key }) => key))
        expect(Buffer.compare(rewrite(once).bytes, once.bytes)).toBe(0)
      }),
      { numRuns: 150 },
    )
  })

  test('copies packed bytes as they are, and keeps times, comments and extra fields', () => {
    const packed = readZip(writeZip([{ name: 'a.txt', data: 'hello '.repeat(100) }]))
    const bytes = Buffer.from(packed.bytes)
    const central = packed.entries[0]!.centralOffset
    bytes.writeUInt32LE(0x58c51234, central + 12)
    bytes.writeUInt16LE(0x0314, central + 4)
    bytes.writeUInt16LE(1, central + 36)
    const zip = readZip(bytes)
    const once = rewrite(zip)
    const [before, after] = [zip.entries[0]!, once.entries[0]!]
    const raw = ({ bytes: all }: ZipArchive, { dataOffset, compressedSize }: typeof before) =>
      Buffer.from(all.subarray(dataOffset, dataOffset + compressedSize))
    expect(raw(once, after).equals(raw(zip, before))).toBe(true)
    const written = Buffer.from(once.bytes)
    expect(written.readUInt32LE(after.centralOffset + 12)).toBe(0x58c51234)
    expect(written.readUInt32LE(after.localOffset + 10)).toBe(0x58c51234)
    expect(written.readUInt16LE(after.centralOffset + 4)).toBe(0x0314)
    expect(written.readUInt16LE(after.centralOffset + 36)).toBe(1)
  })

  test('entries keep the order of the directory where their content lies in another one', () => {
    const zip = readZip(
      writeZip([
        { name: 'first', data: '1' },
        { name: 'second', data: '2' },
      ]),
    )
    const [first, second] = zip.entries
    const bytes = Buffer.from(zip.bytes)
    const records = [second, first].map((entry, i) =>
      bytes.subarray(entry!.centralOffset, i === 0 ? zip.endOffset : second!.centralOffset),
    )
    Buffer.concat(records.map((record) => Buffer.from(record))).copy(bytes, zip.directoryOffset)
    const turned = readZip(bytes)
    const once = rewrite(turned)
    expect(once.entries.map(({ name }) => name)).toEqual(['second', 'first'])
    expect(once.byName.get('first')!.localOffset).toBe(0)
  })

  test('an entry with a data descriptor gets its sizes into the local header', async () => {
    const pieces: Uint8Array[] = []
    const writer = new ZipWriter((bytes) => pieces.push(bytes))
    await writer.addStream('streamed', [Buffer.from('one '), Buffer.from('two')])
    writer.finish()
    const zip = readZip(Buffer.concat(pieces))
    expect(zip.entries[0]!.flags & 8).toBe(8)
    const once = rewrite(zip)
    expect(once.entries[0]).toMatchObject({ flags: 0, notes: [] })
    expect(Buffer.from(entryBytes(once, once.entries[0]!)).toString()).toBe('one two')
  })
})

describe('alignment', () => {
  test('stored entries begin on 4 bytes, stored libraries on 16 KiB, whatever is before them', () => {
    fc.assert(
      fc.property(archiveArbitrary, (entries) => {
        const libraries = entries.map((entry, i) => (i % 3 ? entry : { ...entry, name: `lib/${entry.name}/a${i}.so` }))
        const once = rewrite(readZip(writeZip(libraries)))
        for (const { method, name, dataOffset } of once.entries)
          if (method === 0) expect([name, dataOffset % (name.endsWith('.so') ? 16_384 : 4)]).toEqual([name, 0])
      }),
      { numRuns: 60 },
    )
  })

  test('what an entry declares beyond that is kept', () => {
    const bytes = collect((writer) => {
      writer.add('first', Buffer.from('x'))
      writer.add('page.bin', Buffer.from('data'), { deflate: false, alignment: 4096 })
      writer.finish()
    })
    const zip = readZip(bytes)
    const moved = readZip(
      collect((writer) => {
        writer.add('longer name before', Buffer.from('y'.repeat(50)))
        copyEntries(zip, writer, ({ name }) => name === 'page.bin')
        writer.finish()
      }),
    )
    expect(zip.byName.get('page.bin')!.dataOffset % 4096).toBe(0)
    expect(moved.byName.get('page.bin')!.dataOffset % 4096).toBe(0)
  })
})

describe('streams and ZIP64', () => {
  test('any chunks give what a whole entry gives', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.uint8Array({ maxLength: 5000 }), { maxLength: 8 }),
        fc.boolean(),
        async (chunks, large) => {
          const pieces: Uint8Array[] = []
          const writer = new ZipWriter((bytes) => pieces.push(bytes))
          await writer.addStream('中文.bin', chunks, { large })
          writer.add('after', Buffer.from('end'))
          writer.finish()
          const zip = readZip(Buffer.concat(pieces))
          expect(zip.entries.flatMap(({ notes }) => notes)).toEqual([])
          expect(Buffer.from(entryBytes(zip, zip.entries[0]!)).equals(Buffer.concat(chunks))).toBe(true)
          expect(hasSoundChecksum(zip.entries[0]!, Buffer.concat(chunks))).toBe(true)
          expect(Buffer.from(entryBytes(zip, zip.entries[1]!)).toString()).toBe('end')
        },
      ),
      { numRuns: 40 },
    )
  })

  test('a stream that fails fails the entry', async () => {
    const writer = new ZipWriter(() => {})
    const failing = async function* () {
      yield Buffer.from('x')
      await Promise.resolve()
      throw new Error('the disk is gone')
    }
    await expect(writer.addStream('a', failing())).rejects.toThrow('the disk is gone')
  })

  test('more than 65,535 entries are counted by ZIP64', () => {
    const zip = readZip(
      collect((writer) => {
        for (let i = 0; i < 65_536; i++) writer.add(`${i}`, new Uint8Array(), { deflate: false })
        writer.finish()
      }),
    )
    expect(zip.entries.length).toBe(65_536)
    expect(zip.notes.map(({ key }) => key)).toEqual(['zip64'])
  })

  test('what needs ZIP64 is refused where Android reads', async () => {
    const writer = (position: number) => new ZipWriter(() => {}, { position, zip64: false })
    expect(() => writer(2 ** 32).add('a', new Uint8Array())).toThrow(FormatError)
    const end = writer(2 ** 32 - 20)
    expect(() => end.finish()).not.toThrow()
    expect(() => writer(2 ** 32).finish()).toThrow(FormatError)
    await expect(writer(0).addStream('a', [], { large: true })).rejects.toThrow(FormatError)
  })

  test('an entry beyond 4 GiB has its offset in a ZIP64 field', () => {
    const begin = 2 ** 32 + 123
    const bytes = Buffer.from(
      collect(
        (writer) => {
          writer.add('far', Buffer.from('content'))
          writer.finish()
        },
        { position: begin },
      ),
    )
    const central = bytes.indexOf(Buffer.from([0x50, 0x4b, 1, 2]))
    expect(bytes.readUInt32LE(central + 42)).toBe(0xffffffff)
    expect(bytes.readUInt16LE(central + 46 + 3)).toBe(1)
    expect(bytes.readBigUInt64LE(central + 46 + 3 + 4)).toBe(BigInt(begin))
    const locator = bytes.length - 22 - 20
    const record = Number(bytes.readBigUInt64LE(locator + 8)) - begin
    expect(bytes.readUInt32LE(record)).toBe(0x06064b50)
    expect(bytes.readBigUInt64LE(record + 48)).toBe(BigInt(begin + central))
    const content = bytes.subarray(30 + 3, central)
    expect(inflateRawSync(content).toString()).toBe('content')
  })

  test('memory does not grow with what is copied: the sink gets views of the input', () => {
    const zip = readZip(writeZip([{ name: 'big', data: Buffer.alloc(4 * 2 ** 20, 1), deflate: false }]))
    const views: Uint8Array[] = []
    copyEntries(zip, new ZipWriter((bytes) => views.push(bytes)))
    expect(views.some(({ buffer, length }) => buffer === zip.bytes.buffer && length === 4 * 2 ** 20)).toBe(true)
  })
})

test('a method that misleads tools becomes the one that gives the content', () => {
  const odd = { central: { method: 0x1234 }, local: { method: 0x1234 } }
  const zip = readZip(
    writeZip([
      { name: 'packed', data: 'content '.repeat(50), ...odd },
      { name: 'stored', data: 'plain', deflate: false, ...odd },
    ]),
  )
  const once = rewrite(zip)
  expect(once.entries.map(({ method, notes }) => [method, notes])).toEqual([
    [8, []],
    [0, []],
  ])
  for (const [i, entry] of once.entries.entries())
    expect(Buffer.compare(entryBytes(once, entry), entryBytes(zip, zip.entries[i]!))).toBe(0)
})

test('an entry that cannot be located is not copied', () => {
  const zip = readZip(writeZip([{ name: 'a', data: 'x', central: { localOffset: 9999 } }]))
  expect(() => rewrite(zip)).toThrow(FormatError)
})

test('entries that are announced alone are counted with their content, and beyond 4 GiB have 64-bit offsets', () => {
  const GIB = 2 ** 30
  const pieces: Uint8Array[] = []
  const writer = new ZipWriter((bytes) => pieces.push(bytes))
  for (let i = 0; i < 6; i++) writer.announce(`part-${i}.bin`, { size: GIB, crc32: i })
  writer.finish()
  const written = Buffer.concat(pieces)
  expect(writer.position).toBe(written.length + 6 * GIB)
  const local = 30 + 'part-0.bin'.length
  const last = written.indexOf('part-5.bin', 6 * local) - 46
  expect(written.readUInt32LE(last + 16)).toBe(5)
  expect(written.readUInt32LE(last + 24)).toBe(GIB)
  expect(written.readUInt32LE(last + 42)).toBe(0xffffffff)
  // The field of ZIP64: id, length, then the offset.
  const extra = last + 46 + 'part-5.bin'.length
  expect([written.readUInt16LE(extra), written.readUInt16LE(extra + 2)]).toEqual([1, 8])
  expect(Number(written.readBigUInt64LE(extra + 4))).toBe(5 * (GIB + local))
})
