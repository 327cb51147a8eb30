import { describe, expect, test } from 'vitest'
import { type WrittenDexMethod, writeDex } from '#tests/support/dex-writer.ts'
import { methodsOf } from '../../dex-edit/dex-model.ts'
import { liftCode } from '../../dex-edit/edit-code.ts'
import { readDexModels } from '../../dex-edit/read-dex-model.ts'
import { SeededRandom } from '../seeded-random.ts'
import { translateMethod } from './translate-method.ts'
import { makeVmKey, VmImage } from './vm-image.ts'

type Code = NonNullable<WrittenDexMethod['code']>

/** The records of code units, as `operation a b c low high`, the try blocks, and the image. */
function translated(code: Code, { superclass = 'La/Above;', tries = [] as WrittenDexMethod['tries'] } = {}) {
  const method = { name: 'run()V', flags: 9, registers: 16, code, tries: tries ?? [] }
  const model = readDexModels(writeDex([{ name: 'La/Main;', methods: [method] }]))[0]!
  const [one] = methodsOf(model.classes[0]!)
  const image = new VmImage()
  const body = liftCode(model, one!.code as Parameters<typeof liftCode>[1])
  const { records, tries: blocks } = translateMethod(model, body, image, { superclass, mayInitialise: () => true })
  return {
    lines: records.map(({ operation, a, b, c, low, high }) => `${operation} ${[a, b, c, low, high].join(' ')}`),
    ...{ records, tries: blocks, image },
  }
}
/** What an image holds: the words behind the header, decrypted. */
function wordsOf(image: VmImage): number[] {
  const key = makeVmKey(new SeededRandom(Buffer.alloc(32, 1)))
  const bytes = Buffer.from(image.encode({ ...key, words: [0, 0, 0, 0] }, new SeededRandom(Buffer.alloc(32, 2))))
  const mix = (value: number) => {
    let x = value >>> 0
    x = Math.imul(x ^ (x >>> 16), 0x7feb352d)
    x = Math.imul(x ^ (x >>> 15), 0x846ca68b)
    return (x ^ (x >>> 16)) >>> 0
  }
  return Array.from(
    { length: bytes.length / 4 },
    (_, i) => (bytes.readUInt32LE(4 * i) ^ mix(mix(Math.imul(i, 0x9e3779b9)))) >>> 0,
  )
}
/** `owner name` of a row of calls. */
function callOf(image: VmImage, row: number): string {
  const words = wordsOf(image)
  const bytes = Buffer.from(Uint32Array.from(words.slice(words[11])).buffer)
  const text = (at: number) => bytes.toString('utf8', at, bytes.indexOf(0, at))
  const [owner, name] = words.slice(words[7]! + 4 * row) as [number, number]
  return `${text(words[words[3]! + owner]!)} ${text(name)}`
}
const signed = (value: number) => value & 0xffff
const RETURN = [0x0e]

