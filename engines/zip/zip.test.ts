import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mutate, type WrittenArchive, type WrittenEntry, writeZip } from '#tests/support/zip-writer.ts'
import { FormatError } from '../bytes/format-error.ts'
import { entryBytes, hasSoundChecksum } from './entry-bytes.ts'
import { readZip } from './read-zip.ts'
import { ZIP_LIMITS } from './zip-facts.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const read = (entries: WrittenEntry[], archive?: WrittenArchive) => readZip(writeZip(entries, archive))
const keyOf = (call: () => unknown) => {
  try {
    call()
  } catch (error) {
    return error instanceof FormatError ? error.key : String(error)
  }
  return 'nothing thrown'
}
const two: WrittenEntry[] = [
  { name: 'a.txt', data: 'hello '.repeat(50) },
  { name: 'b/c.bin', data: 'stored', deflate: false },
]

describe('sound archives', () => {
  test('what was written is read: any names, contents, methods', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(
          fc.record({
            name: fc.string({ unit: fc.constantFrom('a', '/', '.', 'é', '漢', '😀'), minLength: 1, maxLength: 20 }),
            data: fc.uint8Array({ maxLength: 300 }),
            deflate: fc.boolean(),
          }),
          { selector: (entry) => entry.name, maxLength: 12 },
        ),
        fc.uint8Array({ maxLength: 20 }),
        (entries, comment) => {
          const zip = read(entries, { comment })
          expect(zip.entries.map((entry) => entry.name)).toEqual(entries.map((entry) => entry.name))
          for (const [i, entry] of zip.entries.entries()) {
            const content = entryBytes(zip, entry)
            expect(content).toEqual(entries[i]!.data)
            expect(hasSoundChecksum(entry, content)).toBe(true)
          }
          expect(zip.comment).toEqual(comment)
        },
      ),
      { numRuns: 60 },
    )
  })

  test('no notes, and offsets that point at what they name', () => {
    const zip = read(two)
    expect(zip.notes).toEqual([])
    expect(zip.entries.flatMap((entry) => entry.notes)).toEqual([])
    const stored = zip.byName.get('b/c.bin')!
    expect(text(zip.bytes.subarray(stored.dataOffset, stored.dataOffset + 6))).toBe('stored')
    expect(text(zip.bytes.subarray(stored.localOffset, stored.localOffset + 2))).toBe('PK')
    expect(text(zip.bytes.subarray(stored.centralOffset + 46, stored.centralOffset + 53))).toBe('b/c.bin')
  })

  test('sizes behind 4 GiB come from the ZIP64 field', () => {
    const extra = Buffer.alloc(4 + 16)
    extra.writeUInt16LE(1, 0)
    extra.writeUInt16LE(16, 2)
    extra.writeBigUInt64LE(5n, 4)
    extra.writeBigUInt64LE(5n, 12)
    const sizes = { size: 0xffffffff, compressedSize: 0xffffffff }
    const zip = read([{ name: 'x', data: 'abcde', deflate: false, central: { ...sizes, extra } }])
    expect(text(entryBytes(zip, zip.entries[0]!))).toBe('abcde')
  })

  test('a ZIP64 end record gives count and location', () => {
    const sound = writeZip(two)
    const end = sound.length - 22
    const view = new DataView(sound.buffer)
    const wide = Buffer.alloc(56 + 20)
    wide.writeUInt32LE(0x06064b50, 0)
    wide.writeBigUInt64LE(2n, 32)
    wide.writeBigUInt64LE(BigInt(view.getUint32(end + 12, true)), 40)
    wide.writeBigUInt64LE(BigInt(view.getUint32(end + 16, true)), 48)
    wide.writeUInt32LE(0x07064b50, 56)
    wide.writeBigUInt64LE(BigInt(end), 64)
    const tail = sound.slice(end).fill(0xff, 8, 20)
    const zip = readZip(new Uint8Array(Buffer.concat([sound.subarray(0, end), wide, tail])))
    expect(zip.entries.length).toBe(2)
    expect(zip.notes.map((note) => note.key)).toEqual(['zip64'])
  })
})

