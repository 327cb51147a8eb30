import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { ERRORS, type ErrorKey, errorText, ProductError } from '#contracts/errors.ts'
import { FIELD_WORDS } from '#contracts/field-words.ts'
import { ENDPOINTS } from '#contracts/http/index.ts'
import { errorAnswer, languageOf } from './errors.ts'
import { makeNonceCache } from './nonce-cache.ts'
import { checkInput, parseJson, parseQuery } from './parse-input.ts'
import { makeRateLimit } from './rate-limit.ts'
import { pagePolicy } from './security-headers.ts'

const keyOf = (work: () => unknown): ErrorKey | undefined => {
  try {
    work()
    return undefined
  } catch (error) {
    if (error instanceof ProductError) return error.key
    throw error
  }
}

const said = (schema: z.ZodType, value: unknown, language: 'zh' | 'en'): unknown => {
  try {
    return checkInput(schema, value, language)
  } catch (error) {
    return error instanceof ProductError ? errorText(error.key, language, error.params) : error
  }
}

describe('input', () => {
  test('a name that comes twice, prototype names and broken escapes are refused', () => {
    for (const target of ['/x?a=1&a=2', '/x?__proto__=1', '/x?constructor=1', '/x?a=%', '/x?a=%ff'])
      expect(keyOf(() => parseQuery(target))).toBe('envelope.malformed')
    expect({ ...parseQuery('/x?a=1+2&b=%E4%B8%AD') }).toEqual({ a: '1 2', b: '中' })
  })
  test('bodies: broken JSON, wrong bytes, prototype names, endless depth', () => {
    const bytes = (text: string) => new TextEncoder().encode(text)
    for (const text of [
      '{',
      '{"__proto__":{"a":1}}',
      '{"a":[{"constructor":1}]}',
      '['.repeat(30) + ']'.repeat(30),
      'nul',
    ])
      expect(keyOf(() => parseJson(bytes(text)))).toBe('envelope.malformed')
    expect(keyOf(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22)))).toBe('envelope.malformed')
    expect(parseJson(new Uint8Array())).toEqual({})
  })
  test('no bytes and no target make them throw anything else', () => {
    fc.assert(fc.property(fc.uint8Array(), (bytes) => void keyOf(() => parseJson(bytes))))
    fc.assert(fc.property(fc.string(), (text) => void keyOf(() => parseQuery(`/x?${text}`))))
  })
  test('unknown names are refused, also where the schema has none', () => {
    const schema = z.object({ a: z.string() })
    expect(checkInput(schema, { a: 'x' }, 'zh')).toEqual({ a: 'x' })
    expect(keyOf(() => checkInput(schema, { a: 'x', b: 1 }, 'zh'))).toBe('input.invalid')
    expect(keyOf(() => checkInput(undefined, { b: 1 }, 'zh'))).toBe('input.invalid')
  })
  test('[CONST-01] an empty or absent text that must be given is asked for in words, at every endpoint', () => {
    const asked = new Set<string>()
    for (const { body, query, path } of ENDPOINTS.values())
      for (const part of [body, query])
        for (const [name, field] of Object.entries(part instanceof z.ZodObject ? part.shape : {})) {
          const one = z.object({ [name]: field })
          const empty = field.safeParse('').error?.issues[0]
          const isText = empty?.code === 'too_small' && empty.origin === 'string'
          if (!isText || one.safeParse({}).success) continue
          for (const value of [{ [name]: '' }, {}])
            expect(said(one, value, 'zh'), `${path} ${name}`).toBe(`请输入${FIELD_WORDS[name]?.zh}`)
          expect(said(one, { [name]: '' }, 'en')).toBe(`Please enter ${FIELD_WORDS[name]?.en}`)
          asked.add(name)
        }
    expect([...asked].toSorted()).toEqual(Object.keys(FIELD_WORDS).toSorted())
    expect(said(z.object({ name: z.string().min(8) }), { name: 'short' }, 'en')).toContain('Invalid input: name')
    expect(said(z.object({ name: z.string().min(1) }), { name: 7 }, 'en')).toContain('Invalid input: name')
  })
  test('a schema error is answered in the language of the reader', () => {
    const schema = z.object({ a: z.object({ b: z.number() }) })
    const wrong = { a: { b: 'x' } }
    expect(said(schema, wrong, 'zh')).toBe('输入有误：a.b: 期望 数字，实际接收 string')
    expect(said(schema, wrong, 'en')).toBe('Invalid input: a.b: expected number, received string')
  })
})

