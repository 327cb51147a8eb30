import { Script } from 'node:vm'
import fc from 'fast-check'
import { build } from 'vite'
import { beforeAll, describe, expect, test } from 'vitest'
import { failureGroup, identify } from './failure-group.ts'
import { type ClassMapping, mappingIndexer, readClassMapping } from './mapping.ts'
import { readStack } from './read-stack.ts'
import { javaClassesOf, retraceJava } from './retrace-java.ts'
import { retraceJs, scriptName } from './retrace-js.ts'
import { originalPosition, readSourceMap, type SourceMap } from './source-map.ts'

const MAPPING = `# compiler: R8
# compiler_version: 8.5.35
# common_typos_disable
# {"id":"com.android.tools.r8.mapping","version":"2.2"}
# pg_map_id: 3fa91c7
com.hefan.wallet.pay.BillRepo -> a.b.c:
# {"id":"sourceFile","fileName":"BillRepo.kt"}
    com.hefan.wallet.net.Api api -> a
    1:4:void <init>(com.hefan.wallet.net.Api):18:21 -> <init>
    1:3:java.lang.String com.hefan.wallet.pay.Money.format(long):40:42 -> a
    1:3:com.hefan.wallet.pay.Bill load(java.lang.String):88 -> a
    4:9:com.hefan.wallet.pay.Bill load(java.lang.String):90:95 -> a
    # {"id":"com.android.tools.r8.residualsignature","signature":"(Ljava/lang/String;)La/b/d;"}
    10:12:void refund(long):120:122 -> a
    1:1:void com.hefan.wallet.pay.BillRepo.check(java.lang.Object):200:200 -> b
    1:1:void store(com.hefan.wallet.pay.Bill):77 -> b
    # {"id":"com.android.tools.r8.rewriteFrame","conditions":["throws(Ljava/lang/NullPointerException;)"],"actions":["removeInnerFrames(1)"]}
    2:2:void lambda$load$0():31:31 -> run
    # {"id":"com.android.tools.r8.synthesized"}
    2:2:void onReady():33:33 -> run
    5:6:void tax(int):0:0 -> t
    # {"id":"com.android.tools.r8.outlineCallsite","positions":{"1":8,"2":9},"outline":"La/b/o;a(I)V"}
    8:9:void tax(int):300:301 -> t
a.b.Outline -> a.b.o:
# {"id":"com.android.tools.r8.synthesized"}
    1:2:void outline(int):0:0 -> a
    # {"id":"com.android.tools.r8.outline"}
com.hefan.wallet.pay.PayError -> a.b.e:
# {"id":"sourceFile","fileName":"PayError.kt"}
com.hefan.wallet.PayActivity -> com.hefan.wallet.PayActivity:
# {"id":"sourceFile","fileName":"PayActivity.kt"}
    1:1:void onCreate(android.os.Bundle):25:25 -> onCreate
`

function classesOf(text: string): Map<string, ClassMapping> {
  const bytes = new TextEncoder().encode(text)
  const indexer = mappingIndexer()
  indexer.push(bytes)
  return new Map(
    indexer.end().map(({ obfuscated, offset, length }) => {
      const found = readClassMapping(new TextDecoder().decode(bytes.subarray(offset, offset + length)))
      if (!found) throw new Error(obfuscated)
      return [obfuscated, found]
    }),
  )
}
const retraced = (text: string) => retraceJava(readStack(text), classesOf(MAPPING))
const lines = (text: string) =>
  retraced(text).segments.flatMap(({ frames }) =>
    frames.map((one) => `${one.module}.${one.name}(${one.file}:${one.line})`),
  )

