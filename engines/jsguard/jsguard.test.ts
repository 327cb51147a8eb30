import { runInNewContext } from 'node:vm'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listFunctions } from './list-functions.ts'
import { PLAIN_NAMES, plainScript } from './plain-script.ts'
import { protectRead, protectScript } from './protect-script.ts'
import { pairFunctions } from './protected-function.ts'
import { MAX_SCRIPT_BYTES, parseScript, readScript } from './read-script.ts'
import { PRESETS, SCRIPT_OPTIONS, type ScriptOptions, STRENGTHS } from './script-options.ts'
import { ScriptRefused } from './script-refused.ts'
import { STRENGTH_TOKENS, strengthFor } from './strength-options.ts'

const options = (more: Partial<ScriptOptions> = {}): ScriptOptions => ({ ...SCRIPT_OPTIONS, ...more })
const protect = (text: string, more: Partial<ScriptOptions> = {}, name = 'app.js', seed = 7) =>
  protectScript(Buffer.from(text), { name, options: options(more), seed })
const refusalOf = (text: string | Uint8Array, name = 'app.js') => {
  try {
    protectScript(Buffer.from(text), { name, options: options(), seed: 1 })
  } catch (error) {
    if (error instanceof ScriptRefused) return { key: error.key, line: error.line, column: error.column }
    throw error
  }
  return undefined
}

const FEES = `'use strict'
// 白金客户免手续费
function transferFee(amount, level) {
  if (level === 'platinum-customer') return 0
  const rate = amount > 50000 ? 0.002 : 0.001
  return Math.max(2, Math.round(amount * rate))
}
var answer = [transferFee(60000, 'gold'), transferFee(10, 'gold'), transferFee(5, 'platinum-customer')].join()
`