describe('what Android believes', () => {
  const first = (entry: Partial<WrittenEntry>, archive?: WrittenArchive) => {
    const zip = read([{ name: 'f', data: 'content', ...entry }], archive)
    const [found] = zip.entries
    return { zip, entry: found!, keys: found!.notes.map((note) => note.key) }
  }

  test('the encryption flag is passed over', () => {
    const { zip, entry, keys } = first({ central: { flags: 1 }, local: { flags: 1 } })
    expect(keys).toEqual(['encrypted-flag'])
    expect(text(entryBytes(zip, entry))).toBe('content')
  })

  test('an unknown method is stored bytes, or deflated where the checksum says so', () => {
    const bogus = { central: { method: 0x2a7 }, local: { method: 0x2a7 } }
    const stored = first({ deflate: false, ...bogus })
    expect(stored.keys).toEqual(['method'])
    expect(text(entryBytes(stored.zip, stored.entry))).toBe('content')
    const deflated = first({ ...bogus })
    expect(text(entryBytes(deflated.zip, deflated.entry))).toBe('content')
  })

  test('the central directory over the local header, whose lengths locate the content', () => {
    const lies = { name: 'other', method: 0, size: 1, compressedSize: 1, crc32: 7, extra: new Uint8Array(9) }
    const { zip, entry, keys } = first({ local: lies })
    expect(keys).toEqual(['local-name', 'local-method', 'local-sizes'])
    expect(entry.notes.map((note) => note.refused)).toEqual([true, false, true])
    expect(text(entryBytes(zip, entry))).toBe('content')
  })

  test('a data descriptor leaves the local sizes empty', () => {
    const empty = { flags: 8, size: 0, compressedSize: 0, crc32: 0 }
    expect(first({ local: empty, central: { flags: 8 } }).keys).toEqual([])
    expect(first({ local: empty }).keys).toEqual(['local-flags'])
  })

  test('a stored entry is as long as its unpacked size', () => {
    const { zip, entry, keys } = first({ deflate: false, central: { compressedSize: 3 }, local: { compressedSize: 3 } })
    expect(keys).toEqual(['stored-size'])
    expect(text(entryBytes(zip, entry))).toBe('content')
  })

  test('two entries of one name are both there, the first has the name', () => {
    const zip = read([
      { name: 'classes.dex', data: 'one' },
      { name: 'classes.dex', data: 'two' },
    ])
    expect(zip.entries.map((entry) => text(entryBytes(zip, entry)))).toEqual(['one', 'two'])
    expect(zip.byName.get('classes.dex')).toBe(zip.entries[0])
    expect(zip.entries[1]!.notes).toMatchObject([{ key: 'duplicate', refused: true }])
  })

  test.each([
    ['/etc/passwd', 'unsafe-name'],
    ['a/../../b', 'unsafe-name'],
    ['..\\b', 'unsafe-name'],
    ['C:\\x', 'unsafe-name'],
    ['', 'unsafe-name'],
    ['a\0b', 'name-bytes'],
    ['n'.repeat(256), 'long-name'],
    ['d/'.repeat(40), 'long-name'],
    [Uint8Array.from([0xc4, 0xe3]), 'name-bytes'],
  ])('the ZIP entry name %j is noted as unsafe', (name, key) => {
    expect(first({ name }).keys).toEqual([key])
  })

  test('a symbolic link in a ZIP file is noted', () => {
    expect(first({ central: { externalAttributes: 0o120777 * 0x10000 } }).keys).toEqual(['link'])
  })

  test('prepended, trailing and uncounted bytes', () => {
    const prefixed = first({}, { prefix: new Uint8Array(100) })
    expect(prefixed.zip.shift).toBe(100)
    expect(prefixed.zip.notes).toMatchObject([{ key: 'prefix', refused: true }])
    expect(text(entryBytes(prefixed.zip, prefixed.entry))).toBe('content')
    const trailed = first({}, { suffix: new Uint8Array(100) })
    expect(trailed.zip.notes).toMatchObject([{ key: 'trailing-data', refused: true }])
    expect(text(entryBytes(trailed.zip, trailed.entry))).toBe('content')
    expect(first({}, { entryCount: 0 }).zip.notes).toMatchObject([{ key: 'entry-count', refused: false }])
    expect(first({}, { entryCount: 9 }).zip.notes).toMatchObject([{ key: 'entry-count', refused: true }])
  })

  test('an end record inside of the comment is reported', () => {
    const fake = Buffer.alloc(30)
    fake.writeUInt32LE(0x06054b50, 0)
    const { zip } = first({}, { comment: fake })
    expect(zip.entries.length).toBe(1)
    expect(zip.notes.map((note) => note.key)).toEqual(['second-end', 'comment'])
  })
})

describe('APK Signing Block', () => {
  const block = (pairs: [id: number, value: string][], lie = 0) => {
    const body = pairs.map(([id, value]) => {
      const pair = Buffer.alloc(12 + value.length)
      pair.writeBigUInt64LE(BigInt(4 + value.length + lie), 0)
      pair.writeUInt32LE(id, 8)
      pair.write(value, 12)
      return pair
    })
    const size = Buffer.alloc(8)
    size.writeBigUInt64LE(BigInt(Buffer.concat(body).length + 24), 0)
    return Buffer.concat([size, ...body, size, Buffer.from('APK Sig Block 42')])
  }

  test('its pairs with their locations', () => {
    const zip = read(two, {
      beforeDirectory: block([
        [0x7109871a, 'v2'],
        [0x42726577, ''],
      ]),
    })
    expect(zip.signingBlock!.pairs.map(({ id, value }) => [id, text(value)])).toEqual([
      [0x7109871a, 'v2'],
      [0x42726577, ''],
    ])
    const { offset } = zip.signingBlock!.pairs[0]!
    expect(text(zip.bytes.subarray(offset, offset + 2))).toBe('v2')
    expect(zip.signingBlock!.offset + zip.signingBlock!.size).toBe(zip.directoryOffset)
  })

  test('broken sizes in an APK Signing Block are reported', () => {
    expect(read(two, { beforeDirectory: block([[1, 'abc']], 50) }).signingBlock!.malformed).toContain('pair 1')
    const torn = block([[1, 'abc']])
    torn[0]!++
    expect(read(two, { beforeDirectory: torn }).notes).toMatchObject([{ key: 'signing-block' }])
  })
})