describe('[EXC-02] R8 mappings', () => {
  test('classes, ranges, files, inlined methods innermost first, overloads by line', () => {
    expect(retraced('a.b.e: no\n at a.b.c.a(SourceFile:2)').segments[0]?.type).toBe('com.hefan.wallet.pay.PayError')
    expect(
      lines(
        'a.b.e\n at a.b.c.a(SourceFile:2)\n at com.hefan.wallet.PayActivity.onCreate(SourceFile:1)\n at android.os.Looper.loop(Looper.java:9)',
      ),
    ).toEqual([
      'com.hefan.wallet.pay.Money.format(Money.kt:41)',
      'com.hefan.wallet.pay.BillRepo.load(BillRepo.kt:88)',
      'com.hefan.wallet.PayActivity.onCreate(PayActivity.kt:25)',
      'android.os.Looper.loop(Looper.java:9)',
    ])
    expect(lines('x\n at a.b.c.a(Unknown Source:6)')).toEqual(['com.hefan.wallet.pay.BillRepo.load(BillRepo.kt:92)'])
    expect(lines('x\n at a.b.c.a(r8-map-id-3fa91c7:11)')).toEqual([
      'com.hefan.wallet.pay.BillRepo.refund(BillRepo.kt:121)',
    ])
    expect(lines('x\n at a.b.c.zz(SourceFile:1)')).toEqual(['com.hefan.wallet.pay.BillRepo.zz(BillRepo.kt:1)'])
    expect(javaClassesOf(readStack('a.b.e: x\n at a.b.c.a(S:1)'))).toEqual(new Set(['a.b.e', 'a.b.c']))
  })

  test('what the compiler wrote itself is left out: lambdas, outlines, checks that threw on the spot', () => {
    expect(lines('x\n at a.b.c.run(SourceFile:2)')).toEqual(['com.hefan.wallet.pay.BillRepo.onReady(BillRepo.kt:33)'])
    expect(lines('x\n at a.b.o.a(SourceFile:2)\n at a.b.c.t(SourceFile:5)')).toEqual([
      'com.hefan.wallet.pay.BillRepo.tax(BillRepo.kt:301)',
    ])
    const check = '\n at a.b.c.b(SourceFile:1)'
    expect(lines(`java.lang.NullPointerException${check}`)).toEqual([
      'com.hefan.wallet.pay.BillRepo.store(BillRepo.kt:77)',
    ])
    expect(lines(`java.lang.Error${check}`)).toHaveLength(2)
  })

  test('an index does not depend on how the bytes come in', () => {
    const bytes = new TextEncoder().encode(MAPPING)
    const whole = mappingIndexer()
    whole.push(bytes)
    const expected = whole.end()
    expect(expected.map((one) => one.obfuscated)).toEqual(['a.b.c', 'a.b.o', 'a.b.e', 'com.hefan.wallet.PayActivity'])
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1 }), (widths) => {
        const indexer = mappingIndexer()
        for (let at = 0, i = 0; at < bytes.length; i++) {
          const width = widths[i % widths.length] as number
          indexer.push(bytes.subarray(at, at + width))
          at += width
        }
        expect(indexer.end()).toEqual(expected)
      }),
    )
  })

  test('a shrunk crash joins the group of the build that is not shrunk', () => {
    const origin = { app: 1, type: 3, version: '5.8.2', packageName: 'com.hefan.wallet' }
    const plain =
      'com.hefan.wallet.pay.PayError: x\n\tat com.hefan.wallet.pay.Money.format(Money.kt:41)\n\tat com.hefan.wallet.pay.BillRepo.load(BillRepo.kt:88)\n\tat com.hefan.wallet.PayActivity.onCreate(PayActivity.kt:25)'
    const shrunk = 'a.b.e: y\n\tat a.b.c.a(SourceFile:2)\n\tat com.hefan.wallet.PayActivity.onCreate(SourceFile:1)'
    expect(failureGroup({ stack: shrunk }, origin)).not.toBe(failureGroup({ stack: plain }, origin))
    const canonical = identify(retraced(shrunk), '', origin)
    expect(canonical.obfuscated).toBe(false)
    expect(canonical.fingerprint).toBe(failureGroup({ stack: plain }, { ...origin, version: '5.0.0' }))
  })

  test('hostile mappings are read or refused, never thrown over', () => {
    const part = fc.constantFrom(
      'a -> b:\n',
      '    1:2:void x():3:4 -> a\n',
      '# {"id":"sourceFile","fileName":5}\n',
      '# {',
      '    ',
      ' -> ',
      ':',
      '\r\n',
      '\0',
      '    9:1:int y():1 -> a\n',
      '# {"id":"com.android.tools.r8.outlineCallsite","positions":null}\n',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(part, fc.string()), { maxLength: 60 }), (parts) => {
        const text = parts.join('')
        const bytes = new TextEncoder().encode(text)
        const indexer = mappingIndexer()
        indexer.push(bytes)
        const classes = new Map(
          indexer.end().flatMap(({ obfuscated, offset, length }) => {
            const found = readClassMapping(new TextDecoder().decode(bytes.subarray(offset, offset + length)))
            return found ? [[obfuscated, found] as const] : []
          }),
        )
        retraceJava(readStack('b: x\n at b.a(S:1)\n at b.a(S)'), classes)
      }),
    )
  })
})

