import { expect, test } from 'vitest'
import { REDACTED, redactFields, redactText } from './redact.ts'

/** The value below `depth` levels of objects and lists. */
function below(depth: number, value: unknown): unknown {
  let nested = value
  for (let i = 0; i < depth; i++) nested = i % 2 ? [nested] : { inner: nested }
  return nested
}

test('a secret field is not written at any depth, and what is too deep to look at is not written at all', () => {
  for (let depth = 0; depth < 30; depth++) {
    const text = JSON.stringify(redactFields({ a: below(depth, { Token: 'hidden', kept: 1 }) }))
    expect(text, String(depth)).not.toContain('hidden')
    expect(text.includes('"kept":1'), String(depth)).toBe(depth < 7)
  }
})

test('fields that refer to themselves, lists without end and values with an own text form do not break the log', () => {
  const circle: Record<string, unknown> = { password: 'hidden' }
  circle['again'] = circle
  expect(JSON.stringify(redactFields(circle))).not.toContain('hidden')
  const wide = Array.from({ length: 50 }, () => circle)
  expect(JSON.stringify(redactFields({ wide, more: wide }))).not.toContain('hidden')
  const error = new Error('x')
  const date = new Date(0)
  expect(redactFields({ err: error, at: { date }, none: null, n: [1, 'x'] })).toEqual({
    err: error,
    at: { date },
    none: null,
    n: [1, 'x'],
  })
})

test('the text of JSON has no value of a secret field, also as text inside of JSON, cut off, and with quotes in the value', () => {
  for (const value of [
    'hidden',
    'hidden"quoted hidden',
    'hidden\\',
    '"hidden',
    '\\"hidden\\\\',
    'two\nhidden lines',
    4711,
  ])
    for (const fields of [
      { token: value },
      { a: { b: [{ 'Set-Cookie': value }] } },
      { private_key: value, kept: 'yes' },
    ]) {
      let text = JSON.stringify(fields, null, 1)
      for (let level = 0; level < 4; level++) {
        const clean = redactText(text)
        expect(clean).not.toMatch(/hidden|4711/)
        expect(clean).toContain(REDACTED)
        if (level > 0) expect(typeof JSON.parse(clean)).toBe('object')
        for (let end = text.length; end > 0; end -= 3)
          expect(redactText(text.slice(0, end))).not.toMatch(/hidden"?$|4711$/)
        text = JSON.stringify({ msg: text })
      }
    }
})

test('JSON without secrets is not changed, and a long row of backslashes costs no time', () => {
  for (const text of ['{"tokens":3,"name":"token"}', '{"token":null,"a":"b"}', JSON.stringify({ msg: '{"kept":"x"}' })])
    expect(redactText(text)).toBe(text)
  const at = performance.now()
  redactText(`${'\\'.repeat(200_000)}"token`)
  redactText(`"token":"${'\\'.repeat(200_000)}`)
  redactText(`\\"token\\":\\"${'\\'.repeat(200_000)}`)
  expect(performance.now() - at).toBeLessThan(1000)
})