describe('errors', () => {
  test('the console gets 200 for what the product refuses, the status for what the protocol refuses; tokens get the status', () => {
    for (const key of Object.keys(ERRORS) as ErrorKey[]) {
      const entry = ERRORS[key]
      const console = errorAnswer(new ProductError(key), { bearer: false, language: 'zh' })
      expect(console.status).toBe('protocol' in entry ? entry.status : 200)
      expect(errorAnswer(new ProductError(key), { bearer: true, language: 'zh' }).status).toBe(entry.status)
      expect(console.body.code).toBe(entry.code)
    }
  })
  test('a missing permission never looks like a sign-out', () => {
    const answer = errorAnswer(new ProductError('permission.missing', { permission: 'x' }), {
      bearer: false,
      language: 'en',
    })
    expect(answer).toMatchObject({ status: 200, body: { code: 500018 } })
  })
  test('an unknown error answers without detail', () => {
    const answer = errorAnswer(new Error('secret detail'), { bearer: false, language: 'en' })
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(answer.status).toBe(500)
  })
  test('error codes of the API are unique', () => {
    const codes = Object.values(ERRORS).map(({ code }) => code)
    expect(new Set(codes).size).toBe(codes.length)
  })
  test('Accept-Language selects Chinese or English, Chinese by default', () => {
    expect([undefined, 'zh-CN', 'en', 'en-US,en;q=0.9', 'fr'].map(languageOf)).toEqual(['zh', 'zh', 'en', 'en', 'zh'])
  })
})

test('a nonce is taken once, for two windows, and a full cache refuses', () => {
  let now = 0
  const cache = makeNonceCache(() => now, 1000, 3)
  expect([cache.use('a'), cache.use('a')]).toEqual([true, false])
  now = 1500
  expect(cache.use('a')).toBe(false)
  now = 5000
  expect(cache.use('a')).toBe(true)
  expect([cache.use('b'), cache.use('c'), cache.use('d')]).toEqual([true, true, false])
})

test('a rate limit lets a burst pass, then its rate, and survives a clock that steps back', () => {
  let now = 10_000
  const limit = makeRateLimit(() => now, { burst: 2, perSecond: 1 })
  expect([limit.take('a'), limit.take('a')]).toEqual([0, 0])
  expect(limit.take('a')).toBeCloseTo(1)
  expect(limit.take('b')).toBe(0)
  now = 0
  expect(limit.take('b')).toBe(0)
  now = 1000
  expect(limit.take('a')).toBeGreaterThan(0)
  now = 2100
  expect(limit.take('a')).toBe(0)
})

test('the page policy allows the inline parts of the page by hash and nothing else', () => {
  const policy = pagePolicy('<script>a()</script><script type="module" src="/assets/x.js"></script><style>b{}</style>')
  expect(policy.match(/script-src[^;]*/)?.[0]).toMatch(/^script-src 'self' 'sha256-[^']+'$/)
  expect(policy).not.toMatch(/script-src[^;]*unsafe/)
  expect(policy).toContain("frame-ancestors 'none'")
})

test('a NUL character in any field is a validation error that names the field', () => {
  const schema = z.object({ filters: z.array(z.object({ values: z.array(z.string()) })) })
  const refused = () => checkInput(schema, { filters: [{ values: ['a', 'b\u0000c'] }] }, 'en')
  expect(keyOf(refused)).toBe('input.invalid')
  expect(refused).toThrow(
    expect.objectContaining({ params: { detail: 'filters.0.values.1: contains a NUL character' } }),
  )
})

test('a rate limit forgets idle keys without scanning, and a flood of keys does not grow it without bound', () => {
  let time = 0
  const limit = makeRateLimit(() => time, { burst: 2, perSecond: 1 })
  expect([limit.take('a'), limit.take('a')]).toEqual([0, 0])
  for (let n = 0; n < 60_000; n++) limit.take(`k${n}`)
  expect(limit.take('a')).toBeGreaterThan(0)
  const started = performance.now()
  for (let n = 0; n < 300_000; n++) limit.take(`m${n}`)
  expect(performance.now() - started).toBeLessThan(5000)
  time = 10_000
  expect(limit.take('a')).toBe(0)
})