describe('protection', () => {
  test.each(PRESETS)('the preset %s keeps what the code does and the names that others use', (preset) => {
    const { code, strength } = protect(FEES, { preset })
    const world: Record<string, unknown> = {}
    runInNewContext(code, world)
    expect(world['answer']).toBe('120,2,0')
    expect(world['transferFee']).toBeTypeOf('function')
    expect(strength).toBe(preset)
    expect(code).not.toContain('白金')
    expect(code).not.toMatch(/\brate\b/)
  })

  test('higher presets hide more: strings at medium, and grow', () => {
    const sizes = PRESETS.map((preset) => protect(FEES, { preset }).code.length)
    expect(sizes).toEqual(sizes.toSorted((a, b) => a - b))
    for (const preset of ['medium', 'high'] as const)
      expect(protect(FEES, { preset }).code).not.toContain('platinum-customer')
  })

  test('equal seeds give equal bytes, another seed gives others', () => {
    expect(protect(FEES).code).toBe(protect(FEES).code)
    expect(protect(FEES, {}, 'app.js', 8).code).not.toBe(protect(FEES).code)
  })

  test('reserved names and strings stay, a star matches any characters', () => {
    const text = `function outer() { var onPay = 1, onRefund = 2, other = 3; return 'keep:this' + onPay + onRefund + other + 'drop that text' }`
    const { code } = protect(text, { preset: 'high', reservedNames: ['on*'], reservedStrings: ['keep:*'] })
    expect(code).toMatch(/\bonPay\b/)
    expect(code).toMatch(/\bonRefund\b/)
    expect(code).not.toMatch(/\bother\b/)
    expect(code).toContain('keep:this')
    expect(code).not.toContain('drop that text')
    expect(runInNewContext(`${code};outer()`)).toBe('keep:this123drop that text')
  })

  test('single options add to a preset and take away from it', () => {
    const numbers = protect('var a = 5000 + Math.random()', { preset: 'low', parts: { numbers: true } }).code
    expect(numbers).not.toContain('0x1388')
    const plain = protect(FEES, { preset: 'medium', parts: { strings: false, split: false, flow: false } }).code
    expect(plain).toContain('platinum-customer')
  })

  test('a module keeps its imports and exports; a hash-bang line and a directive stay first', () => {
    const { code } = protect(
      `import { a as b } from './x.js'\nexport const pay = () => b + 'secret'\nexport default pay`,
      {
        timeLock: { from: null, until: 1 },
      },
    )
    expect(code).toMatch(/from\s*['"]\.\/x\.js['"]/)
    expect(code).toMatch(/export\s*(const pay|\{)/)
    expect(protect('#!/usr/bin/env node\nvar a = 1').code).toMatch(/^#!\/usr\/bin\/env node\n/)
  })

  test('directives stay first, in the script and in its functions, at every preset', () => {
    const text = `'use strict'
function strict() { return this === undefined }
'no directive'
var loose = function () { return 'words that are hidden' + (0, 'more hidden words') }
var answer = [strict(), (function () { 'use strict'; var here = 'some hidden words'; return this === undefined && here.length })()].join()`
    for (const preset of PRESETS) {
      const { code } = protect(text, { preset, timeLock: { from: null, until: 8e15 } })
      expect(code, preset).toMatch(/^['"]use strict['"]/)
      const world: Record<string, unknown> = {}
      runInNewContext(code, world)
      expect(world['answer'], preset).toBe('true,17')
    }
  })

  test('a part that would break some code is left out of it, and said to be', () => {
    const text = `var A = class { #p = 1; has(o) { return #p in o } 3 = 'words that are hidden' }; var answer = new A().has(new A()) + String(new A()[3])`
    for (const preset of ['medium', 'high'] as const) {
      const { code, leftOut, strength } = protect(text, { preset })
      expect([strength, leftOut.includes('flow')]).toEqual([preset, true])
      const world: Record<string, unknown> = {}
      runInNewContext(code, world)
      expect(world['answer']).toBe('truewords that are hidden')
      expect(code).not.toContain('words that are hidden')
    }
    expect(protect(FEES, { preset: 'high' }).leftOut).toEqual([])
  })

  test('output of the TypeScript compiler is taken, in both module forms', () => {
    const commonjs = `"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.add = void 0;\nvar __assign = (this && this.__assign) || function () { return Object.assign.apply(Object, arguments) };\nfunction add(a, b) { return __assign({ sum: a + b }, {}); }\nexports.add = add;`
    const world: { exports: { add?: (a: number, b: number) => unknown } } = { exports: {} }
    runInNewContext(protect(commonjs, { preset: 'high' }, 'add.cjs').code, world)
    expect(JSON.stringify(world.exports.add?.(2, 3))).toBe('{"sum":5}')
  })

  test('a source map restores lines and names no file of this machine', () => {
    const { map, code } = protect(FEES, { sourceMap: true }, 'www/js/fees.js')
    const { version, sources, sourcesContent } = JSON.parse(map ?? '{}') as Record<string, unknown>
    expect([version, sources]).toEqual([3, ['www/js/fees.js']])
    expect(JSON.stringify(sourcesContent)).toContain('transferFee')
    expect(code).not.toContain('sourceMappingURL')
    expect(protect(FEES).map).toBeNull()
  })

  test('nothing but comments gives nothing', () => {
    expect(protect('// a comment\n').code).toBe('')
    expect(protect('').code).toBe('')
  })

  test('a function is found in the protected code of every preset', () => {
    const read = parseScript(FEES, 'a.js')
    const functions = listFunctions(read.text, read.program, 5)
    expect(functions.map(({ name, line }) => [name, line])).toEqual([['transferFee', 3]])
    for (const preset of PRESETS) {
      const { code, map } = protectRead(read, preset, {
        name: 'a.js',
        options: options({ preset, sourceMap: true }),
        seed: 3,
      })
      const [pair] = pairFunctions(read.text, functions, code, map ?? '', 'a.js')
      expect(pair?.before).toContain('50000')
      expect(pair?.after).toMatch(/^function transferFee\(/)
      expect(pair?.after?.length).toBeLessThan(code.length)
    }
  })

  test('code that is protected is still the same function of its input', () => {
    const expression: fc.Arbitrary<string> = fc.letrec<{ e: string }>((tie) => ({
      e: fc.oneof(
        { depthSize: 'small', withCrossShrink: true },
        fc.integer({ min: -1000, max: 1000 }).map((n) => `(${n})`),
        fc.constantFrom('a', 'b', 's.length', 'k.x', '(k.y ?? 1)'),
        fc.string({ maxLength: 12 }).map((text) => `${JSON.stringify(text)}.length`),
        fc
          .tuple(tie('e'), fc.constantFrom('+', '-', '*', '&', '|', '^', '<', '==='), tie('e'))
          .map(([left, operator, right]) => `(${left} ${operator} ${right})`),
        fc.tuple(tie('e'), tie('e'), tie('e')).map(([test1, yes, no]) => `(${test1} ? ${yes} : ${no})`),
        tie('e').map(
          (inner) => `((x => { switch (x % 3) { case 0: return x + 1; default: return -x } })(${inner} | 0))`,
        ),
        tie('e').map((inner) => `[${inner}, ...[1, 2]].reduce((sum, one) => sum + (one | 0), 0)`),
        tie('e').map((inner) => `\`\${${inner}}-text\`.length`),
      ),
    })).e
    fc.assert(
      fc.property(expression, fc.constantFrom(...PRESETS), fc.integer({ min: 1, max: 1e6 }), (code, preset, seed) => {
        const text = `var run = function (a, b, s, k) { return ${code} }`
        const after = protectScript(Buffer.from(text), { name: 'p.js', options: options({ preset }), seed }).code
        const [before, now] = [text, after].map((script) => {
          const world: { run?: (...args: unknown[]) => unknown } = {}
          runInNewContext(script, world)
          return [1, -7, 1e6].map((n) => String(world.run?.(n, 3, 'text', { x: n, y: null })))
        })
        expect(now).toEqual(before)
      }),
      { numRuns: 40 },
    )
  }, 60_000)
})

describe('steps down', () => {
  test('a script too large for a preset gets the next strength, and says which', () => {
    expect(strengthFor('high', 10)).toBe('high')
    expect(strengthFor('high', STRENGTH_TOKENS.high + 1)).toBe('medium')
    expect(strengthFor('medium', STRENGTH_TOKENS.medium + 1)).toBe('light')
    expect(strengthFor('low', STRENGTH_TOKENS.low + 1)).toBe('names')
    expect(strengthFor('high', STRENGTH_TOKENS.names + 1)).toBeUndefined()
    expect(strengthFor('high', 10, 'high')).toBe('medium')
    expect(strengthFor('low', 10, 'names')).toBeUndefined()
  })

  test('every strength keeps what the code does', () => {
    const read = parseScript(FEES, 'a.js')
    for (const strength of STRENGTHS) {
      const world: Record<string, unknown> = {}
      runInNewContext(protectRead(read, strength, { name: 'a.js', options: options(), seed: 5 }).code, world)
      expect(world['answer'], strength).toBe('120,2,0')
    }
  })
})

describe('locks', () => {
  test('the time lock runs inside of its times and refuses outside of them', () => {
    const run = (from: number | null, until: number | null) => {
      const { code } = protect(FEES, { preset: 'high', timeLock: { from, until } })
      const world: Record<string, unknown> = {}
      try {
        runInNewContext(code, world)
        return world['answer']
      } catch (error) {
        return (error as Error).message
      }
    }
    const now = Date.now()
    expect(run(now - 60_000, now + 3_600_000)).toBe('120,2,0')
    expect(run(null, now - 1)).toBe('This script is not valid at this time')
    expect(run(now + 3_600_000, null)).toBe('This script is not valid at this time')
    expect(protect(FEES, { preset: 'medium', timeLock: { from: null, until: 1 } }).code).not.toContain('not valid at')
  })

  test('a time lock in code without a semicolon before it does not change that code', () => {
    const { code } = protect(`'use strict'\nvar list = [1]\n[0].toString()`, {
      preset: 'low',
      timeLock: { from: null, until: 8e15 },
    })
    expect(() => runInNewContext(code)).not.toThrow()
  })
})

describe('refusals', () => {
  test('syntax errors name line and column', () => {
    expect(refusalOf('var a = 1\nfunction f( {\n\n x')).toEqual({ key: 'syntax', line: 4, column: 3 })
    expect(refusalOf('let a = 1;\nlet a = 2')).toEqual({ key: 'syntax', line: 2, column: 5 })
  })

  test('source that must be compiled first and syntax that is too new are distinguished from a mistake', () => {
    expect(refusalOf('function f(a: number) {}')?.key).toBe('typescript')
    expect(refusalOf('interface A { x: 1 }')?.key).toBe('typescript')
    expect(refusalOf('const x = <div className="a">{b}</div>;')?.key).toBe('jsx')
    expect(refusalOf('@sealed class A {}')?.key).toBe('newer')
    expect(refusalOf('import defer * as x from "y"')?.key).toBe('newer')
  })

  test('the newest syntax of the standard is taken', () => {
    for (const text of [
      'class A { #p = 1; static { this.z = 1 } static async *gen() {} get p() { return #p in this } }',
      'import data from "./a.json" with { type: "json" }; export { data as "a name" }',
      'var r = /[\\p{L}--[a-z]]/v, s = /(?<y>a)|(?<y>b)/, t = /(?i:a)b/',
      'a ??= 1; a ||= 2; b?.[c]?.(1n); label: for (const [x = 1, ...y] of z) continue label',
      '{ using file = open() }',
      'export const a = await import("x")',
    ])
      expect(refusalOf(text), text).toBeUndefined()
  })

  test('bytes that are no text, Hermes bytecode and bundles with an index are named', () => {
    const hermes = Buffer.concat([Buffer.from('c61fbc03c103191f', 'hex'), Buffer.alloc(200)])
    expect(refusalOf(hermes)?.key).toBe('hermes')
    expect(refusalOf(Buffer.from('e5d10bfb00000000', 'hex'))?.key).toBe('not-text')
    expect(refusalOf(Buffer.from([0x76, 0x61, 0x72, 0xff, 0xfe]))?.key).toBe('not-text')
    expect(refusalOf('var a = "\0"')?.key).toBe('not-text')
    expect(refusalOf('\ufeffvar a = 1')).toBeUndefined()
  })

  test('a script of 50 MB is refused by its size before anything is transformed', () => {
    const bundle = Buffer.from('a(1);'.repeat(10 * 2 ** 20))
    expect(bundle.length).toBeGreaterThanOrEqual(50 * 2 ** 20)
    expect(refusalOf(bundle)?.key).toBe('too-large')
    expect(refusalOf(Buffer.alloc(MAX_SCRIPT_BYTES + 1, 0x20))?.key).toBe('too-large')
  }, 60_000)

  test('code that is nested without end is refused, not a crash', () => {
    const deep = 200_000
    for (const text of [`${'['.repeat(deep)}${']'.repeat(deep)}`, `a${'(b'.repeat(deep)}${')'.repeat(deep)}`])
      expect(refusalOf(text)?.key).toBe('too-deep')
    expect(['too-deep', undefined]).toContain(refusalOf(`x = ${'1 + '.repeat(20_000)}1`)?.key)
  }, 60_000)

  test('whatever the bytes are, they give a result or a refusal', () => {
    const words = fc.constantFrom(
      'function',
      '(',
      ')',
      '{',
      '}',
      'a',
      '=',
      '`${',
      '`',
      '/',
      '*',
      ';',
      '"',
      '1n',
      '=>',
      '\n',
      'class',
      '#x',
      'await',
      '?.',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(words, { maxLength: 30 }).map((all) => all.join(' ')),
        ),
        (text) => {
          try {
            protect(text, { preset: 'low' })
          } catch (error) {
            expect(error).toBeInstanceOf(ScriptRefused)
          }
        },
      ),
      { numRuns: 200 },
    )
  }, 60_000)

  test('a direct eval and a with statement are warned of, with their lines', () => {
    const { warnings } = readScript(Buffer.from('var a = 1\neval("a")\nwith (b) { c }\nx.eval(1)'), 'a.cjs')
    expect(warnings).toEqual([
      { key: 'eval', line: 2 },
      { key: 'with', line: 3 },
    ])
  })
})

describe('plain scripts for the trial run', () => {
  test('imports become unknown, exports become fields, and the code stays', () => {
    const text = `import d, { a as b } from 'x'\nimport * as all from 'y'\nexport { b }\nexport default function twice(n) { return n * 2 }\nexport const three = 3, four = 4\nexport * from 'z'\nexport class C {}\nvar u = import.meta.url\n`
    const plain = plainScript(text, 'a.mjs') ?? ''
    const world = { [PLAIN_NAMES.unknown]: { url: 'u' }, [PLAIN_NAMES.exports]: {} as Record<string, unknown> }
    runInNewContext(plain, world)
    const exports = world[PLAIN_NAMES.exports] as Record<string, unknown>
    expect(Object.keys(exports).toSorted()).toEqual(['C', 'b', 'default', 'four', 'three'])
    expect((exports['default'] as (n: number) => number)(4)).toBe(8)
  })

  test('a module that waits at its top level is not run; one that waits inside of functions is', () => {
    expect(plainScript('export const a = await b()', 'a.mjs')).toBeUndefined()
    expect(plainScript('export const a = async () => await b()', 'a.mjs')).toBeTypeOf('string')
  })
})