describe('[EXC-02] source maps', () => {
  const sources: Record<string, string> = {
    '/pay.ts': `import { formatBill } from '/format.ts'
export function submitPayment(order: { bill?: { amount: number } }): string {
  const label = '￥'
  return label + formatBill(order.bill as { amount: number })
}
declare const globalThis: { run: unknown }
globalThis.run = submitPayment
`,
    '/format.ts': `export interface Bill { amount: number }
// What follows throws where there is no bill.
export function formatBill(bill: Bill): string {
  if (bill.amount > 10_000) throw new RangeError('too much')
  return bill.amount.toFixed(2)
}
`,
  }
  let code = ''
  let map = ''
  beforeAll(async () => {
    const result = await build({
      configFile: false,
      logLevel: 'silent',
      build: {
        write: false,
        sourcemap: true,
        minify: true,
        lib: { entry: '/pay.ts', formats: ['iife'], name: 'pay' },
      },
      plugins: [
        {
          name: 'memory',
          enforce: 'pre',
          resolveId: (id) => (id in sources ? id : null),
          load: (id) => sources[id] ?? null,
        },
      ],
    })
    const outputs = (Array.isArray(result) ? result : [result]).flatMap((one) => ('output' in one ? one.output : []))
    for (const output of outputs) if (output.type === 'chunk') [code, map] = [output.code, JSON.stringify(output.map)]
  }, 60_000)

  test('a real error of a real minified bundle comes back to its lines and names', () => {
    const sandbox: { run?: (order: object) => void } = {}
    new Script(code, { filename: 'https://h5.example.cn/assets/pay.3fa91c77.js' }).runInNewContext({
      globalThis: sandbox,
      ...sandbox,
    })
    const thrown = (() => {
      try {
        sandbox.run?.({})
        return ''
      } catch (error) {
        return String((error as Error).stack)
      }
    })()
    const raw = readStack(thrown)
    expect(raw.segments[0]?.type).toBe('TypeError')
    const name = scriptName(raw.segments[0]?.frames[0]?.module ?? '')
    expect(name).toBe('pay.3fa91c77.js')
    const { segments } = retraceJs(raw, new Map([[name, readSourceMap(map)]]))
    const frames = (segments[0]?.frames ?? []).filter((one) => one.file.endsWith('.ts'))
    const expected = (file: string, text: string) =>
      (sources[file] as string).split('\n').findIndex((one) => one.includes(text)) + 1
    expect(frames[0]).toMatchObject({ file: 'format.ts', line: expected('/format.ts', 'bill.amount > 10_000') })
    expect(frames[0]?.context?.lines).toContain("  if (bill.amount > 10_000) throw new RangeError('too much')")
    expect(frames.some((one) => one.file === 'pay.ts' && one.line === expected('/pay.ts', 'formatBill(order'))).toBe(
      true,
    )
  })

  test('an index map answers as the map it holds', () => {
    const flat = readSourceMap(map)
    const index = readSourceMap(
      JSON.stringify({ version: 3, sections: [{ offset: { line: 3, column: 5 }, map: JSON.parse(map) }] }),
    )
    for (let column = 1; column < code.length; column += 7)
      expect(originalPosition(index, 4, column + 5)).toEqual(originalPosition(flat, 1, column))
    expect(originalPosition(index, 2, 1)).toBeUndefined()
  })

  const mapOf = (mappings: string) => JSON.stringify({ version: 3, sources: ['a.ts', null], names: ['f'], mappings })

  test('hostile maps give a position, none, or an Error', () => {
    const mappings = fc.oneof(fc.string(), fc.stringMatching(/^[A-Za-z0-9+/,;]{0,80}$/))
    fc.assert(
      fc.property(mappings, fc.integer({ min: 0, max: 4 }), fc.nat(90), (text, line, column) => {
        let one: SourceMap
        try {
          one = readSourceMap(mapOf(text))
        } catch (error) {
          expect((error as Error).message).toBe('mappings cannot be read')
          return
        }
        const found = originalPosition(one, line, column)
        if (found) expect(typeof found.source).toBe('string')
      }),
    )
    for (const mappings of ['AA', 'AAA', 'AAAA,AAAAAA', 'AAAA,,AAAA', ',', 'AAAAg', 'gA,g', 'ggggggggA', 'AAA$', 'é'])
      expect(() => readSourceMap(mapOf(mappings)), mappings).toThrow('mappings cannot be read')
    for (const mappings of ['', ';;', 'A', 'AAAA', 'AAAAA', 'AAAA,C', 'AAAA,;AACA', 'gggggggA'.slice(1)])
      expect(() => readSourceMap(mapOf(mappings)), mappings).not.toThrow()
    for (const bad of [
      '',
      '[]',
      '{}',
      'null',
      '{"version":2}',
      '{"version":3,"sources":1,"mappings":""}',
      '{"version":3,"sections":[1]}',
    ])
      expect(() => readSourceMap(bad)).toThrow()
  })

  test('a map whose mappings would take more memory than there is for one is refused', () => {
    expect(readSourceMap(mapOf(';'.repeat(1_400_000))).bytes).toBeLessThan(200_000_000)
    expect(() => readSourceMap(mapOf(';'.repeat(1_600_000)))).toThrow('more than 1500000 mappings')
    const map = JSON.parse(mapOf('A,'.repeat(400_000)))
    const sections = [0, 1, 2, 3].map((line) => ({ offset: { line, column: 0 }, map }))
    expect(() => readSourceMap(JSON.stringify({ version: 3, sections }))).toThrow('more than 1500000 mappings')
  })
})