describe('hostile archives', () => {
  test('nothing to read, nothing there', () => {
    expect(keyOf(() => readZip(new Uint8Array()))).toBe('no-end')
    expect(keyOf(() => readZip(new Uint8Array(1000)))).toBe('no-end')
    expect(keyOf(() => read([], { directoryOffset: 5000 }))).toBe('directory')
    expect(read([]).notes).toMatchObject([{ key: 'empty', refused: true }])
  })

  test('a content that is more, or less, than declared is refused before it is made', () => {
    const bomb = read([{ name: 'b', data: new Uint8Array(5_000_000), central: { size: 100 } }])
    expect(keyOf(() => entryBytes(bomb, bomb.entries[0]!))).toBe('inflate')
    const short = read([{ name: 'b', data: 'abc', central: { size: 100 } }])
    expect(keyOf(() => entryBytes(short, short.entries[0]!))).toBe('size')
    const huge = read([{ name: 'b', data: 'abc', central: { size: 15_000_000 } }])
    expect(keyOf(() => entryBytes(huge, huge.entries[0]!))).toBe('size')
    const garbage = read([{ name: 'b', data: 'not deflated', deflate: false, central: { method: 8 } }])
    expect(keyOf(() => entryBytes(garbage, garbage.entries[0]!))).toBe('inflate')
  })

  test('limits: entries, sizes, density of one and of all', () => {
    const bytes = writeZip([{ name: 'b', data: new Uint8Array(300_000) }, ...two])
    const limited = (limits: Partial<typeof ZIP_LIMITS>) =>
      keyOf(() => {
        const all = { ...ZIP_LIMITS, ...limits }
        const zip = readZip(bytes, all)
        entryBytes(zip, zip.entries[0]!, all)
      })
    expect(limited({})).toBe('nothing thrown')
    expect(limited({ entries: 2 })).toBe('limit')
    expect(limited({ totalSize: 300_000 })).toBe('limit')
    expect(limited({ entrySize: 299_999 })).toBe('limit')
    expect(limited({ ratioFloor: 1000, totalRatio: 1e9 })).toBe('limit')
    expect(limited({ ratioFloor: 1000, entryRatio: 1e9 })).toBe('limit')
  })

  test('one size that nothing could unpack to does not cost the other entries', () => {
    const zip = read([...two, { name: 'lie', data: 'x', central: { size: 0xfffffff0 } }])
    expect(text(entryBytes(zip, zip.byName.get('b/c.bin')!))).toBe('stored')
    expect(keyOf(() => entryBytes(zip, zip.byName.get('lie')!))).toBe('limit')
  })

  test('overlapping entries are noted and their total is limited', () => {
    const data = new Uint8Array(400_000)
    const many = Array.from({ length: 200 }, (_, i) => ({ name: `f${i}`, data: '', central: {} }) as WrittenEntry)
    const lies = { compressedSize: 405, size: data.length, localOffset: 0 }
    for (const entry of many) entry.central = lies
    expect(keyOf(() => read([{ name: 'k', data }, ...many]))).toBe('limit')
    const zip = read([{ name: 'k', data }, ...many.slice(0, 3)])
    expect(zip.entries.slice(1).every((entry) => entry.notes.some((note) => note.key === 'overlap'))).toBe(true)
  })

  test('an entry that points outside, or at nothing', () => {
    const zip = read([{ name: 'x', data: 'abc', central: { localOffset: 0xfffffff0 } }, ...two])
    expect(zip.entries[0]!.dataOffset).toBe(-1)
    expect(keyOf(() => entryBytes(zip, zip.entries[0]!))).toBe('local-header')
    const long = read([{ name: 'x', data: 'abc', deflate: false, central: { size: 9999, compressedSize: 9999 } }])
    expect(keyOf(() => entryBytes(long, long.entries[0]!))).toBe('outside')
  })

  test('whatever is flipped or cut, only FormatError is thrown', () => {
    const bytes = writeZip([...two, { name: 'z', data: new Uint8Array(2000) }])
    const change = fc.tuple(fc.nat(bytes.length - 1), fc.constantFrom(0, 1, 8, 0x50, 0x7f, 0x80, 0xfe, 0xff))
    fc.assert(
      fc.property(fc.array(change, { maxLength: 6 }), fc.constantFrom(0, 0, 0, 1, 21, 22, 23, 60), (changes, cut) => {
        let zip: ReturnType<typeof readZip>
        try {
          zip = readZip(mutate(bytes, changes, cut))
        } catch (error) {
          return error instanceof FormatError
        }
        for (const entry of zip.entries)
          try {
            if (entryBytes(zip, entry).length !== entry.size) return false
          } catch (error) {
            if (!(error instanceof FormatError)) throw error
          }
        return true
      }),
      { numRuns: 500 },
    )
  })
})
