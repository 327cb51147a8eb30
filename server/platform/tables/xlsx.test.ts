import { inflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Cell } from './csv.ts'
import { escapeXml, xlsxFile } from './xlsx.ts'

async function* inBlocks(lines: Cell[][], size: number): AsyncGenerator<Cell[][]> {
  for (let at = 0; at < lines.length; at += size) yield lines.slice(at, at + size)
}

/** Files of a 64-bit archive, read from its central directory as any reader does. */
function unzip(bytes: Buffer): Map<string, string> {
  const files = new Map<string, string>()
  const locator = bytes.length - 22 - 20
  expect(bytes.readUInt32LE(bytes.length - 22)).toBe(0x06054b50)
  expect(bytes.readUInt32LE(locator)).toBe(0x07064b50)
  const end = Number(bytes.readBigUInt64LE(locator + 8))
  expect(bytes.readUInt32LE(end)).toBe(0x06064b50)
  const count = Number(bytes.readBigUInt64LE(end + 32))
  let at = Number(bytes.readBigUInt64LE(end + 48))
  for (let index = 0; index < count; index++) {
    expect(bytes.readUInt32LE(at)).toBe(0x02014b50)
    const nameLength = bytes.readUInt16LE(at + 28)
    const extraLength = bytes.readUInt16LE(at + 30)
    const name = bytes.subarray(at + 46, at + 46 + nameLength).toString()
    const extra = at + 46 + nameLength + 4
    const [size, packed, offset] = [0, 8, 16].map((step) => Number(bytes.readBigUInt64LE(extra + step))) as [
      number,
      number,
      number,
    ]
    const data = offset + 30 + bytes.readUInt16LE(offset + 26) + bytes.readUInt16LE(offset + 28)
    const text = inflateRawSync(bytes.subarray(data, data + packed))
    expect(text.length).toBe(size)
    files.set(name, text.toString())
    at += 46 + nameLength + extraLength
  }
  expect(at).toBe(end)
  return files
}

async function book(header: Cell[], lines: Cell[][], options: { block?: number; sheetLines?: number } = {}) {
  const chunks: Buffer[] = []
  for await (const chunk of xlsxFile(header, inBlocks(lines, options.block ?? 3), '事件/清单', options.sheetLines))
    chunks.push(chunk)
  return unzip(Buffer.concat(chunks))
}

const plain = (text: string) =>
  text.replace(
    /&(amp|lt|gt|quot|#13);/g,
    (_, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"', '#13': '\r' })[name] ?? '',
  )
/** Cells of a sheet as they were put in; empty ones as null. */
const cellsOf = (sheet: string) =>
  [...sheet.matchAll(/<row r="\d+">(.*?)<\/row>/gs)].map(([, row = '']) =>
    [...row.matchAll(/<c\/>|<c[^>]*?(?: t="(\w+)")?>(?:<v>(.*?)<\/v>|<is><t[^>]*>(.*?)<\/t><\/is>)<\/c>/gs)].map(
      ([whole, type, value, text]) =>
        whole === '<c/>'
          ? null
          : type === 'b'
            ? value === '1'
            : value === undefined
              ? plain(text ?? '')
              : Number(value),
    ),
  )

test('[STAT-02] a workbook holds every line, over sheets where one is full', async () => {
  const lines = Array.from({ length: 10 }, (_, index): Cell[] => [index, `line ${index}`, index % 2 === 0])
  const files = await book(['编号', 'text', 'even'], lines, { sheetLines: 5 })
  expect([...files.keys()].filter((name) => name.startsWith('xl/worksheets')).length).toBe(3)
  const sheets = [1, 2, 3].map((number) => cellsOf(files.get(`xl/worksheets/sheet${number}.xml`) as string))
  for (const [head] of sheets) expect(head).toEqual(['编号', 'text', 'even'])
  expect(sheets.flatMap(([, ...rest]) => rest)).toEqual(lines)
  expect(files.get('xl/workbook.xml')).toContain('name="事件 清单 2"')
  expect(files.get('[Content_Types].xml')).toContain('/xl/worksheets/sheet3.xml')
})

test('whatever a cell holds comes back, is well-formed and no formula', async () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('=1+1', '+x', '@a', ']]>', '<b>&amp;', '\r\n', '\t'),
  )
  const cell: fc.Arbitrary<Cell> = fc.oneof(
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(cell, { minLength: 2, maxLength: 2 }), { maxLength: 8 }), async (lines) => {
      const sheet = (await book(['a', 'b'], lines)).get('xl/worksheets/sheet1.xml') as string
      expect(sheet).not.toContain('<f>')
      const kept = (one: Cell) => (typeof one === 'string' ? plain(escapeXml(one)) || null : one)
      const read = cellsOf(sheet).slice(1)
      expect(read.map((line) => line.map((one) => (one === '' ? null : one)))).toEqual(
        lines.map((line) => line.map((one) => (Object.is(one, -0) ? 0 : kept(one)))),
      )
    }),
    { numRuns: 60 },
  )
})

test('a source that fails fails the file', async () => {
  async function* failing(): AsyncGenerator<Cell[][]> {
    yield [['a']]
    throw new Error('the store is gone')
  }
  const read = async () => {
    for await (const _ of xlsxFile(['a'], failing(), 'x'));
  }
  await expect(read()).rejects.toThrow('the store is gone')
})

test('when the consumer of a workbook ends early, its source is ended too', async () => {
  let ended = false
  async function* endless(): AsyncGenerator<Cell[][]> {
    try {
      for (let n = 0; ; n++)
        yield Array.from({ length: 500 }, (_, line) => [`${n} ${line} ${Math.sin(n * 500 + line)}`])
    } finally {
      ended = true
    }
  }
  let size = 0
  for await (const chunk of xlsxFile(['a'], endless(), 'x')) {
    size += chunk.length
    if (size > 200_000) break
  }
  await expect.poll(() => ended, { timeout: 5000 }).toBe(true)
})

test('when the source of a workbook fails, its reader gets the error', async () => {
  async function* failing(): AsyncGenerator<Cell[][]> {
    yield [['a']]
    throw new Error('the store is away')
  }
  const read = async () => {
    for await (const _ of xlsxFile(['a'], failing(), 'x')) void _
  }
  await expect(read()).rejects.toThrow('the store is away')
})