describe('a method becomes records', () => {
  test.each([
    // Formats of 'Dalvik executable instruction formats', each with the smallest and largest number that it holds.
    ['const/4 v1, -8', [0x8112], 'const 1 0 0 4294967288 0'],
    ['const/16 v1, -32768', [0x0113, signed(-32768)], 'const 1 0 0 4294934528 0'],
    ['const v1, 0x80000001', [0x0114, 1, 0x8000], 'const 1 0 0 2147483649 0'],
    ['const/high16 v1, 0x8000', [0x0115, 0x8000], 'const 1 0 0 2147483648 0'],
    ['const-wide/16 v1, -1', [0x0116, 0xffff], 'const 1 0 0 4294967295 4294967295'],
    ['const-wide/32 v1, 0x7fffffff', [0x0117, 0xffff, 0x7fff], 'const 1 0 0 2147483647 0'],
    ['const-wide v1, 0x8000000000000001', [0x0118, 1, 0, 0, 0x8000], 'const 1 0 0 1 2147483648'],
    ['const-wide/high16 v1, 0xfff0', [0x0119, 0xfff0], 'const 1 0 0 0 4293918720'],
    ['move/16 v1, v2', [0x0003, 1, 2], 'move 1 2 0 0 0'],
    ['move-wide/from16 v1, v2', [0x0105, 2], 'move 1 2 0 0 0'],
    ['add-long v1, v3, v5', [0x019b, 0x0503], 'add-long 1 3 5 0 0'],
    ['add-long/2addr v1, v3', [0x31bb], 'add-long 1 1 3 0 0'],
    ['sub-int/2addr v1, v2', [0x21b1], 'sub-int 1 1 2 0 0'],
    ['rsub-int v1, v2, -32768', [0x21d1, signed(-32768)], 'rsub-int-lit 1 2 0 4294934528 0'],
    ['rsub-int/lit8 v1, v2, -128', [0x01d9, 0x8002], 'rsub-int-lit 1 2 0 4294967168 0'],
    ['shl-int/lit8 v1, v2, 127', [0x01e0, 0x7f02], 'shl-int-lit 1 2 0 127 0'],
    ['neg-double v1, v3', [0x3180], 'neg-double 1 3 0 0 0'],
  ] as const)('an instruction becomes one record: %s', (_, units, line) => {
    const { lines } = translated(() => [...units, ...RETURN])
    expect(lines).toEqual([line, 'return-void 0 0 0 0 0'])
  })

  test('arguments of two registers are named by the first one, wherever they lie', () => {
    const { records, image } = translated((numbers) => [
      // {v3, v4, v5, v6, v7}: an object, a long at v4, an int, a float
      ...[0x576e, numbers.method('La/B;->c(JIF)V'), 0x6543],
      // {v0 .. v5}: a double at v0, an int, a long at v3, a float
      ...[0x0677, numbers.method('La/B;->d(DIJF)V'), 0],
      ...RETURN,
    ])
    const words = wordsOf(image)
    expect(words.slice(records[0]!.high, records[0]!.high + 4)).toEqual([3, 4, 6, 7])
    expect(words.slice(records[1]!.high, records[1]!.high + 4)).toEqual([0, 2, 3, 5])
    expect(records.map(({ operation }) => operation)).toEqual(['invoke-virtual', 'invoke-static', 'return-void'])
  })

  test('jumps, switches and handlers lead to records, also over a nop', () => {
    const { lines, tries, records, image } = translated(
      () => [
        ...[0x0000, 0x012b, 9, 0], // nop; packed-switch v1, its table at unit 10
        ...[0x0138, 3], // if-eqz v1, to the nop at unit 7
        ...[0xfe28], // goto unit 4
        ...[0x0000, ...RETURN, 0x0000],
        ...[0x0100, 2, 0xffff, 0xffff, 3, 0, 6, 0], // keys -1 and 0: to units 4 and 7
      ],
      { tries: [[4, 3, 8]] },
    )
    expect(lines.slice(1)).toEqual(['if-eqz 1 0 0 3 0', 'goto 0 0 0 1 0', 'return-void 0 0 0 0 0'])
    const [table] = records
    expect([table!.operation, table!.a, table!.high]).toEqual(['packed-switch', 1, 2])
    expect(wordsOf(image).slice(table!.low, table!.low + 3)).toEqual([0xffffffff, 1, 3])
    expect(tries).toEqual([{ from: 1, to: 3, handlers: [{ type: -1, target: 3 }] }])
  })

  test('a call by super names the class above, and one of an object by an interface names Object', () => {
    const { records, image } = translated((numbers) => [
      ...[0x106f, numbers.method('La/Main;->name()V'), 0],
      ...[0x1072, numbers.method('La/I;->hashCode()I'), 0],
      ...[0x1070, numbers.method('Ljava/lang/String;-><init>()V'), 0],
      ...RETURN,
    ])
    expect(records.map(({ operation }) => operation)).toEqual([
      ...['invoke-direct', 'invoke-virtual', 'init-string', 'return-void'],
    ])
    expect(records.slice(0, 3).map(({ low }) => callOf(image, low))).toEqual([
      ...['a/Above name', 'java/lang/Object hashCode', 'java/lang/String <init>'],
    ])
  })

  test('elements of eight bytes lie at a multiple of eight bytes', () => {
    const data = (width: number, units: readonly number[]) => [0x0300, width, 1, 0, ...units]
    const { records, image } = translated(() => [
      ...[0x0026, 8, 0], // fill-array-data v0: bytes at unit 8
      ...[0x0126, 11, 0], // fill-array-data v1: longs at unit 14
      ...[...RETURN, 0x0000],
      ...data(1, [0x0061]),
      ...[0x0000],
      ...data(8, [1, 2, 3, 0x8000]),
    ])
    const [bytes, longs] = records
    expect([bytes!.b, bytes!.high, longs!.b, longs!.high]).toEqual([1, 1, 8, 1])
    expect(longs!.low % 2).toBe(0)
    const words = wordsOf(image)
    expect(words[bytes!.low]).toBe(0x61)
    expect(words.slice(longs!.low, longs!.low + 2)).toEqual([0x20001, 0x80000003])
  })
})
